import Type from 'typebox'
import {
  allocationWindow,
  currentPeriod,
  endReasons,
  type Payment,
  type PaymentId,
  paymentKinds,
  paymentStatuses,
  providerNames,
  type Renewal,
  type Subscription,
  type SubscriptionId,
  subscriptionStatuses,
} from '../../modules/billing/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
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
import { billingRoutes as routes } from '../routes/billing.ts'
import { billingAccounts } from './billing-accounts.ts'
import { Credits, CurrencyField, IntervalField } from './catalogue.ts'
import { meaningOf } from './value-meanings.ts'

const standardLimit = 50
const BySubscription = Fields({ id: means('Identifier of the subscription (UUIDv7).', Uuid) })
const ByPayment = Fields({ id: means('Identifier of the payment (UUIDv7).', Uuid) })

const ReturnPath = Type.Optional(
  Type.String({
    format: 'single-line',
    maxLength: 500,
    // A second slash or a backslash would let a browser go to another host.
    pattern: '^/(?![/\\\\])[^\\s\\\\]*$',
    explanation: 'must be a path of the dashboard that begins with one slash, such as /billing',
    description: 'Path of the dashboard that the browser opens after the checkout, at most 500 characters.',
  }),
)

const SubscriptionView = Named('Subscription', {
  id: means('Unique identifier of the subscription (UUIDv7).', Uuid),
  planCode: means('Code of the plan, such as `starter`.', Type.String()),
  interval: means('How often the plan is paid: `monthly` or `yearly`.', IntervalField),
  currency: means('Currency of the price, as an ISO 4217 code.', CurrencyField),
  amountMinor: means('Price of one period, in minor units such as cents. Fixed when you subscribe.', MinorUnits),
  monthlyCredits: means('Credits added to the live balance every month. Fixed when you subscribe.', Credits),
  status: means(meaningOf.subscriptionStatuses, OneOf(...subscriptionStatuses)),
  endReason: means(
    `Why the subscription ended. ${meaningOf.endReasons} Null until it ends.`,
    Maybe(OneOf(...endReasons)),
  ),
  cancelAtPeriodEnd: means(
    'Whether the subscription ends with the current period, because a user cancelled it.',
    Type.Boolean(),
  ),
  cancelReason: means('Reason that the user gave for the cancellation. Null if none was given.', Maybe(Type.String())),
  currentPeriod: means(
    'Current billing period. Null until the first payment.',
    Maybe(
      Fields({
        number: means('Number of the period, counted from 1.', Type.Integer()),
        startsAt: means('When the period begins.', Instant),
        endsAt: means('When the period ends and the next one begins.', Instant),
      }),
    ),
  ),
  window: means(
    'Month for which credits were added last. Null unless the subscription is `active`.',
    Maybe(
      Fields({
        startsAt: means('When the month begins, counted from the start of the subscription.', Instant),
        endsAt: means('When the month ends and the next credits are added.', Instant),
        credits: means('Credits added for this month.', Credits),
      }),
    ),
  ),
  createdAt: means('When the user subscribed.', Instant),
  endedAt: means('When the subscription ended. Null until then.', Maybe(Instant)),
})

function toSubscription({ subscription, now }: { subscription: Subscription; now: Date }) {
  const s = subscription
  const period = currentPeriod(s)
  const window = allocationWindow(s, now)
  return {
    id: s.id,
    planCode: s.planCode,
    interval: s.interval,
    currency: s.currency,
    amountMinor: Number(s.amountMinor),
    monthlyCredits: Number(s.monthlyCredits),
    status: s.status,
    endReason: s.endReason,
    cancelAtPeriodEnd: s.cancelAtPeriodEnd,
    cancelReason: s.cancelReason,
    currentPeriod: period
      ? { number: s.period, startsAt: period.startsAt.toISOString(), endsAt: period.endsAt.toISOString() }
      : null,
    window: window && {
      startsAt: window.startsAt.toISOString(),
      endsAt: window.endsAt.toISOString(),
      credits: Number(window.credits),
    },
    createdAt: s.createdAt.toISOString(),
    endedAt: isoOrNull(s.endedAt),
  }
}

const paymentFields = {
  id: means('Unique identifier of the payment (UUIDv7).', Uuid),
  kind: means(`What the payment is for. ${meaningOf.paymentKinds}`, OneOf(...paymentKinds)),
  status: means(meaningOf.paymentStatuses, OneOf(...paymentStatuses)),
  provider: means('Payment provider that collects the money.', OneOf(...providerNames)),
  currency: means('Currency of the payment, as an ISO 4217 code.', CurrencyField),
  amountMinor: means('Amount of the payment, in minor units such as cents.', MinorUnits),
  refundedMinor: means('Amount that went back to the payer so far, in minor units.', MinorUnits),
  description: means('What is paid for, as the checkout shows it.', Type.String()),
  credits: means('Credits that the payment has bought so far.', Credits),
  packageId: means('Identifier of the package that was bought. Null for plans.', Maybe(Uuid)),
  subscriptionId: means('Identifier of the subscription that is paid for. Null for packages.', Maybe(Uuid)),
  createdAt: means('When the payment was started.', Instant),
  expiresAt: means('When the checkout can no longer be paid.', Instant),
  paidAt: means('When the payment succeeded. Null until then.', Maybe(Instant)),
}
const ListedPayment = Named('ListedBillingPayment', paymentFields)
const PaymentView = Named('BillingPayment', {
  ...paymentFields,
  checkoutUrl: Type.Optional(
    Type.String({
      format: 'uri',
      description: 'Page of the provider where the payment is made. Present only while the payment is `pending`.',
    }),
  ),
})

const toListed = (p: Payment) => ({
  id: p.id,
  kind: p.kind,
  status: p.status,
  provider: p.provider,
  currency: p.currency,
  amountMinor: Number(p.amountMinor),
  refundedMinor: Number(p.refundedMinor),
  description: p.description,
  credits: Number(p.credits),
  packageId: p.packageId,
  subscriptionId: p.subscriptionId,
  createdAt: p.createdAt.toISOString(),
  expiresAt: p.expiresAt.toISOString(),
  paidAt: isoOrNull(p.paidAt),
})
const toPayment = (payment: Payment) => ({
  ...toListed(payment),
  ...(payment.status === 'pending' && payment.checkoutUrl !== null ? { checkoutUrl: payment.checkoutUrl } : {}),
})

const checkoutUrl = Type.String({
  format: 'uri',
  description: 'Page of the payment provider. Send the browser there to pay.',
})
const SubscriptionCheckoutView = Named('SubscriptionCheckout', {
  subscription: means('The subscription that the payment is for.', SubscriptionView),
  payment: means('The payment that the checkout collects.', PaymentView),
  checkoutUrl,
})
const toSubscriptionCheckout = (checkout: { subscription: Subscription; payment: Payment; now: Date }) => ({
  subscription: toSubscription(checkout),
  payment: toPayment(checkout.payment),
  checkoutUrl: checkout.payment.checkoutUrl as string,
})
/** A checkout that still awaits payment is returned again with status 200: nothing was created. */
const checkoutStatus = { status: 201, otherStatuses: [200], statusOf: (c: { isNew: boolean }) => (c.isNew ? 201 : 200) }
const locationOf = ({ payment }: { payment: Payment }) => `/b/v1/payments/${payment.id}`

const RenewalView = Fields({
  subscriptionId: means('Identifier of the subscription (UUIDv7).', Uuid),
  planCode: means('Code of the plan, such as `starter`.', Type.String()),
  number: means('Number of the period, counted from 1.', Type.Integer()),
  startsAt: means('When the period begins.', Instant),
  endsAt: means('When the period ends.', Instant),
  amountMinor: means('Price of the period, in minor units such as cents.', MinorUnits),
  currency: means('Currency of the price, as an ISO 4217 code.', Type.String()),
  status: means('Whether the period is `paid` or `unpaid`.', OneOf('paid', 'unpaid')),
  paidAt: means('When the period was paid. Null until then.', Maybe(Instant)),
  paymentId: means(
    'Identifier of the payment that paid the period, or else of the latest attempt. Null before the first attempt.',
    Maybe(Uuid),
  ),
  attempts: means('Number of payments started for this period.', Type.Integer()),
  method: means(
    'How the payment in `paymentId` is made: `checkout` (a user pays on the provider’s page) or `saved_card`. Null before the first attempt.',
    Maybe(OneOf('checkout', 'saved_card')),
  ),
  paymentStatus: means(
    'Status of the payment in `paymentId`. `BillingPayment.status` explains the values. Null before the first attempt.',
    Maybe(OneOf(...paymentStatuses)),
  ),
})
const toRenewal = (r: Renewal) => ({
  subscriptionId: r.subscriptionId,
  planCode: r.planCode,
  number: r.number,
  startsAt: r.startsAt.toISOString(),
  endsAt: r.endsAt.toISOString(),
  amountMinor: Number(r.amountMinor),
  currency: r.currency,
  status: r.paidAt === null ? ('unpaid' as const) : ('paid' as const),
  paidAt: isoOrNull(r.paidAt),
  paymentId: r.lastPaymentId,
  attempts: r.tries,
  method: r.hosted === null ? null : r.hosted ? ('checkout' as const) : ('saved_card' as const),
  paymentStatus: r.lastStatus,
})

const bySubscription = { status: 200, params: BySubscription, reply: SubscriptionView, encode: toSubscription } as const

export const billing = {
  ...billingAccounts,
  listSubscriptions: describeRoute(routes.listSubscriptions, {
    status: 200,
    query: Fields(PageQuery(standardLimit)),
    reply: List(SubscriptionView),
    decode: ({ query }) => ({ page: pageFrom(query, standardLimit) }),
    encode: ({ rows, now }) => rows.map((subscription) => toSubscription({ subscription, now })),
    pagination: (page) => page,
  }),
  getActiveSubscription: describeRoute(routes.getActiveSubscription, {
    status: 200,
    reply: SubscriptionView,
    decode: () => undefined,
    encode: toSubscription,
  }),
  listRenewals: describeRoute(routes.listRenewals, {
    status: 200,
    query: Fields({
      ...PageQuery(standardLimit),
      subscriptionId: means('Only periods of this subscription (UUIDv7).', Type.Optional(Uuid)),
    }),
    reply: List(RenewalView),
    decode: ({ query }) => ({
      subscriptionId: query.subscriptionId as SubscriptionId | undefined,
      page: pageFrom(query, standardLimit),
    }),
    encode: ({ rows }) => rows.map(toRenewal),
    pagination: (page) => page,
  }),
  getSubscription: describeRoute(routes.getSubscription, {
    ...bySubscription,
    decode: ({ params }) => ({ id: params.id as SubscriptionId }),
  }),
  subscribe: describeRoute(routes.subscribe, {
    ...checkoutStatus,
    body: Fields({
      planCode: means('Code of the plan, such as `starter`.', Text(1, 50)),
      interval: means('How often you pay: `monthly` or `yearly`.', IntervalField),
      currency: means('Currency that you pay in, as an ISO 4217 code.', CurrencyField),
      returnPath: ReturnPath,
    }),
    reply: SubscriptionCheckoutView,
    decode: ({ body }) => ({
      planCode: body.planCode,
      interval: body.interval,
      currency: body.currency,
      returnPath: body.returnPath,
    }),
    encode: toSubscriptionCheckout,
    location: ({ subscription }) => `/b/v1/subscriptions/${subscription.id}`,
  }),
  cancelSubscription: describeRoute(routes.cancelSubscription, {
    ...bySubscription,
    body: Fields({ reason: means('Why you cancel, at most 500 characters.', Type.Optional(Prose(1, 500))) }),
    decode: ({ params, body }) => ({ id: params.id as SubscriptionId, reason: body.reason }),
  }),
  renewSubscription: describeRoute(routes.renewSubscription, {
    ...checkoutStatus,
    params: BySubscription,
    body: Fields({ returnPath: ReturnPath }),
    reply: SubscriptionCheckoutView,
    decode: ({ params, body }) => ({ id: params.id as SubscriptionId, returnPath: body.returnPath }),
    encode: toSubscriptionCheckout,
    location: locationOf,
  }),
  resumeSubscription: describeRoute(routes.resumeSubscription, {
    ...bySubscription,
    decode: ({ params }) => ({ id: params.id as SubscriptionId }),
  }),
  listPayments: describeRoute(routes.listPayments, {
    status: 200,
    query: Fields({
      ...PageQuery(standardLimit),
      status: means(
        `Only payments with this status. ${meaningOf.paymentStatuses}`,
        Type.Optional(OneOf(...paymentStatuses)),
      ),
      kind: means(`Only payments of this kind. ${meaningOf.paymentKinds}`, Type.Optional(OneOf(...paymentKinds))),
    }),
    reply: List(ListedPayment),
    decode: ({ query }) => ({
      filter: { status: query.status, kind: query.kind },
      page: pageFrom(query, standardLimit),
    }),
    encode: ({ rows }) => rows.map(toListed),
    pagination: (page) => page,
  }),
  getPayment: describeRoute(routes.getPayment, {
    status: 200,
    params: ByPayment,
    reply: PaymentView,
    decode: ({ params }) => ({ id: params.id as PaymentId }),
    encode: toPayment,
  }),
  purchase: describeRoute(routes.purchase, {
    ...checkoutStatus,
    body: Fields({
      packageId: means('Identifier of the package (UUID).', Uuid),
      currency: means('Currency that you pay in, as an ISO 4217 code.', CurrencyField),
      returnPath: ReturnPath,
    }),
    reply: Fields({ payment: means('The payment that the checkout collects.', PaymentView), checkoutUrl }),
    decode: ({ body }) => ({ packageId: body.packageId, currency: body.currency, returnPath: body.returnPath }),
    encode: ({ payment }) => ({ payment: toPayment(payment), checkoutUrl: payment.checkoutUrl as string }),
    location: locationOf,
  }),
}
