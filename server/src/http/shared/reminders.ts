import Type, { type Static } from 'typebox'
import { languageCodes } from '../../kernel/languages/languages.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import type { InvoiceId } from '../../modules/invoices/index.ts'
import { reminders as values } from '../../modules/reminders/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Day,
  Fields,
  Instant,
  isoOrNull,
  List,
  MailedWords,
  Maybe,
  MinorUnits,
  means,
  Named,
  OneOf,
  PageQuery,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { reminderRoutes as routes } from '../routes/reminders.ts'
import { meaningOf } from './value-meanings.ts'

const placeholderWords =
  'These placeholders are replaced: `{buyer}`, `{seller}`, `{number}`, `{amount due}`, `{due date}`, `{days overdue}`.'
const Subject = means(`Subject of the mail. ${placeholderWords}`, Text(1, values.longestSubject))
const Body = means(
  `Text of the mail. Each line is a paragraph. ${placeholderWords} \`{link}\` is where the list of invoices stands, each with its amount and link; without it, at the end. Web addresses are not allowed.`,
  MailedWords(1, values.longestBody),
)
const currency = means('Currency of the amount (ISO 4217).', Text(3, 3))
const mostMinor = 1_000_000_000_000_000

const StepBody = Named('NewReminderStep', {
  days: means(
    `Days from the due date, ${values.earliestStep} to ${values.latestStep}: negative before it, 0 on it, positive after it.`,
    Type.Integer({ minimum: values.earliestStep, maximum: values.latestStep }),
  ),
  minimumAmounts: Type.Optional(
    Type.Array(
      Named('NewReminderMinimum', {
        currency,
        amountMinor: means(
          'Invoices are left out if the mail would ask for less, in minor units.',
          Type.Integer({ minimum: 0, maximum: mostMinor }),
        ),
      }),
      {
        maxItems: values.mostMinimums,
        description: 'The least amount due, by currency. Currencies that are not listed have none.',
      },
    ),
  ),
  templates: Type.Optional(
    Type.Array(
      Named('NewReminderTemplate', {
        language: means(
          'For buyers with this language (ISO 639-1). Null: for all languages without a template of their own.',
          Maybe(OneOf(...languageCodes)),
        ),
        subject: Subject,
        body: Body,
      }),
      {
        maxItems: languageCodes.length + 1,
        description:
          'Your own words. Without a template for the language of the buyer, the mail has the standard words in that language.',
      },
    ),
  ),
})
const PlanBody = Named('NewReminderPlan', {
  on: means('Whether reminders are sent.', Type.Boolean()),
  hour: means(
    'Hour of the day at which reminders go out, 0 to 23, in the time zone of your organisation.',
    Type.Integer({ minimum: 0, maximum: 23 }),
  ),
  buyers: means(meaningOf.buyerScopes, OneOf(...values.buyerScopes)),
  steps: Type.Array(StepBody, { maxItems: values.mostSteps, description: 'The steps of the plan, at most 10.' }),
  version: Type.Optional(
    means(
      'The `version` that you read. The request is refused if the plan changed since. Unchecked if left out.',
      Type.Integer({ minimum: 0 }),
    ),
  ),
})

const PlanView = Named('ReminderPlan', {
  on: means('Whether reminders are sent.', Type.Boolean()),
  hour: means('Hour of the day at which reminders go out, in the time zone of your organisation.', Type.Integer()),
  timeZone: means('Time zone of your organisation (IANA), such as `Europe/Paris`.', Type.String()),
  buyers: means(meaningOf.buyerScopes, OneOf(...values.buyerScopes)),
  steps: means(
    'The steps of the plan, in the order of their days.',
    List(
      Named('ReminderStep', {
        days: means('Days from the due date: negative before it.', Type.Integer()),
        minimumAmounts: means(
          'The least amount due, by currency.',
          List(
            Named('ReminderMinimum', {
              currency: means('Currency of the amount (ISO 4217).', Type.String()),
              amountMinor: means('The least amount due, in minor units.', MinorUnits),
            }),
          ),
        ),
        templates: means(
          'Your own words. The standard words are used for languages without a template.',
          List(
            Named('ReminderTemplate', {
              language: means(
                'Language of the buyers (ISO 639-1). Null for all languages without a template of their own.',
                Maybe(OneOf(...languageCodes)),
              ),
              subject: means('Subject of the mail, with placeholders.', Type.String()),
              body: means('Text of the mail, with placeholders.', Type.String()),
            }),
          ),
        ),
      }),
    ),
  ),
  nextRunAt: means('When the next reminders go out. Null while the plan is switched off.', Maybe(Instant)),
  version: means('Rises with each change. 0 if no plan was saved.', Type.Integer()),
  updatedAt: means('When the plan was saved last. Null if no plan was saved.', Maybe(Instant)),
})
const toPlan = (plan: values.ShownPlan): Static<typeof PlanView> => ({
  on: plan.isOn,
  hour: plan.hour,
  timeZone: plan.zone,
  buyers: plan.buyers,
  steps: plan.steps.map(({ days, minimums, templates }) => ({
    days,
    minimumAmounts: minimums.map(({ currency, amountMinor }) => ({ currency, amountMinor: Number(amountMinor) })),
    templates: templates.map(({ language, subject, body }) => ({ language, subject, body })),
  })),
  nextRunAt: isoOrNull(plan.nextAt),
  version: plan.version,
  updatedAt: isoOrNull(plan.updatedAt),
})

const facts = {
  invoiceId: means('Unique identifier of the invoice.', Uuid),
  invoiceNumber: means('Number of the invoice.', Type.String()),
  dueMinor: means('Amount due, in minor units.', MinorUnits),
  currency: means('Currency of the amount (ISO 4217).', Type.String()),
}

const UpcomingView = Named('UpcomingReminder', {
  day: means('The day on which the reminder goes out, in the time zone of your organisation.', Day),
  stepDays: means('The step of the plan, in days from the due date.', Type.Integer()),
  ...facts,
  dueDate: means('Due date of the invoice.', Day),
  buyerId: means('Unique identifier of the buyer.', Uuid),
  buyerName: means('Name of the buyer.', Type.String()),
  to: means('Email address of the buyer.', Type.String()),
})

const SentView = Named('SentReminder', {
  id: means('Unique identifier of the entry (UUIDv7).', Uuid),
  kind: means('`scheduled`: the plan sent it. `manual`: a person or program sent it.', OneOf('scheduled', 'manual')),
  stepDays: means(
    'The step of the plan, in days from the due date. Null if it was sent by hand.',
    Maybe(Type.Integer()),
  ),
  day: means('The day of the reminder, in the time zone of your organisation.', Day),
  ...facts,
  dueDate: means('Due date of the invoice at that time. Null if it had none.', Maybe(Day)),
  buyerId: means('Unique identifier of the buyer. Null if the invoice named no saved buyer.', Maybe(Uuid)),
  to: means('Email address that the reminder was sent to.', Type.String()),
  sentAt: means('When the reminder was queued. The mail leaves a moment later.', Instant),
  notSentReason: means(
    'Why the mail left the invoice out when it was sent. `InvoiceReminders.heldBack` explains the values. Null if the reminder was not stopped.',
    Maybe(OneOf(...values.heldBackReasons)),
  ),
  mayHaveArrived: means('Whether a stopped reminder had an attempt without an answer before.', Type.Boolean()),
})
const toSent = (sent: values.SentReminder): Static<typeof SentView> => ({
  id: sent.id,
  kind: sent.stepDays === null ? 'manual' : 'scheduled',
  stepDays: sent.stepDays,
  day: sent.day,
  invoiceId: sent.invoiceId,
  invoiceNumber: sent.invoiceNumber,
  dueMinor: Number(sent.dueMinor),
  currency: sent.currency,
  dueDate: sent.dueDate,
  buyerId: sent.buyerId,
  to: sent.recipient,
  sentAt: sent.sentAt.toISOString(),
  notSentReason: sent.notSentReason,
  mayHaveArrived: sent.mayHaveArrived,
})

const InvoiceView = Named('InvoiceReminders', {
  dispute: means(
    'The dispute of the invoice. Null if it is not disputed.',
    Maybe(
      Named('InvoiceDispute', {
        reason: means('What the buyer disputes, in your words.', Type.String()),
        disputedAt: means('When the invoice was marked as disputed.', Instant),
      }),
    ),
  ),
  promise: means(
    'The promise to pay. Null if none is recorded.',
    Maybe(
      Named('PaymentPromise', {
        day: means('The day by which the buyer will pay.', Day),
        remark: means('Your remark. Null if there is none.', Maybe(Type.String())),
        promisedAt: means('When the promise was recorded.', Instant),
      }),
    ),
  ),
  heldBack: means(
    `Why the plan sends no reminder now. ${meaningOf.heldBackReasons} Null if nothing stops it.`,
    Maybe(OneOf(...values.heldBackReasons)),
  ),
  next: means(
    'The next reminder of the plan. Null if none will come.',
    Maybe(
      Named('NextReminder', {
        day: means('The day of the reminder, in the time zone of your organisation.', Day),
        stepDays: means('The step of the plan, in days from the due date.', Type.Integer()),
      }),
    ),
  ),
  sent: means('The 50 newest reminders of this invoice, newest first.', List(SentView)),
})
const toInvoice = ({ pause, heldBack, next, sent }: values.InvoiceReminders): Static<typeof InvoiceView> => ({
  dispute:
    pause.disputedAt && pause.disputeReason !== null
      ? { reason: pause.disputeReason, disputedAt: pause.disputedAt.toISOString() }
      : null,
  promise:
    pause.promisedAt && pause.promisedOn !== null
      ? { day: pause.promisedOn, remark: pause.promiseRemark, promisedAt: pause.promisedAt.toISOString() }
      : null,
  heldBack,
  next,
  sent: sent.map(toSent),
})

const InvoiceById = Fields({ id: means('Unique identifier of the invoice.', Uuid) })
const BuyerById = Fields({ id: means('Unique identifier of the buyer.', Uuid) })
const invoiceRef = ({ params }: { readonly params: { readonly id: string } }) => ({ id: params.id as InvoiceId })
const buyerRef = ({ params }: { readonly params: { readonly id: string } }) => ({ id: params.id as BuyerId })
const ofInvoice = {
  status: 200,
  params: InvoiceById,
  reply: InvoiceView,
  decode: invoiceRef,
  encode: toInvoice,
} as const

const choice = means(meaningOf.buyerChoices, OneOf(...values.buyerChoices))
const ChoiceView = Named('BuyerReminders', { reminders: choice })

/** The same in both forms. */
export const reminders = {
  getPlan: describeRoute(routes.getPlan, { status: 200, reply: PlanView, decode: () => undefined, encode: toPlan }),
  savePlan: describeRoute(routes.savePlan, {
    status: 200,
    body: PlanBody,
    reply: PlanView,
    decode: ({ body }) => ({
      isOn: body.on,
      hour: body.hour,
      buyers: body.buyers,
      version: body.version,
      steps: body.steps.map(({ days, minimumAmounts = [], templates = [] }) => ({
        days,
        minimums: minimumAmounts.map(({ currency, amountMinor }) => ({ currency, amountMinor: BigInt(amountMinor) })),
        templates,
      })),
    }),
    encode: toPlan,
  }),
  preview: describeRoute(routes.preview, {
    status: 200,
    body: Named('ReminderToPreview', {
      subject: Type.Optional(
        means(
          `Subject of the mail. The standard words if left out together with \`body\`. ${placeholderWords}`,
          Text(1, values.longestSubject),
        ),
      ),
      body: Type.Optional(Body),
      language: Type.Optional(
        means('Language of the mail (ISO 639-1). That of the buyer if left out.', OneOf(...languageCodes)),
      ),
      invoiceIds: Type.Optional(
        Type.Array(Uuid, {
          maxItems: 10,
          description: 'Invoices of the mail, at most 10. A made-up invoice if left out.',
        }),
      ),
      days: Type.Optional(
        means(
          'The step of the plan, in days from the due date of the made-up invoice. 7 if left out.',
          Type.Integer({ minimum: values.earliestStep, maximum: values.latestStep }),
        ),
      ),
    }),
    reply: Named('ReminderPreview', {
      language: means('Language of the mail (ISO 639-1).', Type.String()),
      subject: means('Subject of the mail.', Type.String()),
      text: means('The mail as plain text.', Type.String()),
      html: means('The mail as HTML, without the logo.', Type.String()),
    }),
    decode: ({ body }) => ({
      subject: body.subject,
      body: body.body,
      language: body.language,
      invoiceIds: (body.invoiceIds ?? []) as InvoiceId[],
      stepDays: body.days ?? 7,
    }),
    encode: ({ language, subject, text, html }) => ({ language, subject, text, html }),
  }),
  listUpcoming: describeRoute(routes.listUpcoming, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(UpcomingView),
    decode: ({ query }) => pageFrom(query),
    encode: ({ rows }) =>
      rows.map((row) => ({
        day: row.day,
        stepDays: row.stepDays,
        invoiceId: row.invoiceId,
        invoiceNumber: row.invoiceNumber,
        dueMinor: Number(row.dueMinor),
        currency: row.currency,
        dueDate: row.dueDate,
        buyerId: row.buyerId,
        buyerName: row.buyerName,
        to: row.recipient,
      })),
    pagination: (page) => page,
  }),
  listSent: describeRoute(routes.listSent, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      buyerId: Type.Optional(means('Only reminders to this buyer.', Uuid)),
      invoiceId: Type.Optional(means('Only reminders of this invoice.', Uuid)),
    }),
    reply: List(SentView),
    decode: ({ query }) => ({
      buyerId: query.buyerId as BuyerId | undefined,
      invoiceId: query.invoiceId as InvoiceId | undefined,
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toSent),
    pagination: (page) => page,
  }),
  getOfInvoice: describeRoute(routes.getOfInvoice, ofInvoice),
  dispute: describeRoute(routes.dispute, {
    ...ofInvoice,
    body: Named('NewDispute', {
      reason: means('What the buyer disputes, in your words.', Prose(1, values.longestReason)),
    }),
    decode: ({ params, body }) => ({ ...invoiceRef({ params }), reason: body.reason }),
  }),
  resolveDispute: describeRoute(routes.resolveDispute, ofInvoice),
  promise: describeRoute(routes.promise, {
    ...ofInvoice,
    body: Named('NewPaymentPromise', {
      day: means('The day by which the buyer will pay, from today to 365 days ahead.', Day),
      remark: Type.Optional(means('Your remark, which the buyer does not see.', Maybe(Prose(0, values.longestReason)))),
    }),
    decode: ({ params, body }) => ({ ...invoiceRef({ params }), day: body.day, remark: body.remark || null }),
  }),
  withdrawPromise: describeRoute(routes.withdrawPromise, ofInvoice),
  getOfBuyer: describeRoute(routes.getOfBuyer, {
    status: 200,
    params: BuyerById,
    reply: ChoiceView,
    decode: buyerRef,
    encode: (reminders) => ({ reminders }),
  }),
  chooseBuyer: describeRoute(routes.chooseBuyer, {
    status: 200,
    params: BuyerById,
    body: Named('NewBuyerReminders', { reminders: choice }),
    reply: ChoiceView,
    decode: ({ params, body }) => ({ ...buyerRef({ params }), choice: body.reminders }),
    encode: (reminders) => ({ reminders }),
  }),
}
