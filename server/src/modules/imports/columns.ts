import type { ImportWords } from '../../jurisdictions/port.ts'
import { aboutField, writtenFieldNames } from '../../kernel/written-fields.ts'

export const importKinds = ['buyers', 'items', 'invoices'] as const
export type ImportKind = (typeof importKinds)[number]

/** How the text of a cell becomes the value of a field. */
export type Reads = 'text' | 'code' | 'day' | 'amount' | 'minor'

/** A field that a column can fill, by its name in the API request. */
export interface ImportField {
  readonly field: string
  readonly label: string
  readonly reads: Reads
  /** a file without this column cannot be imported */
  readonly isNeeded: boolean
  /** the field belongs to an invoice line; each row is a line */
  readonly isOfLine: boolean
  /** other names of the column, in lower case without punctuation */
  readonly alsoCalled: readonly string[]
}

type Options = Partial<Pick<ImportField, 'reads' | 'isNeeded' | 'isOfLine'>>

const field = (field: string, label: string, alsoCalled: string, options: Options = {}): ImportField => ({
  field,
  label,
  reads: 'text',
  isNeeded: false,
  isOfLine: false,
  alsoCalled: alsoCalled === '' ? [] : alsoCalled.split(', '),
  ...options,
})

const needed = { isNeeded: true } as const
const ofLine = { isOfLine: true } as const

/** The fields of every country. */
const commonFields: Readonly<Record<ImportKind, readonly ImportField[]>> = {
  buyers: [
    field(
      'name',
      'Name',
      'buyer, buyer name, customer, customer name, client, client name, company, business name',
      needed,
    ),
    field('legalName', 'Legal name', 'registered name'),
    field('taxId', 'Tax number', 'tax id, tax no, tax identification number, vat number', { reads: 'code' }),
    field('taxIdType', 'Kind of tax number', 'tax id type, tax number type', { reads: 'code' }),
    field('email', 'Email', 'e mail, mail, email address'),
    field('phone', 'Phone', 'telephone, mobile, phone number, tel'),
    field('address.line1', 'Address', 'address 1, address line 1, street, street address, line 1'),
    field('address.line2', 'Address, second line', 'address 2, address line 2, line 2'),
    field('address.city', 'City', 'town'),
    field('address.state', 'State', 'province, region'),
    field('address.postalCode', 'Postal code', 'postcode, zip, zip code, post code'),
    field('address.country', 'Country', 'country code', { reads: 'code' }),
    field('partyType', 'Kind of buyer', 'party type, buyer type, customer type, type', { reads: 'code' }),
    field('businessDescription', 'What the business does', 'business description, description, industry'),
    field('reference', 'Your reference', 'reference, code, customer code, customer id, account, account number'),
    field('language', 'Language', 'language code', { reads: 'code' }),
  ],
  items: [
    field('name', 'Name', 'item, item name, product, product name, service', needed),
    field('itemType', 'Goods or service', 'type, item type, kind', { reads: 'code' }),
    field('sku', 'SKU', 'code, item code, product code, stock code, article'),
    field('description', 'Description', 'details'),
    field('unitPriceMinor', 'Unit price', 'price, unit price, rate, selling price, sales price', {
      ...needed,
      reads: 'minor',
    }),
    field('currency', 'Currency', 'currency code', { reads: 'code' }),
    field('unitCode', 'Unit', 'unit code, uom, unit of measure', { reads: 'code' }),
    field('taxCategory', 'Tax category', 'tax, vat, tax code, vat code', { reads: 'code' }),
    field('productCategory', 'Category', 'product category, group, category name'),
    field('hsnCode', 'HS code', 'hsn, hs, hsn code, tariff, tariff code', { reads: 'code' }),
    field('serviceCode', 'Service code', 'isic, isic code', { reads: 'code' }),
  ],
  invoices: [
    field('invoiceNumber', 'Invoice number', 'invoice, invoice no, number, document number, inv no', { reads: 'code' }),
    field('buyerTaxId', 'Buyer’s tax number', 'tax id, buyer tax id, tax number', {
      reads: 'code',
    }),
    field('buyerName', 'Buyer', 'buyer name, customer, customer name, client, client name, bill to'),
    field('invoiceDate', 'Invoice date', 'date, issue date, invoice day', { ...needed, reads: 'day' }),
    field('dueDate', 'Due date', 'due, due on, payment due', { reads: 'day' }),
    field('supplyDate', 'Date of supply', 'supply date, delivery date', { reads: 'day' }),
    field('invoiceKind', 'Kind of invoice', 'invoice kind, kind', { reads: 'code' }),
    field('currency', 'Currency', 'currency code', { reads: 'code' }),
    ...writtenFieldNames.flatMap((name) => {
      const { importedAs, kind } = aboutField(name)
      return importedAs ? [field(name, ...importedAs, kind === 'day' ? { reads: 'day' } : {})] : []
    }),
    field('sku', 'SKU of a saved item', 'sku, item code, product code, stock code', ofLine),
    field('description', 'Description', 'item, item description, line description, product, details', ofLine),
    field('quantity', 'Quantity', 'qty, units', { ...needed, ...ofLine, reads: 'amount' }),
    field('unitPrice', 'Unit price', 'price, rate', { ...ofLine, reads: 'amount' }),
    field('unitCode', 'Unit', 'unit code, uom', { ...ofLine, reads: 'code' }),
    field('discountAmount', 'Discount', 'discount amount', { ...ofLine, reads: 'amount' }),
    field('feeAmount', 'Fee', 'fee amount, charge', { ...ofLine, reads: 'amount' }),
    field('taxCategory', 'Tax category', 'tax, vat, tax code, vat code', { ...ofLine, reads: 'code' }),
    field('hsnCode', 'HS code', 'hsn, hs, hsn code', { ...ofLine, reads: 'code' }),
    field('isicCode', 'Service code', 'isic, isic code, service code', { ...ofLine, reads: 'code' }),
    field('productCategory', 'Category', 'product category', ofLine),
  ],
}

/** The fields that a file can fill, with the columns and the names of columns that a country adds. */
export function importFields(kind: ImportKind, words: ImportWords | undefined): readonly ImportField[] {
  const added = kind === 'buyers' ? (words?.buyerColumns ?? []) : []
  return commonFields[kind].flatMap((common) => [
    { ...common, alsoCalled: [...common.alsoCalled, ...(words?.columnNames[common.field] ?? [])] },
    ...added
      .filter(({ after }) => after === common.field)
      .map((one) => ({ ...field(one.field, one.label, ''), alsoCalled: one.columnNames })),
  ])
}

/** The field of each column: its name, or none. */
export interface MatchedColumn {
  readonly column: string
  readonly field: string | null
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Matches by label or field name first, then by other names; each field gets one column. */
export function matchColumns(
  kind: ImportKind,
  header: readonly string[],
  words: ImportWords | undefined,
): MatchedColumn[] {
  const fields = importFields(kind, words)
  const taken = new Map<number, string>()
  const byName: ((field: ImportField) => readonly string[])[] = [
    ({ field, label }) => [plain(label), plain(field), plain(field.replace(/([A-Z])/g, ' $1'))],
    ({ alsoCalled }) => alsoCalled,
  ]
  for (const namesOf of byName)
    for (const one of fields) {
      if ([...taken.values()].includes(one.field)) continue
      const at = header.findIndex((column, index) => !taken.has(index) && namesOf(one).includes(plain(column)))
      if (at !== -1) taken.set(at, one.field)
    }
  return header.map((column, at) => ({ column, field: taken.get(at) ?? null }))
}
