import type { Jurisdiction } from '../../../jurisdictions/port.ts'
import { decimalText } from '../../../kernel/decimal.ts'
import { faultsOfHomeTotal, faultsOfRate } from '../../../kernel/exchange-rate.ts'
import type { Instalment } from '../../../kernel/instalments.ts'
import { taxDay } from '../../../kernel/invoice-document.ts'
import { currencyDigits } from '../../../kernel/money-words.ts'
import { type Fault, invalid } from '../../../kernel/refusals.ts'
import { faultsOfInstalments, resolveInstalments } from '../../../kernel/resolve-instalments.ts'
import { faultsOfDays } from '../../../kernel/written-fields.ts'
import type { Item, ItemId } from '../../items/index.ts'
import type { CodeLists } from '../../reference/index.ts'
import { faultsOf, type Totals, totalsOf } from '../amounts/totals.ts'
import type { InvoiceLine } from '../invoice.ts'
import { normalisedNumber } from '../numbers.ts'
import type { DraftInput } from './draft.ts'
import { minorUnitsIn, resolveLines } from './resolve-lines.ts'

/** The largest total of a document, so that every sum of amounts stays exact wherever it is read. */
const largestTotalMinor = 10n ** 15n

export interface DraftContext {
  readonly jurisdiction: Pick<
    Jurisdiction,
    'country' | 'currency' | 'taxCategoryAliases' | 'taxRateOn' | 'invoiceKinds' | 'invoiceCurrencies'
  >
  readonly codeLists: Pick<CodeLists, 'list'>
  readonly items: ReadonlyMap<ItemId, Item>
}

export interface ResolvedDraft {
  readonly lines: readonly InvoiceLine[]
  readonly totals: Totals
  readonly instalments: readonly Instalment[] | null
  /** the due date of the last instalment, or the one that was sent */
  readonly dueDate: string | null
}

type CheckedFields = Omit<DraftInput, 'type'> & {
  readonly type?: DraftInput['type']
  /** the day whose tax rates apply, if it is not the draft's own */
  readonly taxedOn?: string | undefined
}

const fault = (path: string, rule: string, message: string): Fault => ({ path, rule, message })

/** The amounts of a draft, with every code resolved; or all of its faults at once. */
export function resolveDraft(input: CheckedFields, context: DraftContext): ResolvedDraft {
  const { jurisdiction, codeLists, items } = context
  const { issueDate, currency, exchangeRate } = input
  const home = jurisdiction.currency
  const faults: Fault[] = []
  const kinds: string[] = jurisdiction.invoiceKinds.map(({ kind }) => kind)
  if (input.kind !== undefined && !kinds.includes(input.kind))
    faults.push(fault('invoiceKind', 'enum', `must be one of ${kinds.join(', ')}`))
  const { invoiceCurrencies } = jurisdiction
  if (!invoiceCurrencies.includes(currency))
    faults.push(fault('currency', 'enum', `must be one of ${invoiceCurrencies.join(', ')}`))
  if (exchangeRate) faults.push(...faultsOfRate(exchangeRate, currency, home))
  if (input.number !== undefined && normalisedNumber(input.number) === '')
    faults.push(fault('invoiceNumber', 'number', 'must contain a letter or a digit'))
  if (input.dueDate != null && input.dueDate < issueDate)
    faults.push(fault('dueDate', 'date', 'must not be before the issue date'))
  faults.push(...faultsOfDays(input))
  if (input.instalments) faults.push(...faultsOfInstalments(input.instalments, input))
  const isNote = input.type === 'credit_note' || input.type === 'debit_note'
  if (isNote && input.originalNumber === undefined)
    faults.push(
      fault(
        'originalInvoiceNumber',
        'required',
        'is required on a note: send the number of the invoice that it corrects',
      ),
    )
  if (input.type !== undefined && !isNote && input.originalNumber !== undefined)
    faults.push(fault('originalInvoiceNumber', 'unwanted', 'must be left out unless the document is a note'))
  const resolved = resolveLines(input.lines, {
    jurisdiction,
    codeLists,
    items,
    taxDay: input.taxedOn ?? taxDay(input),
    currency,
  })
  faults.push(...resolved.faults)
  const minorAt = minorUnitsIn(currency, faults)
  const amounts = {
    lines: resolved.lines,
    allowanceMinor: minorAt('allowanceAmount', input.allowance),
    chargeMinor: minorAt('chargeAmount', input.charge),
  }
  const tooMuch = resolved.lines.flatMap(({ grossMinor }, at) =>
    grossMinor > largestTotalMinor
      ? [fault(`lineItems[${at}]`, 'maximum', 'exceeds the largest amount of a line')]
      : [],
  )
  const digits = currencyDigits(currency)
  faults.push(...tooMuch, ...faultsOf(amounts, digits))
  if (faults.length > 0) throw invalid(faults)
  const totals = totalsOf(amounts, digits)
  if (totals.payableMinor > largestTotalMinor)
    throw invalid([fault('lineItems', 'maximum', 'exceed the largest total of a document')])
  const foreign = { currency, payableMinor: totals.payableMinor }
  const tooHigh = exchangeRate ? faultsOfHomeTotal(foreign, { rate: decimalText(exchangeRate) }, home) : []
  if (tooHigh.length > 0) throw invalid(tooHigh)
  const parts = input.instalments ? resolveInstalments(input.instalments, totals.payableMinor, currency) : undefined
  if (parts && parts.faults.length > 0) throw invalid(parts.faults)
  const instalments = parts?.instalments ?? null
  return { lines: resolved.lines, totals, instalments, dueDate: instalments?.at(-1)?.dueDate ?? input.dueDate ?? null }
}
