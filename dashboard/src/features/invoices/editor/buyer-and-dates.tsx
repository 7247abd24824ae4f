import { useCountry } from '../../../session/country.ts'
import { CurrencyField } from '../../../session/currency-field.tsx'
import { SelectField, TextField } from '../../../ui/index.ts'
import { Panel } from '../../../ui/panel.tsx'
import { BuyerField } from '../../buyers/buyer-field.tsx'
import type { Head } from './draft-content.ts'

const kindWords: Readonly<Record<string, string>> = {
  B2B: 'B2B: to a business',
  B2C: 'B2C: to a consumer',
  B2G: 'B2G: to government',
  G2B: 'G2B: from government',
}

/** The fields of a draft that its lines share. */
export function BuyerAndDates({
  head,
  change,
  faults,
  onAddBuyer,
}: {
  readonly head: Head
  readonly change: (part: Partial<Head>) => void
  /** what is wrong, by field */
  readonly faults: Readonly<Record<string, string>>
  /** `undefined` if the person may not add buyers */
  readonly onAddBuyer: (() => void) | undefined
}) {
  const { invoiceKinds, currency: home } = useCountry()
  return (
    <Panel title="Buyer and dates">
      <div className="editor-head">
        <BuyerField
          buyer={head.buyer}
          onChoose={(buyer) => change({ buyer })}
          typed={head.unknownBuyer}
          onType={(unknownBuyer) => change({ unknownBuyer })}
          onAdd={onAddBuyer}
          nobody={
            head.unknownBuyer === ''
              ? 'No buyer chosen: the sale is to a consumer.'
              : `Choose “${head.unknownBuyer}” from the list, or add this buyer.`
          }
          fault={faults.buyerId}
        />
        <SelectField
          label="Kind of sale"
          help="kindOfSale"
          value={head.kind}
          onChange={({ target }) => change({ kind: target.value })}
          options={[
            ['', head.buyer ? 'To a business' : 'To a consumer'],
            ...invoiceKinds.map(({ kind }) => [kind, kindWords[kind] ?? kind] as const),
          ]}
          fault={faults.invoiceKind}
        />
        <TextField
          label="Date"
          type="date"
          required
          value={head.invoiceDate}
          onChange={({ target }) => change({ invoiceDate: target.value })}
          fault={faults.invoiceDate}
        />
        <TextField
          label="Due"
          type="date"
          value={head.instalments.rows.at(-1)?.dueDate ?? head.dueDate}
          disabled={head.instalments.rows.length > 0}
          onChange={({ target }) => change({ dueDate: target.value })}
          fault={faults.dueDate}
        />
        <CurrencyField
          value={head.currency}
          onChange={({ target }) => change({ currency: target.value, exchangeRate: '' })}
          fault={faults.currency}
        />
        {head.currency !== home && (
          <TextField
            label={`Price of 1 ${head.currency} in ${home} (optional)`}
            inputMode="decimal"
            value={head.exchangeRate}
            onChange={({ target }) => change({ exchangeRate: target.value })}
            hint="Without it, the rate of the day from your exchange rates counts."
            fault={faults.exchangeRate}
          />
        )}
      </div>
    </Panel>
  )
}
