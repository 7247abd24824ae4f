import Type, { type Static } from 'typebox'
import { decimalText } from '../../kernel/decimal.ts'
import type { Fault } from '../../kernel/refusals.ts'
import { nothingWritten } from '../../kernel/written-fields.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import type { DraftInput } from '../../modules/invoices/index.ts'
import type { ItemId } from '../../modules/items/index.ts'
import { recurringSchedules } from '../../modules/recurring-invoices/index.ts'
import { Fields, List, Maybe, means, Named, OneOf, Prose, Text, Uuid } from '../definitions/fields.ts'
import { Amount, decimalFrom, faultOfAmount, quantity, unitPrice } from './amounts.ts'
import { meaningOf } from './value-meanings.ts'
import { textsAmong, toWrittenViews, writtenInputs, writtenViews } from './written-fields.ts'

const LineBody = Named('RecurringLine', {
  itemId: Type.Optional(
    means(
      'A saved item. Fields that you leave out come from the item on the day of each invoice, also its price.',
      Uuid,
    ),
  ),
  description: Type.Optional(
    means(
      'What is sold. It may have placeholders such as `{month}`, and at most 500 characters with them replaced. Needed without an item.',
      Prose(1, 500),
    ),
  ),
  quantity: means('How many units, as an exact decimal.', Amount),
  unitCode: Type.Optional(means('Code of the unit (UN/ECE Recommendation 20). Needed without an item.', Text(1, 10))),
  unitPrice: Type.Optional(
    means('Price of one unit before tax, in major units. If left out, the price of the item on that day.', Amount),
  ),
  taxCategory: Type.Optional(
    means('Tax category of the line, such as `standard`. Needed without an item.', Text(1, 64)),
  ),
  hsnCode: Type.Optional(means('HS code of goods.', Text(1, 20))),
  serviceCode: Type.Optional(means('Code of a service.', Text(1, 20))),
  productCategory: Type.Optional(means('Category of the product, in your own words.', Text(1, 255))),
})

const mostLines = 100
export const ContentBody = {
  policy: means(`What happens to each invoice. ${meaningOf.policies}`, OneOf(...recurringSchedules.policies)),
  dueInDays: Type.Optional(
    means(
      'Days from the invoice to its due date, 0 to 365. Without it, invoices have no due date.',
      Maybe(Type.Integer({ minimum: 0, maximum: 365 })),
    ),
  ),
  invoice: means(
    'The invoice without its days and number. In texts, these placeholders are replaced, in the language of the buyer: `{period}`, `{from}`, `{to}`, `{day}`, `{month}`, `{quarter}`, `{year}`.',
    Named('RecurringInvoice', {
      buyerId: Type.Optional(means('Unique identifier of the buyer.', Uuid)),
      currency: means('Currency of the invoice (ISO 4217).', Text(3, 3)),
      lineItems: Type.Array(LineBody, { minItems: 1, maxItems: mostLines, description: 'The lines, at most 100.' }),
      ...textsAmong(writtenInputs('A')),
    }),
  ),
}
const ContentFields = Fields(ContentBody)
type Content = Static<typeof ContentFields>

type LineInput = DraftInput['lines'][number]

const toLine = (line: Content['invoice']['lineItems'][number]): LineInput => ({
  ...(line.itemId === undefined ? {} : { itemId: line.itemId as ItemId }),
  ...(line.description === undefined ? {} : { description: line.description }),
  // The checks have passed, so these are decimals.
  quantity: decimalFrom(line.quantity) as LineInput['quantity'],
  ...(line.unitCode === undefined ? {} : { unitCode: line.unitCode }),
  ...(line.unitPrice === undefined ? {} : { unitPrice: decimalFrom(line.unitPrice) }),
  ...(line.taxCategory === undefined ? {} : { taxCategory: line.taxCategory }),
  ...(line.hsnCode === undefined ? {} : { hsnCode: line.hsnCode }),
  ...(line.serviceCode === undefined ? {} : { serviceCode: line.serviceCode }),
  ...(line.productCategory === undefined ? {} : { productCategory: line.productCategory }),
})

export const contentFrom = ({ policy, dueInDays, invoice }: Content): recurringSchedules.ScheduleContent => {
  const { buyerId, lineItems, ...rest } = invoice
  return {
    policy,
    dueInDays: dueInDays ?? null,
    template: {
      ...rest,
      primarySellerOnly: true,
      ...(buyerId === undefined ? {} : { buyerId: buyerId as BuyerId }),
      lines: lineItems.map(toLine),
    },
  }
}

/** Faults of amounts, which a schema cannot express. */
export function checkContent(body: unknown): Fault[] {
  const invoice = (body as { invoice?: { lineItems?: unknown; currency?: unknown } } | null)?.invoice
  if (!invoice || !Array.isArray(invoice.lineItems)) return []
  return invoice.lineItems
    .slice(0, mostLines)
    .flatMap((line: { quantity?: unknown; unitPrice?: unknown } | null, at) => [
      ...faultOfAmount(`invoice.lineItems[${at}].quantity`, line?.quantity, quantity),
      ...(line?.unitPrice === undefined
        ? []
        : faultOfAmount(`invoice.lineItems[${at}].unitPrice`, line.unitPrice, unitPrice)),
    ])
}

export const ContentView = Named('RecurringContent', {
  buyerId: means('Unique identifier of the buyer. Null if there is none.', Maybe(Uuid)),
  currency: means('Currency of the invoice (ISO 4217).', Type.String()),
  lineItems: means(
    'The lines of each invoice, in their order.',
    List(
      Named('RecurringContentLine', {
        itemId: means('The saved item of the line. Null if there is none.', Maybe(Uuid)),
        description: means('What is sold. Null if the item gives it.', Maybe(Type.String())),
        quantity: means('How many units, as a decimal.', Type.String()),
        unitCode: means('Code of the unit. Null if the item gives it.', Maybe(Type.String())),
        unitPrice: means('Price of one unit in major units. Null if the item gives it.', Maybe(Type.String())),
        taxCategory: means('Tax category of the line. Null if the item gives it.', Maybe(Type.String())),
        hsnCode: means('HS code of goods. Null for services, and if the item gives it.', Maybe(Type.String())),
        serviceCode: means('Code of a service. Null for goods, and if the item gives it.', Maybe(Type.String())),
        productCategory: means(
          'Category of the product. Null if there is none, and if the item gives it.',
          Maybe(Type.String()),
        ),
      }),
    ),
  ),
  ...textsAmong(writtenViews('A')),
})

export const toContentView = (template: recurringSchedules.ScheduleContent['template']) => ({
  buyerId: template.buyerId ?? null,
  currency: template.currency,
  lineItems: template.lines.map((line) => ({
    itemId: line.itemId ?? null,
    description: line.description ?? null,
    quantity: decimalText(line.quantity),
    unitCode: line.unitCode ?? null,
    unitPrice: line.unitPrice ? decimalText(line.unitPrice) : null,
    taxCategory: line.taxCategory ?? null,
    hsnCode: line.hsnCode ?? null,
    serviceCode: line.serviceCode ?? null,
    productCategory: line.productCategory ?? null,
  })),
  ...textsAmong(toWrittenViews('A', { ...nothingWritten, ...template })),
})
