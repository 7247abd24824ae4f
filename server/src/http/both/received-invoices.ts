import Type from 'typebox'
import type { Fault } from '../../kernel/refusals.ts'
import { receivedInvoiceEndpoints as endpoints } from '../endpoints/received-invoices.ts'
import { Day, Fields, List, Maybe, OneOf, pageFrom, Text } from '../fields.ts'
import { speak } from '../speak.ts'
import { Amount, decimalFrom, faultOfAmount, quantity, unitPrice } from './amounts.ts'
import {
  DetailView,
  exampleReference,
  FilterQuery,
  fieldNames,
  figures,
  filterFrom,
  ItemView,
  ListQuery,
  nothing,
  SyncView,
  standardLimit,
  toDetail,
  toFigures,
  toItem,
  toSync,
} from './received-invoice-fields.ts'

const LineFromOutside = Fields({
  description: Type.String({ ...Text(1, 500), examples: ['Office tables'] }),
  quantity: Type.Optional(Amount),
  unitPrice: Amount,
  hsnCode: Type.Optional(Type.String({ ...Text(1, 20), examples: ['9403.60'] })),
  isicCode: Type.Optional(Text(1, 20)),
})

const plainNumber = (amount: Amount): number => {
  const decimal = decimalFrom(amount)
  return decimal === undefined ? Number.NaN : Number(decimal.units) / 10 ** decimal.scale
}

function faultsOfLines(body: unknown): Fault[] {
  const lines = (body as { lineItems?: unknown } | null | undefined)?.lineItems
  if (!Array.isArray(lines)) return []
  return lines
    .slice(0, 100)
    .flatMap((line: { quantity?: unknown; unitPrice?: unknown } | null, at) => [
      ...(line?.quantity === undefined ? [] : faultOfAmount(`lineItems[${at}].quantity`, line.quantity, quantity)),
      ...(line?.unitPrice === undefined ? [] : faultOfAmount(`lineItems[${at}].unitPrice`, line.unitPrice, unitPrice)),
    ])
}

export const receivedInvoices = {
  list: speak(endpoints.list, {
    status: 200,
    query: ListQuery,
    reply: Fields({
      items: List(ItemView),
      taxpayer: Fields({ taxIds: List(Type.String({ examples: ['20198222-0002'] })) }),
      sync: SyncView,
    }),
    decode: ({ query }) => ({
      filter: filterFrom(query),
      sort: query.sort ?? '-receivedAt',
      page: pageFrom(query, standardLimit),
    }),
    encode: ({ page, taxIds, sync, today }) => ({
      items: page.rows.map((invoice) => toItem(invoice, today)),
      taxpayer: { taxIds: [...taxIds] },
      sync: toSync(sync),
    }),
    pagination: ({ page }) => page,
    fieldNames,
  }),
  analyse: speak(endpoints.analyse, {
    status: 200,
    query: FilterQuery,
    reply: Fields({
      reportingCurrency: Maybe(Type.String({ examples: ['NGN'] })),
      ...figures,
      byCurrency: List(Fields({ currency: Type.String({ examples: ['NGN'] }), ...figures })),
      sync: SyncView,
    }),
    decode: ({ query }) => ({ filter: filterFrom(query) }),
    encode: ({ reportingCurrency, byCurrency, sync }) => ({
      reportingCurrency,
      ...toFigures(byCurrency.find(({ currency }) => currency === reportingCurrency) ?? nothing),
      byCurrency: byCurrency.map((one) => ({ currency: one.currency, ...toFigures(one) })),
      sync: toSync(sync),
    }),
    fieldNames,
  }),
  loadOlder: speak(endpoints.loadOlder, {
    status: 200,
    reply: Fields({ loaded: Type.Integer(), hasMore: Type.Boolean() }),
    decode: () => undefined,
    encode: (result) => result,
  }),
  get: speak(endpoints.get, {
    status: 200,
    params: Fields({ id: Type.String({ ...Text(1, 128), description: 'our id, or the authority’s reference' }) }),
    reply: DetailView,
    decode: ({ params }) => ({ id: params.id }),
    encode: toDetail,
  }),
  sendFromOutside: speak(endpoints.sendFromOutside, {
    status: 201,
    body: Fields({
      sellerName: Type.Optional(Type.String({ ...Text(1, 255), examples: ['Oke Wood Works'] })),
      sellerTaxId: Type.Optional(Type.String({ ...Text(1, 64), examples: ['20198222-0002'] })),
      invoiceNumber: Type.Optional(Type.String({ ...Text(1, 50), examples: ['INV0042'] })),
      invoiceType: Type.Optional(OneOf('standard', 'credit_note', 'debit_note')),
      correctsReference: Type.Optional(
        Type.String({ ...Text(1, 128), description: 'the IRN that a note corrects', examples: [exampleReference] }),
      ),
      invoiceDate: Type.Optional(Day),
      dueDate: Type.Optional(Day),
      currency: Type.Optional(OneOf('NGN', 'USD', 'EUR', 'GBP')),
      lineItems: Type.Optional(Type.Array(LineFromOutside, { minItems: 1, maxItems: 100 })),
    }),
    checkBody: faultsOfLines,
    reply: Fields({
      authorityReference: Type.String({ description: 'the IRN, under which it comes', examples: [exampleReference] }),
      status: OneOf('on_its_way'),
    }),
    decode: ({ body }) => ({
      sellerName: body.sellerName,
      sellerTaxId: body.sellerTaxId,
      number: body.invoiceNumber,
      type: body.invoiceType,
      corrects: body.correctsReference,
      issueDate: body.invoiceDate,
      dueDate: body.dueDate,
      currency: body.currency,
      lines: body.lineItems?.map((line) => ({
        description: line.description,
        quantity: plainNumber(line.quantity ?? 1),
        unitPrice: plainNumber(line.unitPrice),
        hsnCode: line.hsnCode,
        serviceCode: line.isicCode,
      })),
    }),
    encode: ({ reference }) => ({ authorityReference: reference, status: 'on_its_way' as const }),
    location: ({ reference }) => `/i/v1/inbound-invoices/${reference}`,
  }),
}
