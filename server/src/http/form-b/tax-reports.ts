import Type from 'typebox'
import type { Fault } from '../../kernel/refusals.ts'
import type { InvoiceId } from '../../modules/invoices/index.ts'
import type { OwnTaxReport } from '../../modules/tax-reports/index.ts'
import { type Amount, type AmountRule, decimalFrom, faultOfAmount, minorFrom, money } from '../both/amounts.ts'
import { ById } from '../both/invoices.ts'
import { exampleBusinessId, exampleServiceId } from '../both/tax-connection.ts'
import { taxReportEndpoints as endpoints } from '../endpoints/tax-reports.ts'
import { Day, Fields, Instant, isoOrNull, List, Maybe, OneOf, Text, Uuid } from '../fields.ts'
import { speak } from '../speak.ts'

const percent: AmountRule = { decimals: 4, atLeast: 0n, atMost: 100_0000n }
const amounts: Readonly<Record<string, AmountRule>> = {
  baseAmount: money,
  taxAmount: money,
  otherTaxAmount: money,
  totalAmount: money,
  taxRate: percent,
}

const checkAmounts = (body: unknown): readonly Fault[] =>
  typeof body === 'object' && body !== null
    ? Object.entries(amounts).flatMap(([name, rule]) =>
        faultOfAmount(name, (body as Record<string, unknown>)[name], rule),
      )
    : []

const exampleReference = `INV000001-${exampleServiceId}-20260131`
const major = (minor: bigint): number => Number(minor) / 100
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
  baseAmount: major(report.baseMinor),
  taxAmount: major(report.taxMinor),
  otherTaxAmount: major(report.otherTaxesMinor),
  totalAmount: major(report.totalMinor),
  taxRate: Number(report.rate),
  currency: report.currency,
  transactionDate: report.reportDate,
  description: report.description,
  reportedAt: isoOrNull(report.endedAt),
})

export const taxReports = {
  validateReference: speak(endpoints.validateReference, {
    status: 200,
    body: Fields({
      reference: Type.String({ ...Text(1, 100), examples: [exampleReference] }),
      businessId: Type.String({ format: 'uuid', examples: [exampleBusinessId] }),
      externalReference: Type.Optional(Type.String({ ...Text(1, 100), examples: ['INV000001'] })),
    }),
    reply: Fields({ reference: Type.String(), businessId: Uuid, valid: Type.Boolean(), reasons: List(Type.String()) }),
    decode: ({ body }) => ({
      reference: body.reference,
      businessId: body.businessId,
      documentNumber: body.externalReference ?? null,
    }),
    encode: ({ reasons, ...rest }) => ({ ...rest, reasons: [...reasons] }),
  }),
  reportTax: speak(endpoints.reportTax, {
    status: 201,
    params: ById,
    body: Fields({
      invoiceReference: Type.String({
        ...Text(1, 100),
        description: 'the IRN of the invoice, or its number',
        examples: [exampleReference],
      }),
      supplierTaxId: Text(1, 64),
      buyerTaxId: Text(1, 64),
      baseAmount: Type.Number({ examples: [1000] }),
      taxAmount: Type.Number({ examples: [75] }),
      taxRate: Type.Number({ description: 'in percent', examples: [7.5] }),
      totalAmount: Type.Number({ examples: [1075] }),
      currency: OneOf('NGN', 'USD', 'EUR', 'GBP'),
      transactionDate: Day,
      otherTaxAmount: Type.Optional(Type.Number({ examples: [0] })),
      description: Type.Optional(Text(1, 255)),
    }),
    checkBody: checkAmounts,
    reply: Fields({
      id: Uuid,
      invoiceId: Uuid,
      status: OneOf('reported'),
      invoiceReference: Type.String(),
      supplierTaxId: Type.String(),
      buyerTaxId: Type.String(),
      baseAmount: Type.Number(),
      taxAmount: Type.Number(),
      otherTaxAmount: Type.Number(),
      totalAmount: Type.Number(),
      taxRate: Type.Number(),
      currency: Type.String(),
      transactionDate: Day,
      description: Type.String(),
      reportedAt: Maybe(Instant),
    }),
    decode: ({ params, body }) => ({
      invoiceId: params.id as InvoiceId,
      reference: body.invoiceReference,
      sellerTaxId: body.supplierTaxId,
      buyerTaxId: body.buyerTaxId,
      description: body.description ?? null,
      currency: body.currency,
      reportDate: body.transactionDate,
      baseMinor: minorFrom(body.baseAmount),
      taxMinor: minorFrom(body.taxAmount),
      otherTaxesMinor: minorFrom(body.otherTaxAmount ?? 0),
      totalMinor: minorFrom(body.totalAmount),
      rate: textOf(body.taxRate),
    }),
    encode: toView,
    fieldNames: { reference: 'invoiceReference', sellerTaxId: 'supplierTaxId', totalMinor: 'totalAmount' },
  }),
}
