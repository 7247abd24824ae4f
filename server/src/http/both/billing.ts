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
import { billingEndpoints as endpoints } from '../endpoints/billing.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  MinorUnits,
  Named,
  OneOf,
  PageQuery,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../fields.ts'
import { speak } from '../speak.ts'
import { billingAccounts } from './billing-accounts.ts'
import { Credits, CurrencyField, IntervalField } from './catalogue.ts'

const standardLimit = 50
const ById = Fields({ id: Uuid })

const ReturnPath = Type.Optional(
  Type.String({
    format: 'single-line',
    maxLength: 500,
    // One slash, then anything but what a browser would take for another host.
    pattern: '^/(?![/\\\\])[^\\s\\\\]*$',
    explanation: 'must be a path of the dashboard that begins with one slash, such as /billing',
    description: 'where the dashboard goes on after the checkout',
  }),
)

const SubscriptionView = Named('Subscription', {
  id: Uuid,
  planCode: Type.String(),
  interval: IntervalField,
  currency: CurrencyField,
  amountMinor: MinorUnits,
  monthlyCredits: Credits,
  status: OneOf(...subscriptionStatuses),
  endReason: Maybe(OneOf(...endReasons)),
  cancelAtPeriodEnd: Type.Boolean(),
  cancelReason: Maybe(Type.String()),
  currentPeriod: Maybe(Fields({ number: Type.Integer(), startsAt: Instant, endsAt: Instant })),
  window: Maybe(Fields({ startsAt: Instant, endsAt: Instant, credits: Credits })),
  createdAt: Instant,
  endedAt: Maybe(Instant),
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
  id: Uuid,
  kind: OneOf(...paymentKinds),
  status: OneOf(...paymentStatuses),
  provider: OneOf(...providerNames),
  currency: CurrencyField,
  amountMinor: MinorUnits,
  refundedMinor: MinorUnits,
  description: Type.String(),
  credits: Credits,
  packageId: Maybe(Uuid),
  subscriptionId: Maybe(Uuid),
  createdAt: Instant,
  expiresAt: Instant,
  paidAt: Maybe(Instant),
}
const ListedPayment = Named('ListedBillingPayment', paymentFields)
const PaymentView = Named('BillingPayment', {
  ...paymentFields,
  checkoutUrl: Type.Optional(Type.String({ format: 'uri' })),
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

const checkoutUrl = Type.String({ format: 'uri', description: 'send the browser there' })
const SubscriptionCheckoutView = Named('SubscriptionCheckout', {
  subscription: SubscriptionView,
  payment: PaymentView,
  checkoutUrl,
})
const toSubscriptionCheckout = (checkout: { subscription: Subscription; payment: Payment; now: Date }) => ({
  subscription: toSubscription(checkout),
  payment: toPayment(checkout.payment),
  checkoutUrl: checkout.payment.checkoutUrl as string,
})
/** An open checkout that is given again was not created now. */
const checkoutStatus = { status: 201, otherStatuses: [200], statusOf: (c: { isNew: boolean }) => (c.isNew ? 201 : 200) }
const locationOf = ({ payment }: { payment: Payment }) => `/b/v1/payments/${payment.id}`

const RenewalView = Fields({
  subscriptionId: Uuid,
  planCode: Type.String(),
  number: Type.Integer(),
  startsAt: Instant,
  endsAt: Instant,
  amountMinor: MinorUnits,
  currency: Type.String(),
  status: OneOf('paid', 'unpaid'),
  paidAt: Maybe(Instant),
  paymentId: Maybe(Uuid),
  attempts: Type.Integer(),
  method: Maybe(OneOf('checkout', 'saved_card')),
  paymentStatus: Maybe(OneOf(...paymentStatuses)),
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

const bySubscription = { status: 200, params: ById, reply: SubscriptionView, encode: toSubscription } as const

export const billing = {
  ...billingAccounts,
  listSubscriptions: speak(endpoints.listSubscriptions, {
    status: 200,
    query: Fields(PageQuery(standardLimit)),
    reply: List(SubscriptionView),
    decode: ({ query }) => ({ page: pageFrom(query, standardLimit) }),
    encode: ({ rows, now }) => rows.map((subscription) => toSubscription({ subscription, now })),
    pagination: (page) => page,
  }),
  getActiveSubscription: speak(endpoints.getActiveSubscription, {
    status: 200,
    reply: SubscriptionView,
    decode: () => undefined,
    encode: toSubscription,
  }),
  listRenewals: speak(endpoints.listRenewals, {
    status: 200,
    query: Fields({ ...PageQuery(standardLimit), subscriptionId: Type.Optional(Uuid) }),
    reply: List(RenewalView),
    decode: ({ query }) => ({
      subscriptionId: query.subscriptionId as SubscriptionId | undefined,
      page: pageFrom(query, standardLimit),
    }),
    encode: ({ rows }) => rows.map(toRenewal),
    pagination: (page) => page,
  }),
  getSubscription: speak(endpoints.getSubscription, {
    ...bySubscription,
    decode: ({ params }) => ({ id: params.id as SubscriptionId }),
  }),
  subscribe: speak(endpoints.subscribe, {
    ...checkoutStatus,
    body: Fields({
      planCode: Text(1, 50),
      interval: IntervalField,
      currency: CurrencyField,
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
  cancelSubscription: speak(endpoints.cancelSubscription, {
    ...bySubscription,
    body: Fields({ reason: Type.Optional(Prose(1, 500)) }),
    decode: ({ params, body }) => ({ id: params.id as SubscriptionId, reason: body.reason }),
  }),
  renewSubscription: speak(endpoints.renewSubscription, {
    ...checkoutStatus,
    params: ById,
    body: Fields({ returnPath: ReturnPath }),
    reply: SubscriptionCheckoutView,
    decode: ({ params, body }) => ({ id: params.id as SubscriptionId, returnPath: body.returnPath }),
    encode: toSubscriptionCheckout,
    location: locationOf,
  }),
  resumeSubscription: speak(endpoints.resumeSubscription, {
    ...bySubscription,
    decode: ({ params }) => ({ id: params.id as SubscriptionId }),
  }),
  listPayments: speak(endpoints.listPayments, {
    status: 200,
    query: Fields({
      ...PageQuery(standardLimit),
      status: Type.Optional(OneOf(...paymentStatuses)),
      kind: Type.Optional(OneOf(...paymentKinds)),
    }),
    reply: List(ListedPayment),
    decode: ({ query }) => ({
      filter: { status: query.status, kind: query.kind },
      page: pageFrom(query, standardLimit),
    }),
    encode: ({ rows }) => rows.map(toListed),
    pagination: (page) => page,
  }),
  getPayment: speak(endpoints.getPayment, {
    status: 200,
    params: ById,
    reply: PaymentView,
    decode: ({ params }) => ({ id: params.id as PaymentId }),
    encode: toPayment,
  }),
  purchase: speak(endpoints.purchase, {
    ...checkoutStatus,
    body: Fields({ packageId: Uuid, currency: CurrencyField, returnPath: ReturnPath }),
    reply: Fields({ payment: PaymentView, checkoutUrl }),
    decode: ({ body }) => ({ packageId: body.packageId, currency: body.currency, returnPath: body.returnPath }),
    encode: ({ payment }) => ({ payment: toPayment(payment), checkoutUrl: payment.checkoutUrl as string }),
    location: locationOf,
  }),
}
