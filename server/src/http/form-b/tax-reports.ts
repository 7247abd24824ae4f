import Type from 'typebox'
import { spelled } from '../../kernel/decimal.ts'
import { currencyDigits } from '../../kernel/money-words.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { InvoiceId } from '../../modules/invoices/index.ts'
import type { OwnTaxReport } from '../../modules/tax-reports/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Day, Fields, Instant, isoOrNull, List, Maybe, means, OneOf, Text, Uuid } from '../definitions/fields.ts'
import { taxReportRoutes as routes } from '../routes/tax-reports.ts'
import { type Amount, type AmountRule, decimalFrom, faultOfAmount, minorFrom, money } from '../shared/amounts.ts'
import { invoiceCurrencies } from '../shared/contract-words.ts'
import { ById } from '../shared/invoices.ts'
import { exampleBusinessId, exampleServiceId } from '../shared/tax-connection.ts'

const percent: AmountRule = { decimals: 4, atLeast: 0n, atMost: 100n }
const amounts: Readonly<Record<string, AmountRule>> = {
  baseAmount: money,
  taxAmount: money,
  otherTaxAmount: money,
  totalAmount: money,
  taxRate: percent,
}

function checkAmounts(body: unknown): readonly Fault[] {
  if (typeof body !== 'object' || body === null) return []
  const sent = body as Record<string, unknown>
  // The schema reports another currency.
  const currency = invoiceCurrencies.find((one) => one === sent.currency)
  return Object.entries(amounts).flatMap(([name, rule]) => faultOfAmount(name, sent[name], rule, currency))
}

const inMajor = 'in major units such as dollars'
const exampleReference = `INV000001-${exampleServiceId}-20260131`
const major = (minor: bigint, { currency }: OwnTaxReport): number => Number(spelled(minor, currencyDigits(currency)))
const textOf = (amount: Amount): string => {
  const { units, scale } = decimalFrom(amount) ?? { units: 0n, scale: 0 }
  return String(Number(units) / 10 ** scale)
}

const toView = (report: OwnTaxReport) => ({
  id: report.id,
  invoiceId: report.invoiceId,
  status: 'reported' as const,
  invoiceReference: report.reference,
  supplierTaxId: report.sellerTaxId,
  buyerTaxId: report.buyerTaxId,
  baseAmount: major(report.baseMinor, report),
  taxAmount: major(report.taxMinor, report),
  otherTaxAmount: major(report.otherTaxesMinor, report),
  totalAmount: major(report.totalMinor, report),
  taxRate: Number(report.rate),
  currency: report.currency,
  transactionDate: report.reportDate,
  description: report.description,
  reportedAt: isoOrNull(report.endedAt),
})

export const taxReports = {
  validateReference: describeRoute(routes.validateReference, {
    status: 200,
    body: Fields({
      reference: Type.String({
        ...Text(1, 100),
        description: 'The invoice reference number (IRN) to check.',
        examples: [exampleReference],
      }),
      businessId: Type.String({
        format: 'uuid',
        description:
          'The id of the business at the tax authority. In live mode it is the business that you are connected as.',
        examples: [exampleBusinessId],
      }),
      externalReference: Type.Optional(
        Type.String({
          ...Text(1, 100),
          description: 'Your number of the document, if it is not the first part of `reference`.',
          examples: ['INV000001'],
        }),
      ),
    }),
    reply: Fields({
      reference: means('The invoice reference number (IRN) that was checked.', Type.String()),
      businessId: means('The id of the business at the tax authority.', Uuid),
      valid: means('Whether the reference fits the template of the business and is not used yet.', Type.Boolean()),
      reasons: means('Why the reference is not valid, in English. Empty if it is valid.', List(Type.String())),
    }),
    decode: ({ body }) => ({
      reference: body.reference,
      businessId: body.businessId,
      documentNumber: body.externalReference ?? null,
    }),
    encode: ({ reasons, ...rest }) => ({ ...rest, reasons: [...reasons] }),
  }),
  reportTax: describeRoute(routes.reportTax, {
    status: 201,
    params: ById,
    body: Fields({
      invoiceReference: Type.String({
        ...Text(1, 100),
        description: 'The invoice reference number (IRN) of the invoice, or its own number.',
        examples: [exampleReference],
      }),
      supplierTaxId: means('The tax number of the seller on the invoice.', Text(1, 64)),
      buyerTaxId: means('The tax number of the buyer on the invoice.', Text(1, 64)),
      baseAmount: Type.Number({ description: `The amount that is taxed, ${inMajor}.`, examples: [1000] }),
      taxAmount: Type.Number({ description: `The tax on \`baseAmount\`, ${inMajor}.`, examples: [75] }),
      taxRate: Type.Number({ description: 'The tax rate in percent.', examples: [7.5] }),
      totalAmount: Type.Number({ description: `The sum of the three amounts, ${inMajor}.`, examples: [1075] }),
      currency: means('The currency of the amounts (ISO 4217).', OneOf(...invoiceCurrencies)),
      transactionDate: means('The day of the transaction that is taxed.', Day),
      otherTaxAmount: Type.Optional(
        Type.Number({ description: `Other taxes, ${inMajor}. The default is 0.`, examples: [0] }),
      ),
      description: Type.Optional(
        means('What was sold, as text. The default is `Invoice` and its number.', Text(1, 255)),
      ),
    }),
    checkBody: checkAmounts,
    reply: Fields({
      id: means('Unique identifier of the declaration (UUIDv7).', Uuid),
      invoiceId: means('The invoice whose tax was declared.', Uuid),
      status: means('Always `reported`: the tax authority has the declaration.', OneOf('reported')),
      invoiceReference: means('The invoice reference number (IRN) of the invoice.', Type.String()),
      supplierTaxId: means('The tax number of the seller.', Type.String()),
      buyerTaxId: means('The tax number of the buyer.', Type.String()),
      baseAmount: means(`The amount that is taxed, ${inMajor}.`, Type.Number()),
      taxAmount: means(`The tax on \`baseAmount\`, ${inMajor}.`, Type.Number()),
      otherTaxAmount: means(`Other taxes, ${inMajor}.`, Type.Number()),
      totalAmount: means(`The sum of the three amounts, ${inMajor}.`, Type.Number()),
      taxRate: means('The tax rate in percent.', Type.Number()),
      currency: means('The currency of the amounts (ISO 4217).', Type.String()),
      transactionDate: means('The day of the transaction that is taxed.', Day),
      description: means('What was sold, as text.', Type.String()),
      reportedAt: means('When the tax authority took the declaration. Null if not recorded.', Maybe(Instant)),
    }),
    decode: ({ params, body }) => ({
      invoiceId: params.id as InvoiceId,
      reference: body.invoiceReference,
      sellerTaxId: body.supplierTaxId,
      buyerTaxId: body.buyerTaxId,
      description: body.description ?? null,
      currency: body.currency,
      reportDate: body.transactionDate,
      baseMinor: minorFrom(body.baseAmount, body.currency),
      taxMinor: minorFrom(body.taxAmount, body.currency),
      otherTaxesMinor: minorFrom(body.otherTaxAmount ?? 0, body.currency),
      totalMinor: minorFrom(body.totalAmount, body.currency),
      rate: textOf(body.taxRate),
    }),
    encode: toView,
    fieldNames: { reference: 'invoiceReference', sellerTaxId: 'supplierTaxId', totalMinor: 'totalAmount' },
  }),
}
