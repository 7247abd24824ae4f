import { invalid } from './envelope.ts'
import { lists } from './resources/lists.ts'
import type { Fields } from './routes.ts'

/** The first thing that is wrong, in the authority's grammar: a path in small letters without underscores, and a rule. */
const wrong = (path: string, rule: string): never => {
  const place = path === '' ? '' : `.${path.replaceAll('_', '').toLowerCase()}`
  throw invalid(`invoicerequest.invoice${place} ${rule}`)
}

const codesOf = (entries: readonly Readonly<Record<string, unknown>>[]): Set<string> =>
  new Set(entries.map(({ code }) => String(code).trim()))
const types = codesOf(lists['invoice-types'])
const currencies = codesOf(lists.currencies)
const taxCategories = codesOf(lists['tax-categories'])
const kinds = ['B2B', 'B2C', 'B2G']
const notes = ['380', '384']

const see = 'refer to the invoice resource apis'
export const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Everything that the authority looks at before it signs, in the order in which it does. */
export function checkInvoice(invoice: Fields): void {
  const field = fieldsAt(invoice, '')
  const businessId = field.text('business_id')
  if (!uuid.test(businessId)) throw invalid(`invalid UUID length: ${businessId.length}`)
  checkIrn(field.text('irn'), field.day('issue_date'))
  field.perhapsDay('due_date')
  field.perhapsDay('tax_point_date')
  field.perhapsDay('actual_delivery_date')
  if (invoice.invoice_delivery_period !== undefined) {
    const period = fieldsAt(field.object('invoice_delivery_period'), 'invoice_delivery_period')
    period.day('start_date')
    period.day('end_date')
  }
  const type = field.text('invoice_type_code')
  if (!types.has(type)) wrong('invoice_type_code', `must be a valid invoice type, ${see}`)
  const kind = field.text('invoice_kind')
  if (!kinds.includes(kind)) wrong('invoice_kind', 'must be a valid invoice kind')
  for (const name of ['document_currency_code', 'tax_currency_code'])
    if (!currencies.has(field.text(name))) wrong(name, `must be a valid currency code, ${see}`)
  if (notes.includes(type)) field.list('billing_reference')
  checkParty(field.object('accounting_supplier_party'), 'accounting_supplier_party')
  // A consumer's may be left out, or be empty.
  const customer = invoice.accounting_customer_party
  if (kind !== 'B2C' || (typeof customer === 'object' && customer !== null && Object.keys(customer).length > 0))
    checkParty(field.object('accounting_customer_party'), 'accounting_customer_party')
  const lineSum = checkLines(field.list('invoice_line'))
  checkTotals(invoice, lineSum, type)
}

const irnShape = /^[A-Z0-9]{1,50}-[A-Z0-9]{8}-(\d{8})$/
export const serviceIdIn = (irn: string): string => irn.split('-')[1] ?? ''

export const wrongIrn = () => invalid('irn validation failed for this business, refer to the template and try again')

/** The day in it is the day of issue. */
export function checkIrn(irn: string, issueDate?: string): void {
  const [, day] = irnShape.exec(irn) ?? []
  if (day === undefined || (issueDate !== undefined && day !== issueDate.replaceAll('-', ''))) throw wrongIrn()
}

function checkParty(party: Fields, path: string): void {
  const field = fieldsAt(party, path)
  field.text('party_name')
  const tin = field.text('tin')
  if (tin.length < 5) wrong(`${path}.tin`, 'must be at least in length or value 5')
  if (!/^[^\s@]+@[^\s@]+$/.test(field.text('email'))) wrong(`${path}.email`, 'must be a valid email')
  const { telephone, business_description: description } = party
  if (telephone !== undefined && !String(telephone).startsWith('+'))
    wrong(`${path}.telephone`, 'must be a valid telephone number')
  if (description !== undefined && String(description).length < 5)
    wrong(`${path}.business_description`, 'must be at least in length or value 5')
  const address = fieldsAt(field.object('postal_address'), `${path}.postal_address`)
  address.text('street_name')
  address.text('city_name')
  address.text('country')
}

/** Answers what they come to, in hundredths. */
function checkLines(lines: readonly unknown[]): number {
  if (lines.length === 0) wrong('invoice_line', 'is required')
  return lines.reduce<number>((sum, line, at) => {
    const path = `invoice_line[${at}]`
    if (typeof line !== 'object' || line === null) return wrong(path, 'is required')
    return sum + checkLine(line as Fields, path)
  }, 0)
}

function checkLine(line: Fields, path: string): number {
  const field = fieldsAt(line, path)
  const item = fieldsAt(field.object('item'), `${path}.item`)
  item.text('name')
  item.text('description')
  if (line.hsn_code !== undefined && line.isic_code !== undefined)
    wrong(`${path}.isic_code`, 'can not be used with hsn_code')
  if (line.isic_code !== undefined) {
    if (!/^\d{4}$/.test(field.text('isic_code'))) wrong(`${path}.isic_code`, `must be a valid isic code, ${see}`)
    if (line.service_category === undefined)
      throw invalid(
        `invoicerequest.invoice.${path.replaceAll('_', '')}.service_category is required when isic_code is provided`,
      )
  } else {
    if (!/^\d{4}\.\d{2}(\d{2})?$/.test(field.text('hsn_code')))
      wrong(`${path}.hsn_code`, `must be a valid hsn code, ${see}`)
    field.text('product_category')
  }
  if (field.number('invoiced_quantity') <= 0)
    wrong(`${path}.invoiced_quantity`, 'must be at least in length or value 0')
  const price = fieldsAt(field.object('price'), `${path}.price`)
  price.number('price_amount')
  if (price.text('price_unit').length > 3)
    wrong(`${path}.price.price_unit`, 'can not be more than in length or value 3')
  return hundredths(field.number('line_extension_amount'))
}

const hundredths = (amount: number): number => Math.round(amount * 100)
const mostHundredths = 1e15

/** Providers calculate again what they are given; so does this. A credit note may leave out what rounding left over. */
function checkTotals(invoice: Fields, lineSum: number, type: string): void {
  const totals = fieldsAt(fieldsAt(invoice, '').object('legal_monetary_total'), 'legal_monetary_total')
  const amount = (name: string): number => hundredths(totals.number(name))
  const [lines, exclusive, inclusive, payable] = [
    amount('line_extension_amount'),
    amount('tax_exclusive_amount'),
    amount('tax_inclusive_amount'),
    amount('payable_amount'),
  ]
  // Numbers of this size have no hundredths left to compare.
  if (Math.max(lines, inclusive) > mostHundredths) return
  const mismatch = (name: string, of: string) => wrong(`legal_monetary_total.${name}`, `does not match ${of}`)
  if (lines !== lineSum) mismatch('line_extension_amount', 'the sum of the lines')
  if (exclusive !== lines + allowances(invoice.allowance_charge))
    mismatch('tax_exclusive_amount', 'the lines with allowances and charges')
  if (inclusive !== exclusive + taxes(invoice.tax_total)) mismatch('tax_inclusive_amount', 'the taxes')
  if (Math.abs(payable - inclusive) > (type === '380' ? 100 : 0)) mismatch('payable_amount', 'the tax inclusive amount')
}

function allowances(value: unknown): number {
  return objectsIn(value).reduce((sum, { charge_indicator, amount }) => {
    const worth = hundredths(Number(amount))
    return charge_indicator === true ? sum + worth : sum - worth
  }, 0)
}

function taxes(value: unknown): number {
  return objectsIn(value).reduce((sum, { tax_amount, tax_subtotal }, at) => {
    let parts = 0
    for (const [place, subtotal] of objectsIn(tax_subtotal).entries()) {
      const path = `tax_total[${at}].tax_subtotal[${place}]`
      const { id } = (subtotal.tax_category ?? {}) as Fields
      if (!taxCategories.has(String(id))) wrong(`${path}.tax_category.id`, `must be a valid tax category, ${see}`)
      parts += hundredths(Number(subtotal.tax_amount))
    }
    if (parts !== hundredths(Number(tax_amount)))
      wrong(`tax_total[${at}].tax_amount`, 'does not match the sum of its subtotals')
    return sum + parts
  }, 0)
}

const objectsIn = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : [])

/** On the calendar: others come out as another day, or as none. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function fieldsAt(fields: Fields, path: string) {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const given = (name: string): unknown => {
    const value = fields[name]
    return value === undefined || value === null || value === '' ? wrong(at(name), 'is required') : value
  }
  const checkedDay = (name: string, value: unknown): string => {
    const text = String(value)
    return isDay(text) ? text : wrong(at(name), 'must be a valid date value yyyy-mm-dd')
  }
  return {
    text(name: string): string {
      const value = given(name)
      return typeof value === 'string' ? value : wrong(at(name), 'must be a valid text')
    },
    number(name: string): number {
      const value = given(name)
      return typeof value === 'number' ? value : wrong(at(name), 'must be a valid number')
    },
    day: (name: string): string => checkedDay(name, given(name)),
    perhapsDay(name: string): void {
      if (fields[name] !== undefined && fields[name] !== null) checkedDay(name, fields[name])
    },
    object(name: string): Fields {
      const value = given(name)
      return typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : wrong(at(name), 'is required')
    },
    list(name: string): readonly unknown[] {
      const value = given(name)
      return Array.isArray(value) && value.length > 0 ? value : wrong(at(name), 'is required')
    },
  }
}
