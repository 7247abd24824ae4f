import type { Buyer, Invoice, Item } from '@risiti/sdk'
import { risiti } from '../../api/client.ts'
import { decimalOfMinorText } from '../../ui/money.ts'
import type { Kind } from './kinds.ts'

type Rows = (string | null)[][]

/** The row limit of an import. */
const most = 5_000

/** `districtName`: what the country calls the part of an address below the state. */
const buyerHeader = (districtName: string | null) => [
  ...['Name', 'Tax number', 'Kind of tax number', 'Email', 'Phone', 'Address', 'Address, second line', 'City', 'State'],
  ...[districtName ?? 'District', 'Postal code', 'Country', 'Kind of buyer', 'Your reference'],
]
const buyerRow = ({ address, ...buyer }: Buyer): Rows[number] => [
  buyer.name,
  buyer.taxId,
  buyer.taxIdType,
  buyer.email,
  buyer.phone,
  address?.line1 ?? null,
  address?.line2 ?? null,
  address?.city ?? null,
  address?.state ?? null,
  address?.lga ?? null,
  address?.postalCode ?? null,
  address?.country ?? null,
  buyer.partyType,
  buyer.reference,
]

const itemHeader = [
  'Name',
  'Goods or service',
  'SKU',
  'Description',
  'Unit price',
  'Currency',
  'Unit',
  'Tax category',
].concat(['Category', 'HS code', 'Service code'])
const itemRow = (item: Item): Rows[number] => [
  item.name,
  item.itemType,
  item.sku,
  item.description,
  decimalOfMinorText(item.unitPriceMinor, item.currency),
  item.currency,
  item.unitCode,
  item.taxCategory,
  item.productCategory,
  item.hsnCode,
  item.serviceCode,
]

const invoiceHeader = [
  'Invoice number',
  'Status',
  'Buyer',
  'Buyer’s tax number',
  'Invoice date',
  'Due date',
  'Currency',
].concat(['Description', 'Quantity', 'Unit price', 'Unit', 'Discount', 'Tax category', 'HS code', 'Service code'])
const invoiceRows = (invoice: Invoice): Rows =>
  invoice.lineItems.map((line) => [
    invoice.invoiceNumber,
    invoice.status,
    invoice.buyer?.name ?? null,
    invoice.buyer?.taxId ?? null,
    invoice.invoiceDate,
    invoice.dueDate,
    invoice.currency,
    line.description,
    line.quantity,
    line.unitPrice,
    line.unitCode,
    line.discountAmount,
    line.taxCategory,
    line.hsnCode,
    line.isicCode,
  ])

export interface ExportTable {
  readonly header: readonly string[]
  readonly rows: Rows
  /** whether rows beyond the limit were left out */
  readonly isCut: boolean
}

/** All rows of a kind, in columns that an import accepts. Reports its progress. */
export async function exportRows(
  kind: Kind,
  districtName: string | null,
  onProgress: (count: number) => void,
): Promise<ExportTable> {
  const rows: Rows = []
  let count = 0
  const isFull = () => {
    if (++count % 100 === 0) onProgress(count)
    return count > most
  }
  if (kind === 'buyers') {
    for await (const buyer of risiti.buyers.list({ limit: 100 })) {
      if (isFull()) break
      rows.push(buyerRow(buyer))
    }
    return { header: buyerHeader(districtName), rows, isCut: count > most }
  }
  if (kind === 'items') {
    for await (const item of risiti.items.list({ limit: 100, archived: 'false', sort: 'name' })) {
      if (isFull()) break
      rows.push(itemRow(item))
    }
    return { header: itemHeader, rows, isCut: count > most }
  }
  for await (const { id } of risiti.invoices.list({ limit: 100 })) {
    if (isFull()) break
    rows.push(...invoiceRows(await risiti.invoices.get(id)))
  }
  return { header: invoiceHeader, rows, isCut: count > most }
}
