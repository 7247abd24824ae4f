import type { RowShape } from '../../platform/database/sql.ts'
import type { Invoice, InvoiceSummary } from './invoice.ts'
import { codesOn, storedLine, storedTaxGroup } from './stored-lines.ts'

/**
 * When a column is written: `once` with the new document; `contents` also whenever a draft is saved; `issuing` when a draft becomes a
 * document or a draft again; `progress` by whatever happens to it, the issued one too; `always` each time.
 */
type Written = 'once' | 'contents' | 'issuing' | 'progress' | 'always'
type SqlType = 'text' | 'uuid' | 'date' | 'time' | 'bigint' | 'json' | 'jsonb' | 'timestamptz'

type Shown = 'in lists' | 'alone' | 'never'

interface Column<Where extends Shown> {
  readonly type: SqlType
  readonly written: Written
  /** lists leave out what only a single document shows; what is never shown is written for those who follow the documents */
  readonly shown: Where
}

const column = <Where extends Shown>(type: SqlType, written: Written, shown: Where): Column<Where> => ({
  type,
  written,
  shown,
})
const listed = (type: SqlType, written: Written) => column(type, written, 'in lists')
const alone = (type: SqlType, written: Written) => column(type, written, 'alone')

/** What other rows say of a document, and what the database counts. */
type Elsewhere = 'buyerName' | 'buyerTaxId' | 'originalNumber' | 'version' | 'createdBy'
type ListedField = Exclude<keyof InvoiceSummary, Elsewhere> | 'createdByType' | 'createdById'
type LoneField = Exclude<keyof Invoice, keyof InvoiceSummary>

/** Every field of a document that is a column of its own: insert, update, select and the hot statements all go by this list. */
export const invoiceColumns: { readonly [Field in ListedField]: Column<'in lists'> } & {
  readonly [Field in LoneField]: Column<'alone'>
} & { readonly codesAtCreation: Column<'never'> } = {
  id: listed('uuid', 'once'),
  number: listed('text', 'contents'),
  type: listed('text', 'once'),
  kind: listed('text', 'contents'),
  status: listed('text', 'progress'),
  sellerId: listed('uuid', 'contents'),
  buyerId: listed('uuid', 'contents'),
  issueDate: listed('date', 'contents'),
  issueTime: listed('time', 'contents'),
  dueDate: listed('date', 'contents'),
  supplyDate: listed('date', 'contents'),
  currency: listed('text', 'contents'),
  lines: alone('json', 'contents'),
  codesAtCreation: column('json', 'once', 'never'),
  taxGroups: listed('json', 'contents'),
  netMinor: listed('bigint', 'contents'),
  allowanceMinor: listed('bigint', 'contents'),
  chargeMinor: listed('bigint', 'contents'),
  taxMinor: listed('bigint', 'contents'),
  roundingMinor: listed('bigint', 'contents'),
  payableMinor: listed('bigint', 'contents'),
  paidMinor: listed('bigint', 'progress'),
  creditedMinor: listed('bigint', 'progress'),
  declaredPaymentStatus: listed('text', 'contents'),
  paymentTerms: listed('text', 'contents'),
  notes: listed('text', 'contents'),
  purchaseOrderReference: listed('text', 'contents'),
  buyerReference: listed('text', 'contents'),
  accountingCost: listed('text', 'contents'),
  originalId: listed('uuid', 'once'),
  reason: listed('text', 'once'),
  irn: listed('text', 'progress'),
  qrText: alone('text', 'progress'),
  delivery: listed('text', 'progress'),
  sellerCopy: alone('jsonb', 'issuing'),
  buyerCopy: alone('jsonb', 'issuing'),
  letterheadCopy: alone('jsonb', 'issuing'),
  finalisedAt: listed('timestamptz', 'issuing'),
  submittedAt: listed('timestamptz', 'progress'),
  reportDueAt: listed('timestamptz', 'issuing'),
  reportedAt: listed('timestamptz', 'progress'),
  sentAt: listed('timestamptz', 'progress'),
  sharedAt: listed('timestamptz', 'progress'),
  createdByType: listed('text', 'once'),
  createdById: listed('uuid', 'once'),
  createdAt: listed('timestamptz', 'once'),
  updatedAt: listed('timestamptz', 'always'),
}
export type InvoiceField = keyof typeof invoiceColumns
const fields = Object.keys(invoiceColumns) as InvoiceField[]

/** `issue_date` for `issueDate`. */
const columnNames = Object.fromEntries(
  fields.map((field) => [
    field,
    field === 'createdById' ? 'created_by' : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
) as Readonly<Record<InvoiceField, string>>
export const columnOf = (field: InvoiceField): string => columnNames[field]

const writtenWhen = (...when: readonly Written[]): readonly InvoiceField[] =>
  fields.filter((field) => when.includes(invoiceColumns[field].written))

/** A new document says these; the others begin as the table has them. */
export const insertedFields = writtenWhen('once', 'contents', 'always')
/** What a draft says. */
export const contentFields = writtenWhen('contents', 'always')
/** Everything that may change while it is a draft, or becomes one, or stops being one. */
export const savedFields = writtenWhen('contents', 'issuing', 'progress', 'always')
/** All that still changes once it is issued. */
export const progressFields = writtenWhen('progress', 'always')
export const listedFields = fields.filter((field) => invoiceColumns[field].shown === 'in lists')
export const loneFields = fields.filter((field) => invoiceColumns[field].shown === 'alone')

/** What the database is given for a field; JSON is still an object. */
export function storedValue(invoice: Invoice, field: InvoiceField): unknown {
  if (field === 'lines') return invoice.lines.map(storedLine)
  if (field === 'codesAtCreation') return codesOn(invoice.lines)
  if (field === 'taxGroups') return invoice.taxGroups.map(storedTaxGroup)
  if (field === 'createdByType') return invoice.createdBy.type
  if (field === 'createdById') return invoice.createdBy.id
  return invoice[field]
}

export const isJson = (field: InvoiceField): boolean => ['json', 'jsonb'].includes(invoiceColumns[field].type)

/** Rows of some fields, as a statement is given them. */
export const shapeOf = (some: readonly InvoiceField[]): RowShape =>
  Object.fromEntries(some.map((field) => [columnOf(field), invoiceColumns[field].type]))
