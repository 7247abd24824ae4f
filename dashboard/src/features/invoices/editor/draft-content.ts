import type { Invoice, NewInvoice } from '@risiti/sdk'
import { today } from '../../../ui/dates.ts'
import { plainNumber } from '../../../ui/money.ts'
import type { ChosenBuyer } from '../../buyers/buyer-field.tsx'
import { sentFields, type WrittenValues, writtenWith } from '../written-fields.ts'
import { type DraftInstalments, instalmentsOf, noInstalments, sentInstalments } from './draft-instalments.ts'
import { type DraftLine, isBlank, sentLine } from './draft-lines.ts'

export interface Head {
  readonly buyer: ChosenBuyer | undefined
  /** a typed name that belongs to no chosen buyer; empty otherwise */
  readonly unknownBuyer: string
  /** empty: follows from the buyer */
  readonly kind: string
  readonly invoiceDate: string
  /** not sent if there are instalments */
  readonly dueDate: string
  readonly instalments: DraftInstalments
  readonly currency: string
  /** not sent in the country's own currency */
  readonly exchangeRate: string
  /** the written fields as typed. A local draft of an earlier version of the page may lack some. */
  readonly texts: Partial<WrittenValues<string>>
}

/** The content of the editor at one moment. */
export interface DraftContent {
  readonly head: Head
  readonly lines: readonly DraftLine[]
}

export const isSame = (one: DraftContent, other: DraftContent) => one.head === other.head && one.lines === other.lines

export const headOf = (invoice: Invoice | undefined, currency: string): Head => ({
  buyer: invoice?.buyerId && invoice.buyer ? { id: invoice.buyerId, name: invoice.buyer.name } : undefined,
  unknownBuyer: '',
  kind: invoice?.invoiceKind ?? '',
  invoiceDate: invoice?.invoiceDate ?? today(),
  dueDate: invoice?.dueDate ?? '',
  instalments: invoice ? instalmentsOf(invoice) : noInstalments,
  currency: invoice?.currency ?? currency,
  exchangeRate: invoice?.exchangeRate ?? '',
  texts: writtenWith((name) => invoice?.[name] ?? ''),
})

const orNull = (typed: string) => typed.trim() || null

/** Merges the fields into the draft, because the page has no field for some of the draft's values. */
export const bodyOf = (before: NewInvoice | undefined, { head, lines }: DraftContent): NewInvoice => ({
  ...before,
  buyerId: head.buyer?.id ?? null,
  // No check here: the service validates the values and names the fields.
  invoiceKind: (head.kind as NewInvoice['invoiceKind'] | '') || (head.buyer ? 'B2B' : 'B2C'),
  invoiceDate: head.invoiceDate,
  dueDate: head.instalments.rows.length > 0 ? undefined : orNull(head.dueDate),
  instalments: sentInstalments(head.instalments),
  currency: head.currency.trim().toUpperCase() as NewInvoice['currency'],
  exchangeRate: orNull(plainNumber(head.exchangeRate)),
  ...sentFields((name) => head.texts[name], before),
  lineItems: lines.filter((line) => !isBlank(line)).map(sentLine),
})
