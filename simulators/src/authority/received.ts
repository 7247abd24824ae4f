import { randomBytes } from 'node:crypto'
import { companyNameFrom, digitsFrom, hexFrom, uuidFrom } from './derived.ts'
import { invalid } from './envelope.ts'
import { checkInvoice } from './invoice-rules.ts'
import type { Fields } from './routes.ts'

interface Line {
  readonly description: string
  readonly quantity: number
  readonly unitPrice: number
  readonly hsnCode?: string
  readonly isicCode?: string
}

const usualLines: readonly Line[] = [
  { description: 'Office tables', quantity: 4, unitPrice: 45_000, hsnCode: '9403.60' },
]
const vatPercent = 7.5

const rounded = (amount: number): number => Math.round(amount * 100) / 100

/**
 * An invoice from another business to one of ours. Only `buyerTin` is required. A whole `document` in the authority's
 * JSON is accepted if the authority would sign it. `unchecked: true` skips this check, because the real authority has
 * let odd documents through.
 */
export function receivedInvoice(fields: Fields, today: string): Fields {
  const { document } = fields
  const whole = typeof document === 'object' && document !== null ? (document as Fields) : composed(fields, today)
  if (fields.unchecked !== true) checkInvoice(whole)
  return whole
}

function composed(fields: Fields, today: string): Fields {
  const text = (name: string, otherwise: string): string => {
    const value = fields[name] ?? otherwise
    if (typeof value !== 'string') throw invalid(`${name} must be a text`)
    return value
  }
  const buyerTin = text('buyerTin', '')
  if (buyerTin === '') throw invalid('buyerTin is required')
  const supplierName = text('supplierName', companyNameFrom(randomBytes(8).toString('hex')))
  const supplierTin = text('supplierTin', `${digitsFrom(supplierName, 8)}-0001`)
  const number = text('number', `RX${randomBytes(4).toString('hex').toUpperCase()}`)
  const issueDate = text('issueDate', today)
  const currency = text('currency', 'NGN')
  const lines = linesIn(fields.lines)
  const net = rounded(lines.reduce((sum, { quantity, unitPrice }) => sum + rounded(quantity * unitPrice), 0))
  const tax = rounded((net * vatPercent) / 100)
  const corrects = fields.corrects
  return {
    business_id: uuidFrom(`supplier ${supplierTin}`),
    irn: `${number.replace(/[^A-Za-z0-9]/g, '').toUpperCase()}-${hexFrom(`service ${supplierTin}`, 8).toUpperCase()}-${issueDate.replaceAll('-', '')}`,
    issue_date: issueDate,
    ...(fields.dueDate === undefined ? {} : { due_date: text('dueDate', '') }),
    invoice_type_code: text('typeCode', '381'),
    invoice_kind: 'B2B',
    payment_status: 'PENDING',
    document_currency_code: currency,
    tax_currency_code: currency,
    ...(typeof corrects === 'string' ? { billing_reference: [{ irn: corrects, issue_date: issueDate }] } : {}),
    accounting_supplier_party: partyOf(supplierName, supplierTin),
    accounting_customer_party: partyOf(text('buyerName', companyNameFrom(buyerTin)), buyerTin),
    tax_total: [
      {
        tax_amount: tax,
        tax_subtotal: [
          { taxable_amount: net, tax_amount: tax, tax_category: { id: 'STANDARD_VAT', percent: vatPercent } },
        ],
      },
    ],
    legal_monetary_total: {
      line_extension_amount: net,
      tax_exclusive_amount: net,
      tax_inclusive_amount: rounded(net + tax),
      payable_amount: rounded(net + tax),
    },
    invoice_line: lines.map(lineOf),
  }
}

function linesIn(value: unknown): readonly Line[] {
  if (value === undefined) return usualLines
  if (!Array.isArray(value) || value.length === 0) throw invalid('lines must be a list')
  return value.map((line: Partial<Line> | null, at) => {
    const { description, quantity = 1, unitPrice } = line ?? {}
    if (typeof description !== 'string' || typeof quantity !== 'number' || typeof unitPrice !== 'number')
      throw invalid(`lines[${at}] must have a description, a quantity and a unitPrice`)
    return { ...line, description, quantity, unitPrice }
  })
}

const lineOf = ({ description, quantity, unitPrice, hsnCode, isicCode }: Line): Fields => ({
  ...(isicCode === undefined
    ? { hsn_code: hsnCode ?? '9403.60', product_category: description }
    : { isic_code: isicCode, service_category: description }),
  discount_rate: 0,
  discount_amount: 0,
  fee_rate: 0,
  fee_amount: 0,
  invoiced_quantity: quantity,
  line_extension_amount: rounded(quantity * unitPrice),
  item: { name: description, description },
  price: { price_amount: unitPrice, base_quantity: 1, price_unit: 'EA' },
})

const partyOf = (name: string, tin: string): Fields => ({
  party_name: name,
  tin,
  email: `accounts-${digitsFrom(tin, 6)}@taxpayer.example`,
  telephone: `+234800${digitsFrom(`phone ${tin}`, 7)}`,
  postal_address: { street_name: '1 Market Street', city_name: 'Lagos', postal_zone: '100001', country: 'NG' },
})
