import type { NewQuote, Quote } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useCountry } from '../../session/country.ts'
import { CurrencyField } from '../../session/currency-field.tsx'
import { today } from '../../ui/dates.ts'
import { Panel, SelectField, TextField } from '../../ui/index.ts'
import { plainNumber } from '../../ui/money.ts'
import type { ChosenBuyer } from '../buyers/buyer-field.tsx'
import { type DraftLine, isBlank, linesOf, newLine, sentLine } from '../invoices/editor/draft-lines.ts'
import { FormWithLines, useBuyerChoice, useFaults } from '../invoices/editor/form-with-lines.tsx'
import { LineList } from '../invoices/editor/line-list.tsx'
import { WrittenFieldInput } from '../invoices/written-field-input.tsx'
import { editedFields } from '../invoices/written-fields.ts'
import { typeWords } from './quote-words.ts'

/** The written fields of an invoice that a quote can have. It names no quote itself. */
const quoteFields = editedFields.filter(({ name }) => name !== 'quoteReference')

interface QuoteFields {
  readonly quoteType: Quote['quoteType']
  readonly buyer: ChosenBuyer | undefined
  readonly currency: string
  readonly quoteDate: string
  /** empty: without an end */
  readonly validUntil: string
  readonly allowance: string
  readonly written: Readonly<Record<string, string>>
}

/** What a new quote or a changed one starts with. */
export interface QuoteStart {
  readonly fields: QuoteFields
  readonly lines: readonly DraftLine[]
  /** amounts without a field on the page, which must not be lost */
  readonly chargeAmount?: string
}

const usualDays = 30
const dayMs = 86_400_000

export function useEmptyStart(): QuoteStart {
  const { currency, taxCategories } = useCountry()
  return useMemo(() => {
    const quoteDate = today()
    const validUntil = new Date(Date.parse(quoteDate) + usualDays * dayMs).toISOString().slice(0, 10)
    return {
      fields: {
        quoteType: 'quote',
        buyer: undefined,
        currency,
        quoteDate,
        validUntil,
        allowance: '',
        written: Object.fromEntries(quoteFields.map(({ name }) => [name, ''])),
      },
      lines: [newLine(taxCategories[0]?.code ?? '')],
    }
  }, [currency, taxCategories])
}

export const startOf = (quote: Quote, buyer: ChosenBuyer | undefined): QuoteStart => ({
  fields: {
    quoteType: quote.quoteType,
    buyer,
    currency: quote.currency,
    quoteDate: quote.quoteDate,
    validUntil: quote.validUntil ?? '',
    allowance: quote.allowanceMinor === 0 ? '' : quote.allowanceAmount,
    written: Object.fromEntries(quoteFields.map(({ name }) => [name, quote[name] ?? ''])),
  },
  lines: linesOf(quote),
  ...(quote.chargeMinor === 0 ? {} : { chargeAmount: quote.chargeAmount }),
})

const bodyOf = ({ fields, lines, chargeAmount }: QuoteStart): NewQuote => ({
  quoteType: fields.quoteType,
  buyerId: fields.buyer?.id ?? null,
  currency: fields.currency as NewQuote['currency'],
  quoteDate: fields.quoteDate,
  validUntil: fields.validUntil || null,
  lineItems: lines.filter((line) => !isBlank(line)).map(sentLine),
  allowanceAmount: fields.allowance.trim() === '' ? null : plainNumber(fields.allowance),
  chargeAmount: chargeAmount ?? null,
  ...Object.fromEntries(quoteFields.map(({ name }) => [name, fields.written[name]?.trim() || undefined])),
})

/** The contents of a quote, new or changed. */
export function QuoteForm({
  title,
  start,
  isNew,
  back,
  notice,
  onSave,
}: {
  readonly title: string
  readonly start: QuoteStart
  readonly isNew: boolean
  readonly back: ReactNode
  readonly notice?: ReactNode
  readonly onSave: (body: NewQuote) => Promise<unknown>
}) {
  const [fields, setFields] = useState(start.fields)
  const [lines, setLines] = useState(start.lines)
  const save = useMutation({ mutationFn: () => onSave(bodyOf({ ...start, fields, lines })) })
  const { faults, ofHead, ofLines, ofForm } = useFaults(save.error, lines)
  const set = (part: Partial<QuoteFields>) => setFields((before) => ({ ...before, ...part }))
  const buyer = useBuyerChoice(fields.buyer, (chosen) => set({ buyer: chosen }))
  return (
    <>
      <FormWithLines
        title={title}
        back={back}
        notice={notice}
        action={isNew ? 'Save the draft' : 'Save the change'}
        save={save}
        faults={ofForm}
        isBlocked={buyer.isUnknown}
      >
        <Panel title="Quote">
          <div className="editor-head">
            {isNew && (
              <SelectField
                label="Type"
                value={fields.quoteType}
                options={Object.entries(typeWords)}
                onChange={({ target }) => set({ quoteType: target.value as QuoteFields['quoteType'] })}
              />
            )}
            {buyer.field('No buyer chosen yet. A quote needs one before you send it.', ofHead.buyerId)}
            <TextField
              label="Date"
              type="date"
              required
              value={fields.quoteDate}
              onChange={({ target }) => set({ quoteDate: target.value })}
              fault={faults.quoteDate}
            />
            <TextField
              label="Valid until"
              hint="Leave it empty for a quote without an end."
              type="date"
              value={fields.validUntil}
              onChange={({ target }) => set({ validUntil: target.value })}
              fault={faults.validUntil}
            />
            <CurrencyField
              value={fields.currency}
              onChange={({ target }) => set({ currency: target.value })}
              fault={ofHead.currency}
            />
            <TextField
              label="Discount on the whole quote"
              inputMode="decimal"
              value={fields.allowance}
              onChange={({ target }) => set({ allowance: target.value })}
              fault={faults.allowanceAmount}
            />
          </div>
        </Panel>
        <Panel title="Lines">
          <LineList lines={lines} onChange={setLines} faults={ofLines} />
        </Panel>
        <Panel title="More details">
          <div className="editor-head">
            {quoteFields.map((one) => (
              <WrittenFieldInput
                key={one.name}
                of={one}
                value={fields.written[one.name] ?? ''}
                onChange={(value) => set({ written: { ...fields.written, [one.name]: value } })}
                fault={ofHead[one.name]}
              />
            ))}
          </div>
        </Panel>
      </FormWithLines>
      {buyer.dialog}
    </>
  )
}
