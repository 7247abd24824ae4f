import type { ImportReport } from '@risiti/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { csv, saveFile } from '../../ui/csv.ts'
import { Badge, Button, ConfirmDialog, ListTable, Notice, PageHead, Panel, SelectField } from '../../ui/index.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { fieldSentence } from '../../words/field-faults.ts'
import { keepFile, keptFile } from './import-file.ts'
import { howMany, isUnderWay, kindOf, statusWords } from './kinds.ts'
import './imports.css'

const lookMs = 700

export function ImportPage() {
  const { id } = useParams({ from: '/inside/import/$id' })
  const found = useQuery({
    queryKey: ['imports', 'one', id],
    queryFn: async () => await risiti.imports.get(id),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? lookMs : false),
  })
  if (found.isError)
    return (
      <>
        <PageHead title="Import" />
        <LoadFailure query={found} />
      </>
    )
  if (!found.data) return <Skeleton />
  const report = found.data
  const [tone, words] = statusWords[report.status]
  return (
    <>
      <PageHead title={report.fileName} about={<Badge tone={tone}>{words}</Badge>}>
        <Actions report={report} />
      </PageHead>
      <ImportProgress report={report} />
      <Faults report={report} />
      <Columns key={report.id} report={report} />
    </>
  )
}

function Actions({ report }: { readonly report: ImportReport }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { make, undo } = {
    make: useMay(kindOf(report.kind).needs),
    undo: useMay({ buyers: 'buyer.delete', items: 'item.archive', invoices: 'invoice.delete_draft' }[report.kind]),
  }
  // An import can be run and undone several times, and each time is a new action.
  const { once, renew } = useOneKey()
  const done = async () => {
    renew()
    await client.invalidateQueries({ queryKey: ['imports'] })
  }
  const running = useMutation({
    mutationFn: async () => await risiti.imports.run(report.id, once(['run', report.id])),
    onSuccess: done,
  })
  const { status, counts, kind, id } = report
  const isTakenBack = counts.undone + counts.kept > 0
  const canRun = make && ((status === 'checked' && counts.ready > 0) || (status === 'stopped' && !isTakenBack))
  const canUndo = undo && (status === 'done' || status === 'stopped') && counts.made > 0
  return (
    <>
      {running.isError && <span role="alert">{wordsOf(running.error)}</span>}
      {canRun && (
        <Button kind="primary" busy={running.isPending} onClick={() => running.mutate()}>
          {status === 'stopped' ? 'Continue' : `Import ${howMany(counts.ready, kind)}`}
        </Button>
      )}
      {canUndo && <Button onClick={() => setAsking(true)}>Undo</Button>}
      <Link to="/import" search={{ kind }}>
        Import another file
      </Link>
      <ConfirmDialog
        title={`Undo the import of ${howMany(counts.made, kind)}?`}
        action="Undo the import"
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await risiti.imports.undo(id, once(['undo', id]))
          await done()
        }}
      >
        Everything that this file created is deleted, except what is already in use. Credits are not returned.
      </ConfirmDialog>
    </>
  )
}

/** The state of the import in one sentence, with progress while it runs. */
function ImportProgress({ report: { status, counts, kind } }: { readonly report: ImportReport }) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const left = { checking: counts.unchecked, running: counts.ready, undoing: counts.made }[status as string]
  if (left !== undefined)
    return (
      <div className="imports-progress" role="status">
        <label>
          {`${howMany(left, kind)} to go`}
          <progress max={all} value={all - left} />
        </label>
      </div>
    )
  const leftOut = counts.faulty === 0 ? '' : ` ${howMany(counts.faulty, kind)} had errors and were left out.`
  if (status === 'done')
    return (
      <Notice tone="good">
        {`${howMany(counts.made, kind)} imported.${leftOut}`} <Link to={kindOf(kind).to}>Go to the list</Link>
      </Notice>
    )
  if (status === 'undone')
    return (
      <Notice>
        {`${howMany(counts.undone, kind)} deleted.`}
        {counts.kept > 0 && ` ${howMany(counts.kept, kind)} stayed, because they are in use.`}
      </Notice>
    )
  if (status === 'stopped')
    return (
      <Notice tone="bad">
        The import stopped early. Either the credits ran out, or the person who started the import lost the permission.
        If you continue, Risiti imports only the remaining rows.
      </Notice>
    )
  if (counts.faulty === 0) return <Notice tone="good">{`All ${howMany(counts.ready, kind)} can be imported.`}</Notice>
  return (
    <Notice tone="warn">
      {`${howMany(counts.ready, kind)} can be imported. ${howMany(counts.faulty, kind)} cannot. Fix the file and check it again, or import without them.`}
    </Notice>
  )
}

/** From so many rows on, equal errors are shown as one. */
const manyEqual = 20

/** An error that most rows share, such as a wrong column, is one row with all its numbers. */
function groupedFaults(
  faults: ImportReport['faults'],
): readonly { row: string; column: string | null; message: string }[] {
  const groups = Map.groupBy(faults, ({ column, message }) => `${column}\n${message}`)
  const isMany = ({ column, message }: ImportReport['faults'][number]) =>
    (groups.get(`${column}\n${message}`)?.length ?? 0) > manyEqual
  const many = [...groups.values()].filter(([first]) => first && isMany(first))
  return [
    ...many.flatMap((equal) => {
      const [first] = equal
      return first ? [{ ...first, row: rangesOf(equal.map(({ row }) => row)) }] : []
    }),
    ...faults.filter((fault) => !isMany(fault)).map((fault) => ({ ...fault, row: String(fault.row) })),
  ]
}

/** Rising numbers in words, such as `2–40, 42`. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && number - last[1] <= 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ')
}

function Faults({ report: { faults, fileName } }: { readonly report: ImportReport }) {
  if (faults.length === 0) return null
  const rows = faults.map(({ row, column, message }) => [row, column, fieldSentence(message)])
  return (
    <Panel
      title="Errors"
      about={faults.length >= 1_000 ? 'The first 1,000 errors.' : undefined}
      action={
        <Button
          onClick={() => saveFile(new Blob([csv([['Row', 'Column', 'Error'], ...rows])]), `faults-${fileName}.csv`)}
        >
          Export the errors
        </Button>
      }
    >
      <ListTable label="Errors" heads={['Row', 'Column', 'Error']}>
        {groupedFaults(faults).map(({ row, column, message }) => (
          <tr key={`${row} ${column} ${message}`}>
            <th scope="row">{row}</th>
            <td>{column ?? 'The whole row'}</td>
            <td>{fieldSentence(message)}</td>
          </tr>
        ))}
      </ListTable>
    </Panel>
  )
}

/** The columns can be reassigned until rows are created, while the browser still has the file. */
function Columns({ report }: { readonly report: ImportReport }) {
  const navigate = useNavigate()
  const [columns, setColumns] = useState(report.columns)
  const setup = useQuery({ queryKey: ['imports', 'setup'], queryFn: async () => await risiti.imports.getSetup() })
  const file = keptFile(report.id)
  const { once } = useOneKey()
  const again = useMutation({
    mutationFn: async () => {
      if (!file) throw new Error('this page no longer has the file')
      const sent = { ...file, columns: [...columns] }
      const made = await risiti.imports.start(sent, once(sent))
      keepFile(made.id, file)
      return made
    },
    onSuccess: ({ id }) => navigate({ to: '/import/$id', params: { id } }),
  })
  const fields = setup.data?.find(({ kind }) => kind === report.kind)?.fields
  if (!fields) return null
  const options = [['', 'Ignore'], ...fields.map(({ field, label }) => [field, label] as const)] as const
  const labelOf = (field: string | null) => fields.find((each) => each.field === field)?.label ?? 'Ignored'
  const canChange = file !== undefined && (report.status === 'checked' || report.status === 'undone')
  return (
    <Panel title="Columns" about="The field for each column of the file.">
      <div className="imports-columns">
        {columns.map(({ column, field }, at) =>
          canChange ? (
            <SelectField
              key={at}
              label={column === '' ? `Column ${at + 1}, without a name` : column}
              value={field ?? ''}
              options={options}
              onChange={({ target }) =>
                setColumns(
                  columns.map((each, index) => (index === at ? { column, field: target.value || null } : each)),
                )
              }
            />
          ) : (
            <p key={at}>
              <strong>{column}</strong>: {labelOf(field)}
            </p>
          ),
        )}
      </div>
      {again.isError && <Notice tone="bad">{wordsOf(again.error)}</Notice>}
      {canChange && columns !== report.columns && (
        <Button kind="primary" busy={again.isPending} onClick={() => again.mutate()}>
          Check again with these columns
        </Button>
      )}
    </Panel>
  )
}
