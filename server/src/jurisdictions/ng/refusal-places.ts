import { writtenFieldNames } from '../../kernel/written-fields.ts'

/** Looked up by the authority's words: without a prototype, `constructor` is an unknown word like any other. */
const places = (known: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.assign(Object.create(null), known)

/** The authority's field names, and the places in our document. Both are compared by letters and digits only. */
const headFields = places({
  ...Object.fromEntries(writtenFieldNames.map((name) => [name.toLowerCase(), name])),
  irn: 'invoiceNumber',
  invoicereference: 'invoiceNumber',
  issuedate: 'invoiceDate',
  duedate: 'dueDate',
  issuetime: 'issueTime',
  invoicetypecode: 'invoiceType',
  invoicekind: 'invoiceKind',
  note: 'notes',
  taxpointdate: 'supplyDate',
  actualdeliverydate: 'supplyDate',
  startdate: 'periodStart',
  enddate: 'periodEnd',
  documentcurrencycode: 'currency',
  taxcurrencycode: 'currency',
  orderreference: 'purchaseOrderReference',
  billingreference: 'originalInvoiceNumber',
  paymenttermsnote: 'paymentTerms',
  allowancecharge: 'allowanceAmount',
  paymentstatus: 'paymentStatus',
  taxtotal: 'taxMinor',
  legalmonetarytotal: 'payableMinor',
  accountingsupplierparty: 'sellerId',
  accountingcustomerparty: 'buyerId',
  invoiceline: 'lineItems',
})

const partyFields = places({
  partyname: 'name',
  tin: 'taxId',
  email: 'email',
  telephone: 'phone',
  businessdescription: 'businessDescription',
  postaladdress: 'address',
  streetname: 'address.line1',
  cityname: 'address.city',
  postalzone: 'address.postalCode',
  state: 'address.state',
  lga: 'address.lga',
  country: 'address.country',
})

const lineFields = places({
  hsncode: 'hsnCode',
  productcategory: 'productCategory',
  isiccode: 'isicCode',
  servicecategory: 'serviceCategory',
  discountamount: 'discountAmount',
  discountrate: 'discountAmount',
  feeamount: 'feeAmount',
  feerate: 'feeAmount',
  invoicedquantity: 'quantity',
  lineextensionamount: 'netMinor',
  name: 'itemName',
  description: 'description',
  item: 'description',
  priceamount: 'unitPrice',
  price: 'unitPrice',
  priceunit: 'unitCode',
  basequantity: 'quantity',
})

const sides = places({ accountingsupplierparty: 'seller', accountingcustomerparty: 'buyer' })

interface Segment {
  readonly name: string
  readonly index: number | undefined
}

function segmentIn(text: string): Segment {
  const [, name = '', index] = /^([^[]*)(?:\[(\d{1,6})\])?/.exec(text) ?? []
  return { name: lettersIn(name), index: index === undefined ? undefined : Number(index) }
}

export const lettersIn = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The authority's paths begin with these names. */
const wrappers: readonly string[] = ['invoicerequest', 'invoice']

/** The place in our document for a path of the authority; `undefined` if there is none. */
export function placeOf(path: string): string | undefined {
  const all = path.split('.').map(segmentIn)
  const segments = all.slice(
    Math.max(
      0,
      all.findIndex(({ name }) => !wrappers.includes(name)),
    ),
  )
  const last = segments.at(-1)?.name ?? ''
  const side = segments.find(({ name }) => sides[name] !== undefined)?.name
  if (side !== undefined && last !== side) {
    const field = partyFields[last]
    return field === undefined ? undefined : `${sides[side]}.${field}`
  }
  const line = segments.find(({ name }) => name === 'invoiceline')
  // The authority's lines have no taxes; in our document the categories belong to the lines.
  if (segments.some(({ name }) => name === 'taxcategory')) return 'lineItems'
  const isOfLine = line !== undefined || (headFields[last] === undefined && lineFields[last] !== undefined)
  if (isOfLine && last !== 'invoiceline') {
    const field = lineFields[last]
    if (field === undefined) return undefined
    return line?.index === undefined ? 'lineItems' : `lineItems[${line.index}].${field}`
  }
  if (line?.index !== undefined) return `lineItems[${line.index}]`
  return segments.map(({ name }) => headFields[name]).find((place) => place !== undefined)
}
