import type { Buyer, Invoice, RecurringContentChange, RecurringSchedule } from '@risiti/sdk'
import { plainNumber } from '../../ui/money.ts'
import type { ChosenBuyer } from '../buyers/buyer-field.tsx'
import { type DraftLine, isBlank, newLine } from '../invoices/editor/draft-lines.ts'
import { writtenFields } from '../invoices/written-fields.ts'

type ScheduleText = Extract<(typeof writtenFields)[number], { readonly field: 'line' | 'paragraphs' }>
type TextName = ScheduleText['name']

/** The texts that a schedule can have: those with an input in the editor. */
export const scheduleTexts = writtenFields.filter((row): row is ScheduleText => 'field' in row && row.field !== 'day')

/** What the fields about the invoices of a schedule contain. */
export interface ContentFields {
  readonly buyer: ChosenBuyer | undefined
  readonly currency: string
  readonly policy: RecurringSchedule['policy']
  /** as typed; empty for invoices without a due date */
  readonly dueInDays: string
  readonly texts: Readonly<Record<TextName, string>>
}

const textsOf = (from: Readonly<Partial<Record<TextName, string | null>>>): ContentFields['texts'] =>
  Object.fromEntries(scheduleTexts.map(({ name }) => [name, from[name] ?? ''])) as ContentFields['texts']

export const emptyContent = (currency: string): ContentFields => ({
  buyer: undefined,
  currency,
  policy: 'draft',
  dueInDays: '14',
  texts: textsOf({}),
})

const dayMs = 86_400_000

/** The content of a schedule that makes invoices like this one. */
export const contentOfInvoice = (invoice: Invoice): ContentFields => ({
  ...emptyContent(invoice.currency),
  buyer: invoice.buyerId && invoice.buyer ? { id: invoice.buyerId, name: invoice.buyer.name } : undefined,
  dueInDays:
    invoice.dueDate === null
      ? ''
      : String(Math.round((Date.parse(invoice.dueDate) - Date.parse(invoice.invoiceDate)) / dayMs)),
  texts: textsOf(invoice),
})

/** Whether a schedule cannot have all amounts of this invoice. */
export const losesAmounts = ({ allowanceAmount, chargeAmount, lineItems }: Invoice): boolean =>
  [allowanceAmount, chargeAmount, ...lineItems.flatMap((line) => [line.discountAmount, line.feeAmount])].some(
    (amount) => amount !== null && amount !== undefined && Number(amount) !== 0,
  )

export const contentOfSchedule = (
  { invoice, policy, dueInDays }: RecurringSchedule,
  buyer: Pick<Buyer, 'id' | 'name'> | undefined,
): ContentFields => ({
  buyer: buyer && { id: buyer.id, name: buyer.name },
  currency: invoice.currency,
  policy,
  dueInDays: dueInDays === null ? '' : String(dueInDays),
  texts: textsOf(invoice),
})

export const linesOfSchedule = ({ invoice }: RecurringSchedule, usualTax: string): readonly DraftLine[] =>
  invoice.lineItems.map((line) => ({
    ...newLine(usualTax),
    itemId: line.itemId ?? undefined,
    description: line.description ?? '',
    kind: line.serviceCode === null ? 'goods' : 'service',
    code: line.hsnCode ?? line.serviceCode ?? '',
    quantity: line.quantity,
    unitCode: line.unitCode ?? '',
    unitPrice: line.unitPrice ?? '',
    taxCategory: line.taxCategory ?? usualTax,
    kept: { productCategory: line.productCategory },
  }))

/** `undefined` if nothing is written. */
const written = (text: string): string | undefined => text.trim() || undefined

/** A field of a saved item that is empty here comes from the item on the day of each invoice. */
const lineOf = (line: DraftLine): RecurringContentChange['invoice']['lineItems'][number] => ({
  itemId: line.itemId,
  description: written(line.description),
  quantity: plainNumber(line.quantity),
  unitCode: written(line.unitCode)?.toUpperCase(),
  unitPrice: written(plainNumber(line.unitPrice)),
  taxCategory: line.taxCategory,
  ...(line.kind === 'goods' ? { hsnCode: written(line.code) } : { serviceCode: written(line.code) }),
  productCategory: line.kept.productCategory ?? undefined,
})

/** The part of a request that says what a schedule makes. */
export const contentBody = (fields: ContentFields, lines: readonly DraftLine[]): RecurringContentChange => ({
  policy: fields.policy,
  // No check here: the service validates the values and names the fields.
  dueInDays: fields.dueInDays.trim() === '' ? null : Number(fields.dueInDays),
  invoice: {
    buyerId: fields.buyer?.id,
    currency: fields.currency,
    lineItems: lines.filter((line) => !isBlank(line)).map(lineOf),
    ...Object.fromEntries(scheduleTexts.map(({ name }) => [name, written(fields.texts[name])])),
  },
})
