import { Button, SelectField, TextField } from '../../../ui/index.ts'
import { Panel } from '../../../ui/panel.tsx'
import type { Head } from './draft-content.ts'
import {
  type DraftInstalment,
  type DraftInstalments,
  mostInstalments,
  noInstalments,
  twoHalves,
  withOneMore,
} from './draft-instalments.ts'

/** When which part of the total is due. */
export function InstalmentRows({
  head,
  change,
  faults,
}: {
  readonly head: Head
  readonly change: (part: Partial<Head>) => void
  /** what is wrong, by path */
  readonly faults: Readonly<Record<string, string>>
}) {
  const { instalments } = head
  const { unit, rows } = instalments
  const set = (next: DraftInstalments) => change({ instalments: next })
  const setRow = (at: number, part: Partial<DraftInstalment>) =>
    set({ unit, rows: rows.map((row, nth) => (nth === at ? { ...row, ...part } : row)) })
  if (rows.length === 0)
    return (
      <Panel title="Instalments">
        <p className="invoice-soft">The whole total is due on one day.</p>
        <Button onClick={() => set(twoHalves(head.invoiceDate))}>Pay in instalments</Button>
      </Panel>
    )
  return (
    <Panel title="Instalments" about="The due date of the invoice is that of the last instalment.">
      {faults.instalments && (
        <p className="field-fault" role="alert">
          {faults.instalments}
        </p>
      )}
      <SelectField
        label="Shares"
        value={unit}
        onChange={({ target }) => set({ unit: target.value as DraftInstalments['unit'], rows })}
        options={[
          ['percent', 'In percent'],
          ['amount', `Amounts in ${head.currency}`],
        ]}
      />
      <ol className="instalment-rows">
        {rows.map((row, at) => (
          <li key={at}>
            <TextField
              label={`Due date of instalment ${at + 1}`}
              type="date"
              value={row.dueDate}
              onChange={({ target }) => setRow(at, { dueDate: target.value })}
              fault={faults[`instalments[${at}].dueDate`]}
            />
            <TextField
              label={`${unit === 'percent' ? 'Percent' : 'Amount'} of instalment ${at + 1}`}
              inputMode="decimal"
              value={row.share}
              onChange={({ target }) => setRow(at, { share: target.value })}
              fault={faults[`instalments[${at}].${unit}`] ?? faults[`instalments[${at}]`]}
            />
            {rows.length > 2 && (
              <Button kind="quiet" onClick={() => set({ unit, rows: rows.filter((_, nth) => nth !== at) })}>
                Remove instalment {at + 1}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p className="instalment-actions">
        {rows.length < mostInstalments && (
          <Button onClick={() => set(withOneMore(instalments))}>Add an instalment</Button>
        )}
        <Button
          kind="quiet"
          onClick={() => change({ instalments: noInstalments, dueDate: rows.at(-1)?.dueDate ?? head.dueDate })}
        >
          Pay everything on one day
        </Button>
      </p>
    </Panel>
  )
}
