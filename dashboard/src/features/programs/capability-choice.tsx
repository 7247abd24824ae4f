import type { Capability } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { permissionsQuery } from '../../session/permissions.ts'
import { useMay } from '../../session/session.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { Button } from '../../ui/index.ts'

/** In the order of the page. */
const areaNames: Readonly<Record<string, string>> = {
  invoice: 'Invoices',
  buyer: 'Buyers',
  seller: 'Sellers',
  item: 'Items',
  collection: 'Received payments',
  billing: 'Credits and billing',
  tax_id: 'Tax numbers',
  tax_connection: 'Tax authority',
  organization: 'Organisation',
  webhook: 'Events for programs',
  api_key: 'API keys and requests',
  reference: 'Code lists',
}

type Described = Pick<Capability, 'name' | 'label' | 'area' | 'readOnly'>

/** A custom role may not read the words of permissions: then the name has to do. */
const wordsFrom = (name: string): Described => ({
  name,
  label: name.replace(/[._]/g, ' '),
  area: name.split('.')[0] as string,
  readOnly: name.endsWith('.read'),
})

function useDescribed(names: readonly string[]): readonly Described[] {
  const mayRead = useMay('role.read')
  const { data } = useQuery({ ...permissionsQuery, enabled: mayRead })
  return names.map((name) => data?.permissions.find((each) => each.name === name) ?? wordsFrom(name))
}

/** What a program may do, as ticks in groups. */
export function CapabilityChoice({
  names,
  chosen,
  onChange,
}: {
  readonly names: readonly string[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}) {
  const all = useDescribed(names)
  const areas = [...new Set([...Object.keys(areaNames), ...all.map(({ area }) => area)])]
  const set = (changed: readonly string[], isOn: boolean) =>
    onChange(new Set(isOn ? [...chosen, ...changed] : [...chosen].filter((name) => !changed.includes(name))))
  return (
    <fieldset className="program-choice">
      <legend>What it may do</legend>
      <div className="program-shortcuts">
        <Button
          type="button"
          onClick={() => onChange(new Set(all.filter(({ readOnly }) => readOnly).map(({ name }) => name)))}
        >
          Only let it look
        </Button>
        <Button type="button" onClick={() => onChange(new Set(names))}>
          Tick everything
        </Button>
      </div>
      {areas.map((area) => {
        const group = all.filter((each) => each.area === area)
        return group.length === 0 ? null : (
          <Area key={area} name={areaNames[area] ?? area} group={group} chosen={chosen} onSet={set} />
        )
      })}
    </fieldset>
  )
}

function Area({
  name,
  group,
  chosen,
  onSet,
}: {
  readonly name: string
  readonly group: readonly Described[]
  readonly chosen: ReadonlySet<string>
  readonly onSet: (names: readonly string[], isOn: boolean) => void
}) {
  const [only] = group
  if (only && group.length === 1)
    return (
      <CheckField
        label={only.label}
        checked={chosen.has(only.name)}
        onChange={({ currentTarget }) => onSet([only.name], currentTarget.checked)}
      />
    )
  const ticked = group.filter((each) => chosen.has(each.name)).length
  const isPart = ticked > 0 && ticked < group.length
  return (
    <div className="program-area">
      <CheckField
        label={`${name}: ${ticked === group.length ? 'all' : `${ticked} of`} ${group.length}`}
        checked={ticked === group.length}
        ref={(box) => {
          if (box) box.indeterminate = isPart
        }}
        onChange={({ currentTarget }) =>
          onSet(
            group.map((each) => each.name),
            currentTarget.checked,
          )
        }
      />
      <details>
        <summary>
          One by one<span className="visually-hidden">: {name}</span>
        </summary>
        {group.map((each) => (
          <CheckField
            key={each.name}
            label={each.label}
            checked={chosen.has(each.name)}
            onChange={({ currentTarget }) => onSet([each.name], currentTarget.checked)}
          />
        ))}
      </details>
    </div>
  )
}
