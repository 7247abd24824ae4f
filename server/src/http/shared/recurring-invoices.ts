import Type, { type Static } from 'typebox'
import { decimalText } from '../../kernel/decimal.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import type { DraftInput } from '../../modules/invoices/index.ts'
import type { ItemId } from '../../modules/items/index.ts'
import { calendar, recurringSchedules } from '../../modules/recurring-invoices/index.ts'
import { describeRoute } from '../kernel/describe-route.ts'
import {
  Day,
  Fields,
  Instant,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  PageQuery,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../kernel/fields.ts'
import type { Answers } from '../reply/answers.ts'
import { recurringRoutes as routes } from '../routes/recurring-invoices.ts'
import { Amount, decimalFrom, faultOfAmount, quantity, unitPrice } from './amounts.ts'
import { RefusalView, refusalIn } from './submissions.ts'

const LineBody = Named('RecurringLine', {
  itemId: Type.Optional(
    means(
      'A saved item. Fields that you leave out come from the item on the day of each invoice, also its price.',
      Uuid,
    ),
  ),
  description: Type.Optional(
    means('What is sold. It may have placeholders such as `{month}`. Needed without an item.', Prose(1, 1000)),
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
const ContentBody = {
  policy: means(
    'What happens to each invoice. `draft`: it stays a draft. `finalise`: it is issued. `submit`: it is issued and submitted to the tax authority. `send`: it is issued and emailed to the buyer.',
    OneOf(...recurringSchedules.policies),
  ),
  dueInDays: Type.Optional(
    means(
      'Days from the invoice to its due date, 0 to 365. Without it, invoices have no due date.',
      Maybe(Type.Integer({ minimum: 0, maximum: 365 })),
    ),
  ),
  invoice: means(
    'The invoice without its days and number. In texts, these placeholders are replaced: `{period}`, `{from}`, `{to}`, `{day}`, `{month}`, `{quarter}`, `{year}`.',
    Named('RecurringInvoice', {
      buyerId: Type.Optional(means('Unique identifier of the buyer.', Uuid)),
      currency: means('Currency of the invoice (ISO 4217).', Text(3, 3)),
      lineItems: Type.Array(LineBody, { minItems: 1, maxItems: mostLines, description: 'The lines, at most 100.' }),
      notes: Type.Optional(means('Remarks for the buyer. They may have placeholders.', Prose(0, 2000))),
      paymentTerms: Type.Optional(means('The payment terms, printed on the document.', Prose(0, 500))),
      purchaseOrderReference: Type.Optional(means('The number of the purchase order of the buyer.', Text(1, 100))),
      contractReference: Type.Optional(means('The number of the contract that the invoices belong to.', Text(1, 100))),
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

const contentFrom = ({ policy, dueInDays, invoice }: Content): recurringSchedules.ScheduleContent => {
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
function checkContent(body: unknown): Fault[] {
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

const RuleBody = {
  unit: means(
    '`week`: every so many weeks, on the weekday of `startsOn`. `month`: every so many months. `quarter_end`: on 31 March, 30 June, 30 September and 31 December. `year`: on the day of `startsOn`; 29 February becomes 28 February in other years.',
    OneOf(...calendar.recurrenceUnits),
  ),
  every: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 60, default: 1, description: 'Every so many weeks, months or years.' }),
  ),
  startsOn: means('The first invoice is made on this day or later, in the time zone of your organisation.', Day),
  dayOfMonth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 31,
      description:
        'For `month`: the day of the month. In shorter months it is the last day. The day of `startsOn` if left out.',
    }),
  ),
  until: Type.Optional(means('No invoice is made after this day. Without an end if left out.', Maybe(Day))),
  count: Type.Optional(
    means('The most invoices in all. Without an end if left out.', Maybe(Type.Integer({ minimum: 1, maximum: 1000 }))),
  ),
  billing: Type.Optional(
    means(
      '`in_advance`: the period of an invoice begins on its day. `in_arrears`: the period ends on its day. `in_advance` if left out.',
      OneOf(...calendar.billings),
    ),
  ),
  catchUp: Type.Optional(
    means(
      'What happens to days that passed while nothing could be made, such as in an outage. `all`: every period gets its invoice. `latest`: only the last one. `none`: only the period of today. `all` if left out.',
      OneOf(...recurringSchedules.catchUps),
    ),
  ),
}

const ScheduleView = Named('RecurringSchedule', {
  id: means('Unique identifier of the schedule (UUIDv7).', Uuid),
  name: means('Your own name for the schedule.', Type.String()),
  status: means(
    '`active`: makes invoices. `paused`: makes none until you resume it. `ended`: makes no further invoices.',
    OneOf(...recurringSchedules.scheduleStatuses),
  ),
  nextOn: means('The day of the next invoice. Null after the last one.', Maybe(Day)),
  unit: means('The unit of the rule.', OneOf(...calendar.recurrenceUnits)),
  every: means('Every so many units.', Type.Integer()),
  startsOn: means('The day from which on invoices are made.', Day),
  dayOfMonth: means('The chosen day of the month. Null if it follows from `startsOn`.', Maybe(Type.Integer())),
  until: means('The last day on which an invoice can be made. Null without an end.', Maybe(Day)),
  count: means('The most invoices in all. Null without an end.', Maybe(Type.Integer())),
  billing: means('Whether a period begins or ends on the day of its invoice.', OneOf(...calendar.billings)),
  catchUp: means(
    'What happens to days that passed while nothing could be made.',
    OneOf(...recurringSchedules.catchUps),
  ),
  policy: means('What happens to the next invoice after it was made.', OneOf(...recurringSchedules.policies)),
  dueInDays: means('Days from an invoice to its due date. Null for invoices without one.', Maybe(Type.Integer())),
  invoice: means(
    'The content of the next invoice, with placeholders.',
    Named('RecurringContent', {
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
      notes: means('Remarks for the buyer. Null if there are none.', Maybe(Type.String())),
      paymentTerms: means('The payment terms. Null if there are none.', Maybe(Type.String())),
      purchaseOrderReference: means(
        'The number of the purchase order of the buyer. Null if there is none.',
        Maybe(Type.String()),
      ),
      contractReference: means(
        'The number of the contract that the invoices belong to. Null if there is none.',
        Maybe(Type.String()),
      ),
    }),
  ),
  createdAt: means('When the schedule was created.', Instant),
  updatedAt: means('When the schedule last changed or made an invoice.', Instant),
})

const toView = (schedule: recurringSchedules.RecurringSchedule) => {
  const { recurrence, template } = schedule
  return {
    id: schedule.id,
    name: schedule.name,
    status: schedule.status,
    nextOn: schedule.nextOn,
    unit: recurrence.unit,
    every: recurrence.every,
    startsOn: recurrence.startsOn,
    dayOfMonth: recurrence.dayOfMonth,
    until: recurrence.until,
    count: recurrence.count,
    billing: recurrence.billing,
    catchUp: schedule.catchUp,
    policy: schedule.policy,
    dueInDays: schedule.dueInDays,
    invoice: {
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
      notes: template.notes ?? null,
      paymentTerms: template.paymentTerms ?? null,
      purchaseOrderReference: template.purchaseOrderReference ?? null,
      contractReference: template.contractReference ?? null,
    },
    createdAt: schedule.createdAt.toISOString(),
    updatedAt: schedule.updatedAt.toISOString(),
  }
}

const ById = Fields({ id: means('Unique identifier of the schedule.', Uuid) })
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as recurringSchedules.RecurringScheduleId })
const ofSchedule = { status: 200, params: ById, reply: ScheduleView, encode: toView, decode: idOf } as const

const period = {
  day: means('The day of the invoice.', Day),
  from: means('First day that the invoice is for.', Day),
  to: means('Last day that the invoice is for.', Day),
}
const RunView = Named('RecurringPeriod', {
  ...period,
  outcome: means(
    '`made`: the period has its invoice. `failed`: the invoice was refused. `skipped`: you skipped the period. `missed`: the day passed and was not made up for.',
    OneOf(...recurringSchedules.runOutcomes),
  ),
  invoiceId: means('Unique identifier of the invoice. Null unless the outcome is `made`.', Maybe(Uuid)),
  invoiceNumber: means(
    'Number of the invoice when it was made. Null unless the outcome is `made`.',
    Maybe(Type.String()),
  ),
  error: means(
    'Why the invoice was refused. Null unless the outcome is `failed`.',
    Maybe(Named('RecurringRefusal', RefusalView.properties)),
  ),
  ranAt: means('When this was decided.', Instant),
})

/** The forms differ only in the codes of refusals. */
export const recurringIn = (answers: Answers) => {
  const toError = refusalIn(answers)
  const toRun = ({ refused, ranAt, ...run }: recurringSchedules.RecurringRun) => ({
    day: run.day,
    from: run.from,
    to: run.to,
    outcome: run.outcome,
    invoiceId: run.invoiceId,
    invoiceNumber: run.invoiceNumber,
    error: refused && toError(refused),
    ranAt: ranAt.toISOString(),
  })
  return {
    list: describeRoute(routes.list, {
      status: 200,
      query: Fields({
        ...PageQuery(),
        status: Type.Optional(means('Only schedules with this status.', OneOf(...recurringSchedules.scheduleStatuses))),
      }),
      reply: List(ScheduleView),
      decode: ({ query }) => ({ status: query.status, page: pageFrom(query) }),
      encode: ({ rows }) => rows.map(toView),
      pagination: (page) => page,
    }),
    create: describeRoute(routes.create, {
      status: 201,
      body: Named('NewRecurringSchedule', {
        name: means('Your own name for the schedule.', Text(1, 255)),
        ...RuleBody,
        ...ContentBody,
      }),
      checkBody: checkContent,
      reply: ScheduleView,
      decode: ({ body }) => ({
        name: body.name,
        catchUp: body.catchUp ?? 'all',
        recurrence: {
          unit: body.unit,
          every: body.unit === 'quarter_end' ? 1 : (body.every ?? 1),
          startsOn: body.startsOn,
          dayOfMonth: body.unit === 'month' ? (body.dayOfMonth ?? null) : null,
          until: body.until ?? null,
          count: body.count ?? null,
          billing: body.billing ?? 'in_advance',
        },
        ...contentFrom(body),
      }),
      encode: toView,
      location: ({ id }) => `/i/v1/recurring-invoices/${id}`,
    }),
    get: describeRoute(routes.get, ofSchedule),
    change: describeRoute(routes.change, {
      ...ofSchedule,
      body: Named('RecurringContentChange', {
        ...ContentBody,
        changeFrom: Type.Optional(
          means('The change counts for invoices on this day or later. From the next invoice on if left out.', Day),
        ),
      }),
      checkBody: checkContent,
      decode: ({ params, body }) => ({ ...idOf({ params }), ...contentFrom(body), fromDay: body.changeFrom }),
    }),
    pause: describeRoute(routes.pause, ofSchedule),
    resume: describeRoute(routes.resume, ofSchedule),
    end: describeRoute(routes.end, ofSchedule),
    skip: describeRoute(routes.skip, {
      ...ofSchedule,
      body: Named('PeriodToSkip', { day: means('The day of the invoice that is left out.', Day) }),
      decode: ({ params, body }) => ({ ...idOf({ params }), day: body.day }),
    }),
    preview: describeRoute(routes.preview, {
      status: 200,
      params: ById,
      reply: List(
        Named('ComingInvoice', {
          ...period,
          dueDate: means('The due date of the invoice. Null if it will have none.', Maybe(Day)),
          skipped: means('True if you skipped this period.', Type.Boolean()),
          descriptions: means(
            'The descriptions of the lines with placeholders replaced. A line without one has the name of its item, or null if the item was deleted.',
            List(Maybe(Type.String())),
          ),
        }),
      ),
      decode: idOf,
      encode: (coming) =>
        coming.map(({ isSkipped, descriptions, ...one }) => ({
          ...one,
          skipped: isSkipped,
          descriptions: [...descriptions],
        })),
    }),
    listPeriods: describeRoute(routes.listPeriods, {
      status: 200,
      params: ById,
      query: Fields(PageQuery()),
      reply: List(RunView),
      decode: ({ params, query }) => ({ ...idOf({ params }), page: pageFrom(query) }),
      encode: ({ rows }) => rows.map(toRun),
      pagination: (page) => page,
    }),
    runAgain: describeRoute(routes.runAgain, {
      status: 200,
      params: ById,
      body: Named('PeriodToRun', { day: means('The day of the invoice that is made.', Day) }),
      reply: RunView,
      decode: ({ params, body }) => ({ ...idOf({ params }), day: body.day }),
      encode: toRun,
    }),
  }
}
