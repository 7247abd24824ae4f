import Type from 'typebox'
import type { Fault } from '../../kernel/refusals.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import { Day, Fields, List, Maybe, means, OneOf, pageFrom, Text } from '../definitions/fields.ts'
import { receivedInvoiceRoutes as routes } from '../routes/received-invoices.ts'
import { Amount, decimalFrom, faultOfAmount, quantity, unitPrice } from './amounts.ts'
import {
  DetailView,
  exampleReference,
  FilterQuery,
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
  description: Type.String({
    ...Text(1, 500),
    description: 'What is sold on this line, at most 500 characters.',
    examples: ['Office tables'],
  }),
  quantity: means('Number of units, with up to 6 decimals. 1 if left out.', Type.Optional(Amount)),
  unitPrice: means('Price of one unit in major units, with up to 4 decimals.', Amount),
  hsnCode: Type.Optional(
    Type.String({
      ...Text(1, 20),
      description: 'Customs code of the goods (HS), at most 20 characters.',
      examples: ['9403.60'],
    }),
  ),
  isicCode: means('Code of the service (ISIC), at most 20 characters.', Type.Optional(Text(1, 20))),
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
  list: describeRoute(routes.list, {
    status: 200,
    query: ListQuery,
    reply: Fields({
      items: means('Received invoices of this page.', List(ItemView)),
      taxpayer: means(
        'Your organisation, as suppliers address it.',
        Fields({
          taxIds: means(
            'Tax numbers under which your organisation receives invoices in this mode.',
            List(Type.String({ examples: ['20198222-0002'] })),
          ),
        }),
      ),
      sync: means('Whether this list is complete.', SyncView),
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
  }),
  analyse: describeRoute(routes.analyse, {
    status: 200,
    query: FilterQuery,
    reply: Fields({
      reportingCurrency: means(
        'Currency of the figures: that of the filter, or else the most common one. Null without invoices.',
        Maybe(Type.String({ examples: ['NGN'] })),
      ),
      ...figures,
      byCurrency: means(
        'The same figures for each currency, most common first.',
        List(
          Fields({
            currency: Type.String({
              description: 'Currency of these figures, as an ISO 4217 code.',
              examples: ['NGN'],
            }),
            ...figures,
          }),
        ),
      ),
      sync: means('Whether these figures are complete.', SyncView),
    }),
    decode: ({ query }) => ({ filter: filterFrom(query) }),
    encode: ({ reportingCurrency, byCurrency, sync }) => ({
      reportingCurrency,
      ...toFigures(byCurrency.find(({ currency }) => currency === reportingCurrency) ?? nothing),
      byCurrency: byCurrency.map((one) => ({ currency: one.currency, ...toFigures(one) })),
      sync: toSync(sync),
    }),
  }),
  loadOlder: describeRoute(routes.loadOlder, {
    status: 200,
    reply: Fields({
      loaded: means('Number of invoices that this request added, at most 10.', Type.Integer()),
      hasMore: means('Whether older invoices are left to load.', Type.Boolean()),
    }),
    decode: () => undefined,
    encode: (result) => result,
  }),
  get: describeRoute(routes.get, {
    status: 200,
    params: Fields({
      id: Type.String({
        ...Text(1, 128),
        description: 'Identifier of the received invoice (UUIDv7), or its authority reference (IRN).',
      }),
    }),
    reply: DetailView,
    decode: ({ params }) => ({ id: params.id }),
    encode: toDetail,
  }),
  sendFromOutside: describeRoute(routes.sendFromOutside, {
    status: 201,
    body: Fields({
      sellerName: Type.Optional(
        Type.String({
          ...Text(1, 255),
          description: 'Name of the supplier, at most 255 characters. Invented if left out.',
          examples: ['Oke Wood Works'],
        }),
      ),
      sellerTaxId: Type.Optional(
        Type.String({
          ...Text(1, 64),
          description: 'Tax number of the supplier, at most 64 characters. Invented if left out.',
          examples: ['20198222-0002'],
        }),
      ),
      invoiceNumber: Type.Optional(
        Type.String({
          ...Text(1, 50),
          description: 'Number of the document, at most 50 characters. Invented if left out.',
          examples: ['INV0042'],
        }),
      ),
      invoiceType: means(
        'Kind of document: `standard` (an invoice), `credit_note` or `debit_note`. `standard` if left out.',
        Type.Optional(OneOf('standard', 'credit_note', 'debit_note')),
      ),
      correctsReference: Type.Optional(
        Type.String({
          ...Text(1, 128),
          description: 'Authority reference (IRN) of the document that the credit or debit note corrects.',
          examples: [exampleReference],
        }),
      ),
      invoiceDate: means('Day of issue. Today if left out.', Type.Optional(Day)),
      dueDate: means('Last day for payment. The document names none if left out.', Type.Optional(Day)),
      currency: means(
        'Currency of the document, as an ISO 4217 code. `NGN` if left out.',
        Type.Optional(OneOf('NGN', 'USD', 'EUR', 'GBP')),
      ),
      lineItems: Type.Optional(
        Type.Array(LineFromOutside, {
          minItems: 1,
          maxItems: 100,
          description: 'Lines of the document, 1 to 100. One line is invented if left out.',
        }),
      ),
    }),
    checkBody: faultsOfLines,
    reply: Fields({
      authorityReference: Type.String({
        description: 'Authority reference (IRN) under which the document arrives.',
        examples: [exampleReference],
      }),
      status: means('Always `on_its_way`: the document arrives a moment later.', OneOf('on_its_way')),
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
