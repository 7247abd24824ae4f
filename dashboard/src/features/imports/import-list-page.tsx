import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { useMay } from '../../session/session.tsx'
import { csv, saveFile } from '../../ui/csv.ts'
import {
  Badge,
  Button,
  ListTable,
  momentText,
  Notice,
  PageHead,
  Panel,
  SelectField,
  TextField,
} from '../../ui/index.ts'
import { exportRows } from './exports.ts'
import { keepFile, readImportFile, UnfitFile } from './import-file.ts'
import { howMany, type Kind, kindOf, kinds, statusWords } from './kinds.ts'
import './imports.css'

export function ImportListPage() {
  const may = { buyers: useMay('buyer.create'), items: useMay('item.create'), invoices: useMay('invoice.create') }
  const allowed = kinds.filter(({ kind }) => may[kind])
  const { kind = allowed[0]?.kind ?? 'buyers' } = useSearch({ from: '/inside/import' })
  return (
    <>
      <PageHead title="Import and export" />
      {allowed.length > 0 && <NewImport kind={kind} allowed={allowed} />}
      <EarlierImports />
      <Export />
    </>
  )
}

function NewImport({ kind, allowed }: { readonly kind: Kind; readonly allowed: readonly (typeof kinds)[number][] }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const setup = useQuery({ queryKey: ['imports', 'setup'], queryFn: async () => await risiti.imports.getSetup() })
  const { once, renew } = useOneKey()
  const starting = useMutation({
    mutationFn: async (file: File) => {
      const sent = await readImportFile(file)
      const made = await risiti.imports.start({ kind, ...sent }, once({ kind, ...sent }))
      renew()
      keepFile(made.id, { kind, ...sent })
      return made
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['imports', 'list'] })
      await navigate({ to: '/import/$id', params: { id } })
    },
  })
  const start = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const file = new FormData(event.currentTarget).get('file')
    if (file instanceof File && file.size > 0) starting.mutate(file)
  }
  const fields = setup.data?.find((each) => each.kind === kind)?.fields
  const faults = faultsOf(starting.error)
  return (
    <Panel
      title="Import a file"
      about="A CSV file or an Excel workbook with column names in the first row. Risiti first checks the file and saves nothing until you confirm."
    >
      <form className="imports-form" onSubmit={start}>
        <SelectField
          label="Content"
          value={kind}
          options={allowed.map((each) => [each.kind, each.name] as const)}
          onChange={({ target }) => navigate({ to: '/import', search: { kind: target.value as Kind }, replace: true })}
        />
        <TextField
          label="File"
          name="file"
          type="file"
          required
          accept=".csv,.xlsx,text/csv"
          fault={
            starting.error instanceof UnfitFile
              ? starting.error.message
              : faults.content && `The file ${faults.content}.`
          }
        />
        <div className="imports-actions">
          <Button kind="primary" type="submit" busy={starting.isPending}>
            Check the file
          </Button>
          {fields && (
            <Button onClick={() => saveFile(new Blob([csv([fields.map(({ label }) => label)])]), `${kind}.csv`)}>
              Download a template
            </Button>
          )}
        </div>
      </form>
      {starting.isError && !(starting.error instanceof UnfitFile) && !faults.content && (
        <Notice tone="bad">
          {faults.columns ? `The file ${faults.columns}.` : (Object.values(faults)[0] ?? wordsOf(starting.error))}
        </Notice>
      )}
      {kind === 'invoices' && (
        <p className="imports-about">
          Rows with the same invoice number are lines of one invoice, which becomes a draft. Risiti finds buyers by tax
          number or name, and items by SKU. Import buyers and items first.
        </p>
      )}
    </Panel>
  )
}

function EarlierImports() {
  const imports = useQuery({
    queryKey: ['imports', 'list'],
    queryFn: async () => await risiti.imports.list({ limit: 25 }),
  })
  if (imports.isError) return <Notice tone="bad">{wordsOf(imports.error)}</Notice>
  if (!imports.data || imports.data.data.length === 0) return null
  return (
    <Panel title="Earlier imports" about="Imports of the last 30 days.">
      <ListTable label="Imports" heads={['File', 'Content', 'Status', 'Imported', 'Left out', 'When']}>
        {imports.data.data.map(({ id, kind, fileName, status, counts, createdAt }) => (
          <tr key={id}>
            <th scope="row">
              <Link to="/import/$id" params={{ id }}>
                {fileName}
              </Link>
            </th>
            <td>{kindOf(kind).name}</td>
            <td>
              <Badge tone={statusWords[status][0]}>{statusWords[status][1]}</Badge>
            </td>
            <td>{counts.made + counts.kept}</td>
            <td>{counts.faulty}</td>
            <td>{momentText(createdAt)}</td>
          </tr>
        ))}
      </ListTable>
    </Panel>
  )
}

function Export() {
  const may = { buyers: useMay('buyer.read'), items: useMay('item.read'), invoices: useMay('invoice.read') }
  const allowed = kinds.filter(({ kind }) => may[kind])
  const { districtName } = useCountry()
  const [count, setCount] = useState(0)
  const saving = useMutation({
    mutationFn: async (kind: Kind) => {
      setCount(0)
      const { header, rows, isCut } = await exportRows(kind, districtName, setCount)
      saveFile(new Blob([`\ufeff${csv([header, ...rows])}`], { type: 'text/csv' }), `risiti-${kind}.csv`)
      return { kind, isCut }
    },
  })
  if (allowed.length === 0) return null
  return (
    <Panel title="Export" about="CSV files that you can import again, here or elsewhere.">
      <div className="imports-actions">
        {allowed.map(({ kind, name }) => (
          <Button key={kind} busy={saving.isPending && saving.variables === kind} onClick={() => saving.mutate(kind)}>
            Export {name.toLowerCase()}
          </Button>
        ))}
      </div>
      {saving.isPending && count > 0 && <p role="status">{howMany(count, saving.variables)} so far …</p>}
      {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
      {saving.data?.isCut && (
        <Notice tone="warn">
          The file contains only the first 5,000 rows. For the rest, filter the list on its own page and export from
          there.
        </Notice>
      )}
    </Panel>
  )
}
