import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import type { EventPayloads } from '../../kernel/event-payloads.ts'
import type { EventType } from '../../kernel/events.ts'
import { List, Maybe, named, OneOf } from '../fields.ts'

/** Receivers are told of further fields as they come, and must not stumble over them. */
const Told = <P extends TProperties>(properties: P) => Type.Object(properties)

const text = Type.String()
const whole = Type.Integer()
const yes = Type.Boolean()
const texts = List(text)
const minor = Type.Integer({ description: 'in minor units: kobo, cents' })

const invoice = {
  invoiceId: text,
  invoiceNumber: text,
  invoiceType: text,
  invoiceKind: text,
  status: text,
  buyerId: Maybe(text),
  currency: text,
  payableMinor: minor,
  taxMinor: minor,
  originalInvoiceId: Maybe(text),
  jurisdiction: Maybe(text),
  authorityReference: Maybe(text),
  submittedAt: Maybe(text),
}
const uses = { itemUses: Type.Record(Type.String(), Type.Integer()) }
const amounts = { paidMinor: minor, dueMinor: minor }
const creditNote = { creditNoteId: Type.Optional(text) }
const reasons = { reasons: Type.Optional(texts) }
const buyer = { buyerId: text, name: text, taxId: Maybe(text), taxIdType: text, taxIdStatus: text }
const seller = { sellerId: text, name: text, taxId: Maybe(text), isPrimary: yes }
const registered = { registeredName: Maybe(text) }
const connection = {
  connectionId: text,
  status: text,
  businessId: text,
  serviceId: text,
  businessName: Maybe(text),
  problem: Maybe(text),
}
const item = { itemId: text, name: text, sku: Maybe(text), itemType: text }
const payment = {
  paymentId: text,
  kind: text,
  status: text,
  amountMinor: minor,
  refundedMinor: minor,
  currency: text,
  credits: whole,
  subscriptionId: Type.Optional(text),
}
const subscription = {
  subscriptionId: text,
  planCode: text,
  interval: text,
  currency: text,
  status: text,
  cancelAtPeriodEnd: yes,
  endReason: Maybe(text),
}
const received = {
  paymentId: text,
  accountId: text,
  buyerId: Maybe(text),
  amountMinor: minor,
  appliedMinor: minor,
  creditedMinor: minor,
  refundedMinor: minor,
  unmatchedMinor: minor,
  currency: text,
  reconciliationStatus: text,
  receivedAt: text,
}
const refund = { ...received, refundId: text, refundAmountMinor: minor }
const virtualAccount = {
  accountId: text,
  reference: text,
  accountNumber: text,
  bankName: text,
  sellerId: text,
  buyerId: Maybe(text),
  invoiceId: Maybe(text),
}
const endpoint = { endpointId: text, host: text, events: texts }
const key = { name: text, mode: text }
const byMail = { email: text }
const Invoice = named('InvoiceEventData', Told(invoice))
const Item = named('ItemEventData', Told(item))
const Payment = named('BillingPaymentEventData', Told(payment))
const Subscription = named('SubscriptionEventData', Told(subscription))
const Endpoint = named('WebhookEndpointEventData', Told(endpoint))

/** The form of what each type tells, for documents and for those who check samples. */
export const eventPayloads = {
  'organization.created': Told({ name: text, country: text, parentId: Maybe(text) }),
  'organization.updated': Told({ changed: texts, name: text }),
  'organization.phone_verified': Told({ phone: text }),
  'organization.onboarding_completed': Told({ name: text }),
  'organization.credit_pool_changed': Told({
    primaryCoversSecondary: yes,
    fallbackToPrimary: yes,
    minimumReserve: whole,
  }),
  'organization.child_parted': Told({ name: text }),
  'organization.parted': Told({ parentId: text, parentName: text }),
  'organization.subscription_tier_changed': Told({ planCode: text }),
  'organization.tax_number_verified': Told({ taxNumber: text }),

  'member.joined': Told({ ...byMail, role: text }),
  'member.updated': Told({
    ...byMail,
    firstName: Type.Optional(text),
    lastName: Type.Optional(text),
    phone: Type.Optional(text),
  }),
  'member.removed': Told({ ...byMail, role: text, how: OneOf('removed', 'left') }),
  'member.role_changed': Type.Union([
    Told({ ...byMail, from: text, to: text }),
    Told({ ...byMail, role: text, extraPermissions: texts }),
  ]),
  'member.status_changed': Told({ ...byMail, from: text, to: text, reason: Maybe(text) }),
  'member.second_factor_removed': Told(byMail),
  'member.change_asked': Told({ ...byMail, what: text }),

  'invitation.created': Told({ ...byMail, role: text }),
  'invitation.resent': Told({ ...byMail, role: text }),
  'invitation.withdrawn': Told({ ...byMail, reason: Type.Optional(OneOf('sender_gone')) }),
  'invitation.accepted': Told(byMail),
  'invitation.expired': Told(byMail),

  'role.created': Told({ name: text, capabilities: texts }),
  'role.updated': Told({ name: text, capabilities: texts }),
  'role.deleted': Told({ name: text }),

  'api_key.created': Told(key),
  'api_key.updated': Told({ from: text, name: text }),
  'api_key.capabilities_changed': Told({ name: text, capabilities: texts }),
  'api_key.rotated': Told({ ...key, replacedBy: text, stopsAt: text }),
  'api_key.revoked': Told(key),
  'api_key.expired': Told(key),

  'tax_connection.connected': Told(connection),
  'tax_connection.failed': Told(connection),
  'tax_connection.key_file_stored': Told({ ...connection, fingerprint: text }),
  'tax_connection.revoked': Told({ ...connection, reason: Maybe(text) }),

  'inbound_invoice.received': Told({
    inboundInvoiceId: text,
    authorityReference: text,
    invoiceNumber: text,
    invoiceType: text,
    sellerName: Maybe(text),
    sellerTaxId: Maybe(text),
    issueDate: text,
    dueDate: Maybe(text),
    currency: text,
    taxMinor: minor,
    payableMinor: minor,
    isValid: yes,
    inputTaxClaimable: yes,
  }),

  'seller.created': Told(seller),
  'seller.updated': Told(seller),
  'seller.deleted': Told(seller),
  'seller.tax_id_verified': Told({ ...seller, ...registered, status: text }),
  'seller.tax_id_verification_failed': Told({ ...seller, ...registered, status: text }),

  'buyer.created': Told(buyer),
  'buyer.updated': Told({ ...buyer, changed: texts }),
  'buyer.deleted': Told(buyer),
  'buyer.archived': Told(buyer),
  'buyer.tax_id_verified': Told({ ...buyer, ...registered }),
  'buyer.tax_id_verification_failed': Told({ ...buyer, ...registered }),

  'item.created': Item,
  'item.updated': Item,
  'item.deleted': Item,
  'item.archived': Item,
  'item.unarchived': Item,

  'invoice.created': Told({ ...invoice, ...uses }),
  'invoice.updated': Told({ ...invoice, ...uses, changed: texts }),
  'invoice.deleted': Invoice,
  'invoice.finalised': Invoice,
  'invoice.reopened': Invoice,
  'invoice.sent': Told({ ...invoice, to: text, reminder: Type.Optional(yes), revised: Type.Optional(yes) }),
  'invoice.shared': Invoice,
  'invoice.unshared': Invoice,
  'invoice.payment_recorded': Told({ ...invoice, ...amounts, paymentId: text, amountMinor: minor, paidOn: text }),
  'invoice.payment_reversed': Told({ ...invoice, ...amounts, paymentId: text, amountMinor: minor }),
  'invoice.paid': Told({ ...invoice, ...amounts }),
  'invoice.queued': Invoice,
  'invoice.signed': Invoice,
  'invoice.transmitted': Invoice,
  'invoice.accepted': Invoice,
  'invoice.rejected': Told({ ...invoice, ...reasons }),
  'invoice.submission_failed': Told({
    ...invoice,
    outcome: Type.Optional(OneOf('not_registered', 'unknown', 'registered')),
  }),
  'invoice.reporting_due': Told({ ...invoice, reportDueAt: text }),
  'invoice.retry_scheduled': Invoice,
  'invoice.cancellation_requested': Told({ ...invoice, ...creditNote }),
  'invoice.cancelled': Told({ ...invoice, ...creditNote }),
  'invoice.status_changed': Told({
    ...invoice,
    ...reasons,
    ...creditNote,
    delivery: Type.Optional(OneOf('deliver_to_buyer')),
  }),

  'billing.account.status_changed': Told({ status: OneOf('active') }),
  'billing.balance.updated': Told({ change: whole, creditBalance: whole }),
  'billing.balance.low': Told({ creditBalance: whole, threshold: whole }),
  'billing.credits.purchased': Payment,
  'billing.payment.created': Payment,
  'billing.payment.succeeded': Payment,
  'billing.payment.failed': Payment,
  'billing.payment.expired': Payment,
  'billing.payment.refunded': Payment,
  'billing.payment.disputed': Payment,
  'billing.payment.charged_back': Payment,
  'billing.subscription.created': Subscription,
  'billing.subscription.activated': Subscription,
  'billing.subscription.renewed': Told({ ...subscription, period: Maybe(whole) }),
  'billing.subscription.cancelled': Subscription,
  'billing.subscription.resumed': Subscription,
  'billing.subscription.past_due': Subscription,
  'billing.subscription.payment_failed': Type.Union([
    Told({ ...subscription, paymentId: text }),
    Told({ ...subscription, reason: OneOf('no_card') }),
  ]),
  'billing.subscription.payment_failed_final': Subscription,
  'billing.subscription.expired': Subscription,

  'collection.settlement_updated': Told({
    sellerId: text,
    bankCode: text,
    bankName: text,
    accountEnding: text,
    currency: text,
    change: OneOf('account', 'sub_account', 'settled'),
    provider: Maybe(text),
    status: Maybe(text),
    settlementId: Maybe(text),
    amountMinor: Maybe(minor),
    feeMinor: Maybe(minor),
    settledAt: Maybe(text),
  }),
  'collection.account_opened': Told(virtualAccount),
  'collection.account_deactivated': Told({ ...virtualAccount, reason: Maybe(text) }),
  'collection.payment_received': Told(received),
  'collection.payment_reconciled': Told({ ...received, from: text }),
  'collection.payment_applied': Told({
    ...received,
    appliedAmount: text,
    unappliedAmount: text,
    invoiceIds: texts,
  }),
  'collection.payment_refunded': Told(refund),
  'collection.refund_failed': Told({ ...refund, reason: text }),
  'collection.difference_found': Told({ ...received, difference: text }),

  'webhook_endpoint.created': Endpoint,
  'webhook_endpoint.updated': Told({ ...endpoint, changed: texts }),
  'webhook_endpoint.secret_rotated': Told({ ...endpoint, previousUntil: Maybe(text) }),
  'webhook_endpoint.disabled': Told({ ...endpoint, cause: text }),
  'webhook_endpoint.enabled': Endpoint,
  'webhook_endpoint.deleted': Endpoint,
  'webhook_endpoint.pinged': Told({ ...endpoint, type: text }),
} as const satisfies Readonly<Record<EventType, TSchema>>

/** A schema that says less than its payload, or something else, does not compile. */
type Unlike = {
  [Of in EventType]: Static<(typeof eventPayloads)[Of]> extends EventPayloads[Of] ? never : Of
}[EventType]
const unlike: readonly Unlike[] = []
void unlike
