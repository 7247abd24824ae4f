import { storedHomeTax } from '../../kernel/exchange-rate.ts'
import { storedInstalment } from '../../kernel/instalments.ts'
import { aboutField, everyField } from '../../kernel/written-fields.ts'
import type { RowShape } from '../../platform/database/sql.ts'
import type { Invoice, InvoiceSummary } from './invoice.ts'
import { codesOn, storedLine, storedTaxGroup } from './stored-lines.ts'

/**
 * When a column is written. `once`: with the new document; `contents`: also whenever a draft is saved; `issuing`:
 * when a document is finalised or reopened; `progress`: by any later step, also after issue; `always`: each time.
 */
type WriteTime = 'once' | 'contents' | 'issuing' | 'progress' | 'always'
type SqlType = 'text' | 'uuid' | 'date' | 'time' | 'bigint' | 'json' | 'jsonb' | 'timestamptz'

type Visibility = 'in lists' | 'alone' | 'never'

interface Column<Where extends Visibility> {
  readonly type: SqlType
  readonly written: WriteTime
  /** whether lists, single documents or nothing shows it; hidden columns serve consumers of events */
  readonly shown: Where
}

const column = <Where extends Visibility>(type: SqlType, written: WriteTime, shown: Where): Column<Where> => ({
  type,
  written,
  shown,
})
const listed = (type: SqlType, written: WriteTime) => column(type, written, 'in lists')
const alone = (type: SqlType, written: WriteTime) => column(type, written, 'alone')

/** Fields that come from other rows or from counters of the database. */
type Elsewhere = 'buyerName' | 'buyerTaxId' | 'originalNumber' | 'version' | 'createdBy'
type ListedField = Exclude<keyof InvoiceSummary, Elsewhere> | 'createdByType' | 'createdById'
type LoneField = Exclude<keyof Invoice, keyof InvoiceSummary>

/**
 * Every field of a document that is its own column. Insert, update, select and the hot statements all follow this
 * list.
 */
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
  instalments: listed('json', 'contents'),
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
  ...everyField((name) => listed(aboutField(name).kind === 'day' ? 'date' : 'text', 'contents')),
  originalId: listed('uuid', 'once'),
  reason: listed('text', 'once'),
  authorityReference: listed('text', 'progress'),
  stamp: alone('text', 'progress'),
  exchangeRate: alone('text', 'contents'),
  homeTax: alone('jsonb', 'issuing'),
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

const columnNames = Object.fromEntries(
  fields.map((field) => [
    field,
    field === 'createdById' ? 'created_by' : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
) as Readonly<Record<InvoiceField, string>>
export const columnOf = (field: InvoiceField): string => columnNames[field]

const writtenWhen = (...when: readonly WriteTime[]): readonly InvoiceField[] =>
  fields.filter((field) => when.includes(invoiceColumns[field].written))

/** Fields of the insert; other columns begin with the table's defaults. */
export const insertedFields = writtenWhen('once', 'contents', 'always')
/** The contents of a draft. */
export const contentFields = writtenWhen('contents', 'always')
/** Everything that may change when a document is reopened. */
export const reopenedFields = writtenWhen('issuing', 'progress', 'always')
/** Everything that may change after issue. */
export const progressFields = writtenWhen('progress', 'always')
export const listedFields = fields.filter((field) => invoiceColumns[field].shown === 'in lists')
export const loneFields = fields.filter((field) => invoiceColumns[field].shown === 'alone')

/** The value of a field for the database; JSON is still an object. */
export function storedValue(invoice: Invoice, field: InvoiceField): unknown {
  if (field === 'lines') return invoice.lines.map(storedLine)
  if (field === 'codesAtCreation') return codesOn(invoice.lines)
  if (field === 'taxGroups') return invoice.taxGroups.map(storedTaxGroup)
  if (field === 'instalments') return invoice.instalments?.map(storedInstalment) ?? null
  if (field === 'homeTax') return invoice.homeTax && storedHomeTax(invoice.homeTax, invoice.currency)
  if (field === 'createdByType') return invoice.createdBy.type
  if (field === 'createdById') return invoice.createdBy.id
  return invoice[field]
}

export const isJson = (field: InvoiceField): boolean => ['json', 'jsonb'].includes(invoiceColumns[field].type)

/** The columns of a statement's input rows for these fields. */
export const shapeOf = (some: readonly InvoiceField[]): RowShape =>
  Object.fromEntries(some.map((field) => [columnOf(field), invoiceColumns[field].type]))
