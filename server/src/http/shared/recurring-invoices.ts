import Type from 'typebox'
import { calendar, recurringSchedules } from '../../modules/recurring-invoices/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
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
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import type { Answers } from '../reply/answers.ts'
import { recurringRoutes as routes } from '../routes/recurring-invoices.ts'
import { SharedView } from './invoices.ts'
import { ContentBody, ContentView, checkContent, contentFrom, toContentView } from './recurring-content.ts'
import { RefusalView, refusalIn } from './submissions.ts'
import { meaningOf } from './value-meanings.ts'

const RuleBody = {
  unit: means(meaningOf.recurrenceUnits, OneOf(...calendar.recurrenceUnits)),
  every: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      default: 1,
      description:
        'Number of weeks, months or years from one invoice to the next, 1 to 60. 1 if left out. Always 1 with `quarter_end`.',
    }),
  ),
  startsOn: means(
    'The first invoice is made on this day or later, in the time zone of your organisation. Not before today.',
    Day,
  ),
  dayOfMonth: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 31,
      description:
        'For `month`: the day of the month. In shorter months it is the last day. If this day of the first month is before `startsOn`, the first invoice is in the next month. The day of `startsOn` if left out.',
    }),
  ),
  until: Type.Optional(means('No invoice is made after this day. Without an end if left out.', Maybe(Day))),
  count: Type.Optional(
    means(
      'How many periods the schedule has. Skipped, failed and paused periods count too. Without an end if left out.',
      Maybe(Type.Integer({ minimum: 1, maximum: 1000 })),
    ),
  ),
  billing: Type.Optional(
    means(
      '`in_advance`: the period of an invoice begins on its day; with `quarter_end`, it is the next quarter. `in_arrears`: the period ends on its day. If left out, `in_arrears` with `quarter_end`, otherwise `in_advance`.',
      OneOf(...calendar.billings),
    ),
  ),
  catchUp: Type.Optional(means(`${meaningOf.catchUps} \`all\` if left out.`, OneOf(...recurringSchedules.catchUps))),
}

const ScheduleView = Named('RecurringSchedule', {
  id: means('Unique identifier of the schedule (UUIDv7).', Uuid),
  name: means('Your own name for the schedule.', Type.String()),
  status: means(meaningOf.scheduleStatuses, OneOf(...recurringSchedules.scheduleStatuses)),
  nextOn: means('The day of the next invoice. Null after the last one.', Maybe(Day)),
  unit: means(meaningOf.recurrenceUnits, OneOf(...calendar.recurrenceUnits)),
  every: means('Number of weeks, months or years from one invoice to the next.', Type.Integer()),
  startsOn: means('The day from which on invoices are made.', Day),
  dayOfMonth: means('The chosen day of the month. Null if it follows from `startsOn`.', Maybe(Type.Integer())),
  until: means('The last day on which an invoice can be made. Null without an end.', Maybe(Day)),
  count: means('How many periods the schedule has. Null without an end.', Maybe(Type.Integer())),
  billing: means(
    '`in_advance`: the period of an invoice begins on its day; with `quarter_end`, it is the next quarter. `in_arrears`: the period ends on its day.',
    OneOf(...calendar.billings),
  ),
  catchUp: means(meaningOf.catchUps, OneOf(...recurringSchedules.catchUps)),
  policy: means(
    `What happens to the next invoice after it was made. ${meaningOf.policies}`,
    OneOf(...recurringSchedules.policies),
  ),
  dueInDays: means('Days from an invoice to its due date. Null for invoices without one.', Maybe(Type.Integer())),
  invoice: means('The content of the next invoice, with placeholders.', ContentView),
  changesOn: means(
    'The days of planned changes after the next invoice, in order. From each of them on, other contents count.',
    List(Day),
  ),
  createdBy: means(
    'Who created the schedule. It goes on if this person leaves, or if this API key is revoked.',
    SharedView.createdBy,
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
    invoice: toContentView(template),
    changesOn: [...schedule.changesOn],
    createdBy: schedule.createdBy,
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
    '`made`: the period has its invoice. `waiting`: the invoice was refused for a reason that may pass, such as missing credits; it is tried again every hour, for three days. `failed`: the invoice was refused. `skipped`: you skipped the period. `missed`: the day passed and was not made up for.',
    OneOf(...recurringSchedules.runOutcomes),
  ),
  invoiceId: means('Unique identifier of the invoice. Null unless the outcome is `made`.', Maybe(Uuid)),
  invoiceNumber: means(
    'Number of the invoice when it was made. Null unless the outcome is `made`.',
    Maybe(Type.String()),
  ),
  error: means(
    'Why the invoice was refused, with the outcome `waiting` or `failed`. With `made`, why the accepted invoice was not sent. Otherwise null.',
    Maybe(Named('RecurringRefusal', RefusalView.properties)),
  ),
  ranAt: means('When the invoice was made, or last refused, or the period was skipped or missed.', Instant),
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
        status: Type.Optional(
          means(
            'Only schedules with this status. `RecurringSchedule.status` explains the values.',
            OneOf(...recurringSchedules.scheduleStatuses),
          ),
        ),
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
          billing: body.billing ?? (body.unit === 'quarter_end' ? 'in_arrears' : 'in_advance'),
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
          means(
            'The change counts for invoices on this day or later, up to the next planned change. It may be a past day, for periods that have no invoice. If left out, it counts from the next invoice on, and for periods before it that were refused.',
            Day,
          ),
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
    unskip: describeRoute(routes.unskip, {
      ...ofSchedule,
      body: Named('PeriodToMakeAgain', { day: means('The day of the invoice that is made after all.', Day) }),
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
      body: Named('PeriodToRun', { day: means('The day of the invoice that is made. Not after today.', Day) }),
      reply: RunView,
      decode: ({ params, body }) => ({ ...idOf({ params }), day: body.day }),
      encode: toRun,
    }),
  }
}
