import type { WebhooksListTypesEntry } from '@risiti/sdk'
import { useState } from 'react'
import { CheckField } from '../../ui/check-field.tsx'
import { TextField } from '../../ui/index.ts'

/** `webhook_endpoint` in words. */
export const familyWords = (family: string): string => family.replaceAll('_', ' ')

const allOf = (family: string): string => `${family}.*`

/** The events of an endpoint: all, all of an object, or single ones. */
export function EventChoice({
  types,
  chosen,
  onToggle,
}: {
  readonly types: readonly WebhooksListTypesEntry[]
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (pattern: string) => void
}) {
  const [sought, setSought] = useState('')
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = ({ type, description }: WebhooksListTypesEntry) => {
    const text = `${type} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const families = [...Map.groupBy(types, ({ family }) => family)]
  const found = families
    .map(([family, members]) => [family, members.filter(isFound)] as const)
    .filter(([, members]) => members.length > 0)
  // Other patterns, such as names of Form B, can be set only through the API, so the form keeps them.
  const offered = new Set(['*', ...families.map(([family]) => allOf(family)), ...types.map(({ type }) => type)])
  const others = [...chosen].filter((pattern) => !offered.has(pattern))
  const takesAll = chosen.has('*')
  const option = (pattern: string, takesFamily: boolean) => (
    <CheckField
      key={pattern}
      label={<code>{pattern}</code>}
      checked={takesAll || takesFamily || chosen.has(pattern)}
      disabled={takesAll || takesFamily}
      onChange={() => onToggle(pattern)}
    />
  )
  return (
    <fieldset className="developers-types">
      <legend>Events</legend>
      <CheckField label="All events, including future ones" checked={takesAll} onChange={() => onToggle('*')} />
      <TextField
        label="Find an event"
        type="search"
        autoComplete="off"
        placeholder="paid, rejected, buyer"
        value={sought}
        onChange={({ target }) => setSought(target.value)}
        onKeyDown={(event) => {
          // Enter would send the form.
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      {/* If all events are chosen, nothing in the area can have the focus, and it must be scrollable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section className="developers-families" aria-label="Events by object" tabIndex={0}>
        {others.map((pattern) => option(pattern, false))}
        {found.map(([family, members]) => {
          const takesFamily = chosen.has(allOf(family))
          return (
            <fieldset key={family}>
              <legend>{familyWords(family)}</legend>
              <CheckField
                label={`Every ${familyWords(family)} event`}
                checked={takesAll || takesFamily}
                disabled={takesAll}
                onChange={() => onToggle(allOf(family))}
              />
              {members.map(({ type }) => option(type, takesFamily))}
            </fieldset>
          )
        })}
        {found.length === 0 && <p role="status">No event matches.</p>}
      </section>
    </fieldset>
  )
}
