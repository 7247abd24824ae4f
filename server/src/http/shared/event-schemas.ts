import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import type { EventPayloads } from '../../kernel/event-payloads.ts'
import type { EventType } from '../../kernel/events.ts'
import { differenceKinds, reconciliationStatuses } from '../../modules/collection/index.ts'
import { memberStatuses } from '../../modules/organisations/index.ts'
import { recurringSchedules } from '../../modules/recurring-invoices/index.ts'
import { disabledCauses } from '../../modules/webhooks/index.ts'
import { Maybe, named } from '../kernel/fields.ts'
import type { WireTaxIdType } from './contract-words.ts'
import {
  amounts,
  bulkJob,
  buyer,
  byMail,
  changed,
  checked,
  connection,
  creditNote,
  endpoint,
  exchangeRates,
  inboundInvoice,
  invoice,
  invoicePayment,
  item,
  key,
  maybe,
  minor,
  oneOf,
  payment,
  reasons,
  received,
  refund,
  registered,
  role,
  seller,
  subscription,
  taxReturn,
  text,
  texts,
  uses,
  virtualAccount,
  whole,
  yes,
} from './event-fields.ts'
import { quotePayloads } from './quote-event-schemas.ts'

/** Open objects: receivers must ignore fields that are added later. */
const Told = <P extends TProperties>(properties: P) => Type.Object(properties)

/** Absent instead of false. */
const onlyTrue = (description: string) => Type.Unsafe<true>({ type: 'boolean', description })

const organizationName = text('Name of the organisation.')
const memberRole = { role: text('Name of the role of the person.') }
const offeredRole = { role: text('Name of the role that the person is invited to.') }
const balance = { creditBalance: whole('Credits that are left after the event.') }

const Invoice = named('InvoiceEventData', Told(invoice))
const Item = named('ItemEventData', Told(item))
const Buyer = named('BuyerEventData', Told(buyer))
const Seller = named('SellerEventData', Told(seller))
const Connection = named('TaxConnectionEventData', Told(connection))
const Received = named('ReceivedPaymentEventData', Told(received))
const VirtualAccount = named('VirtualAccountEventData', Told(virtualAccount))
const Payment = named('BillingPaymentEventData', Told(payment))
const Subscription = named('SubscriptionEventData', Told(subscription))
const Endpoint = named('WebhookEndpointEventData', Told(endpoint))

const schedule = {
  scheduleId: text('Unique identifier of the schedule (UUIDv7).'),
  name: text('Name of the schedule.'),
  status: oneOf('Whether the schedule makes invoices, is paused or has ended.', recurringSchedules.scheduleStatuses),
  policy: oneOf('What happens to an invoice after it was made.', recurringSchedules.policies),
  buyerId: maybe('Unique identifier of the buyer. Null if the invoices have no saved buyer.'),
  nextOn: maybe('Day of the next invoice (ISO 8601). Null if there is none.'),
}
const schedulePeriod = {
  day: text('Day of the invoice (ISO 8601).'),
  from: text('First day that the invoice is for (ISO 8601).'),
  to: text('Last day that the invoice is for (ISO 8601).'),
}
const Schedule = named('RecurringScheduleEventData', Told(schedule))
const statement = {
  currency: text('Currency of the account (ISO 4217).'),
  from: text('First day of the statement of account (ISO 8601), in the time zone of the organisation.'),
  to: text('Last day of the statement of account (ISO 8601), which counts too.'),
}
const StatementLink = named(
  'StatementLinkEventData',
  Told({
    ...buyer,
    ...statement,
    linkId: text('Unique identifier of the link (UUIDv7).'),
    expiresAt: text('When the link stops working (ISO 8601, UTC).'),
  }),
)

/** Schema of each payload, for documents and for the check of samples. */
export const eventPayloads = {
  'organization.created': Told({
    name: organizationName,
    country: text('ISO 3166 code of its country, such as `NG`.'),
    parentId: maybe('The organisation that it is a child of. Null if there is none.'),
  }),
  'organization.updated': Told({ ...changed, name: organizationName }),
  'organization.phone_verified': Told({ phone: text('The telephone number that was verified (E.164).') }),
  'organization.onboarding_completed': Told({ name: organizationName }),
  'organization.credit_pool_changed': Told({
    primaryCoversSecondary: yes('Whether the parent pays for what its children do.'),
    fallbackToPrimary: yes('Whether the parent pays once a child has no credits left.'),
    minimumReserve: whole('Credits that the parent keeps for itself.'),
  }),
  'organization.child_parted': Told({ name: text('Name of the child organisation.') }),
  'organization.parted': Told({
    parentId: text('The organisation that it was a child of.'),
    parentName: text('Name of that organisation.'),
  }),
  'organization.subscription_tier_changed': Told({
    planCode: text('Code of the plan that the organisation is on now.'),
  }),
  'organization.tax_number_verified': Told({ taxNumber: text('The tax number that the authority confirmed.') }),

  'member.joined': Told({ ...byMail, ...memberRole }),
  'member.updated': Told({
    ...byMail,
    firstName: Type.Optional(text('First name. Only if it changed.')),
    lastName: Type.Optional(text('Last name. Only if it changed.')),
    phone: Type.Optional(text('Telephone number. Only if it changed.')),
  }),
  'member.removed': Told({
    ...byMail,
    ...memberRole,
    how: oneOf('Whether the person was removed or left.', ['removed', 'left']),
  }),
  'member.role_changed': Type.Union([
    Told({ ...byMail, from: text('The role before the change.'), to: text('The role after the change.') }),
    Told({ ...byMail, ...memberRole, extraPermissions: texts('What the person may do beyond the role, by name.') }),
  ]),
  'member.status_changed': Told({
    ...byMail,
    from: oneOf('Status of the membership before.', memberStatuses),
    to: oneOf('Status of the membership after.', memberStatuses),
    reason: maybe('The reason that was given. Null if none was.'),
  }),
  'member.second_factor_removed': Told(byMail),
  'member.change_asked': Told({
    ...byMail,
    what: oneOf('What is to change: the name, the telephone number or the second factor.', [
      'name',
      'phone',
      'second_factor',
    ]),
  }),

  'invitation.created': Told({ ...byMail, ...offeredRole }),
  'invitation.resent': Told({ ...byMail, ...offeredRole }),
  'invitation.withdrawn': Told({
    ...byMail,
    reason: Type.Optional(
      oneOf('`sender_gone` if the member who invited has left. Absent if a member withdrew it.', ['sender_gone']),
    ),
  }),
  'invitation.accepted': Told(byMail),
  'invitation.expired': Told(byMail),

  'role.created': Told(role),
  'role.updated': Told(role),
  'role.deleted': Told({ name: role.name }),

  'api_key.created': Told(key),
  'api_key.updated': Told({ from: text('The name before the change.'), name: text('The name after the change.') }),
  'api_key.capabilities_changed': Told({
    name: key.name,
    capabilities: texts('What the key may do from now on, by name.'),
  }),
  'api_key.rotated': Told({
    ...key,
    replacedBy: text('The id of the new key.'),
    stopsAt: text('When the old key stops working (ISO 8601, UTC).'),
  }),
  'api_key.revoked': Told(key),
  'api_key.expired': Told(key),

  'tax_connection.connected': Connection,
  'tax_connection.failed': Connection,
  'tax_connection.key_file_stored': Told({ ...connection, fingerprint: text('Fingerprint of the key file.') }),
  'tax_connection.revoked': Told({ ...connection, reason: maybe('The reason that was given. Null if none was.') }),

  'bulk_job.completed': Told(bulkJob),

  'inbound_invoice.received': Told(inboundInvoice),

  'seller.created': Seller,
  'seller.updated': Seller,
  'seller.deleted': Seller,
  'seller.tax_id_verified': Told(checked),
  'seller.tax_id_verification_failed': Told(checked),

  'buyer.created': Buyer,
  'buyer.updated': Told({ ...buyer, ...changed }),
  'buyer.deleted': Buyer,
  'buyer.archived': Buyer,
  'organization.exchange_rates_saved': Told(exchangeRates),
  'tax_return.closed': Told(taxReturn),
  'buyer.statement_sent': Told({
    ...buyer,
    ...statement,
    email: text('Email address that the statement of account was sent to.'),
  }),
  'buyer.statement_shared': StatementLink,
  'buyer.statement_unshared': StatementLink,
  'buyer.tax_id_verified': Told({ ...buyer, ...registered }),
  'buyer.tax_id_verification_failed': Told({ ...buyer, ...registered }),

  'recurring_schedule.created': Schedule,
  'recurring_schedule.updated': Schedule,
  'recurring_schedule.paused': Schedule,
  'recurring_schedule.resumed': Schedule,
  'recurring_schedule.ended': Schedule,
  'recurring_schedule.invoice_made': Told({
    ...schedule,
    ...schedulePeriod,
    invoiceId: text('Unique identifier of the invoice that was made.'),
    invoiceNumber: text('Number of the invoice that was made.'),
  }),
  'recurring_schedule.period_failed': Told({
    ...schedule,
    ...schedulePeriod,
    reason: text('Name of the refusal, such as `invoice.send.no_email`.'),
    message: text('What is wrong, and what to do.'),
  }),

  ...quotePayloads,

  'item.created': Item,
  'item.updated': Item,
  'item.deleted': Item,
  'item.archived': Item,
  'item.unarchived': Item,

  'invoice.created': Told({ ...invoice, ...uses }),
  'invoice.updated': Told({ ...invoice, ...uses, ...changed }),
  'invoice.deleted': Invoice,
  'invoice.finalised': Invoice,
  'invoice.reopened': Invoice,
  'invoice.sent': Told({
    ...invoice,
    to: text('Email address that it was sent to.'),
    reminder: Type.Optional(onlyTrue('True if the mail was a reminder to pay.')),
    revised: Type.Optional(onlyTrue('True if the mail says that the document was corrected since it was sent before.')),
  }),
  'invoice.shared': Invoice,
  'invoice.unshared': Invoice,
  'invoice.payment_recorded': Told({
    ...invoice,
    ...amounts,
    ...invoicePayment,
    paidOn: text('Day of the payment (YYYY-MM-DD).'),
  }),
  'invoice.payment_reversed': Told({ ...invoice, ...amounts, ...invoicePayment }),
  'invoice.paid': Told({ ...invoice, ...amounts }),
  'invoice.queued': Invoice,
  'invoice.signed': Invoice,
  'invoice.transmitted': Invoice,
  'invoice.accepted': Invoice,
  'invoice.rejected': Told({ ...invoice, ...reasons }),
  'invoice.submission_failed': Told({
    ...invoice,
    outcome: Type.Optional(
      oneOf('What the authority has: the document, nothing, or nobody knows.', [
        'not_registered',
        'unknown',
        'registered',
      ]),
    ),
  }),
  'invoice.reporting_due': Told({
    ...invoice,
    reportDueAt: text('When it has to be reported at the latest (ISO 8601, UTC).'),
  }),
  'invoice.retry_scheduled': Invoice,
  'invoice.cancellation_requested': Told({ ...invoice, ...creditNote }),
  'invoice.cancelled': Told({ ...invoice, ...creditNote }),
  'invoice.status_changed': Told({
    ...invoice,
    ...reasons,
    ...creditNote,
    delivery: Type.Optional(
      oneOf('Present if the status stayed and the buyer’s side has the document.', ['deliver_to_buyer']),
    ),
  }),

  'billing.account.status_changed': Told({ status: oneOf('Status of the billing account.', ['active']) }),
  'billing.balance.updated': Told({ change: whole('Credits that came (positive) or went (negative).'), ...balance }),
  'billing.balance.low': Told({ ...balance, threshold: whole('The threshold that you set.') }),
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
  'billing.subscription.renewed': Told({
    ...subscription,
    period: Maybe(whole('Number of the period that begins, from 1. Null if the plan has no periods.')),
  }),
  'billing.subscription.cancelled': Subscription,
  'billing.subscription.resumed': Subscription,
  'billing.subscription.past_due': Subscription,
  'billing.subscription.payment_failed': Type.Union([
    Told({ ...subscription, paymentId: text('The payment that failed.') }),
    Told({ ...subscription, reason: oneOf('Why nothing could be charged.', ['no_card']) }),
  ]),
  'billing.subscription.payment_failed_final': Subscription,
  'billing.subscription.expired': Subscription,

  'collection.settlement_updated': Told({
    sellerId: text('The seller whose money is settled there.'),
    bankCode: text('Code of the bank.'),
    bankName: text('Name of the bank.'),
    accountEnding: text('The last four digits of the account number.'),
    currency: text('ISO 4217 code, such as `NGN`.'),
    change: oneOf(
      'What changed: the bank account (`account`), what a provider says of it (`sub_account`), or a payout (`settled`).',
      ['account', 'sub_account', 'settled'],
    ),
    provider: maybe('The payment provider. Null for `account`.'),
    status: Maybe(
      oneOf(
        'Status of the sub-account (pending, confirmed, refused) or of the payout (pending, settled, failed). Null for `account`.',
        ['pending', 'confirmed', 'refused', 'settled', 'failed'],
      ),
    ),
    settlementId: maybe('Unique identifier of the payout. Null unless `change` is `settled`.'),
    amountMinor: Maybe(minor('Amount that was paid out')),
    feeMinor: Maybe(minor('Fee that the provider kept')),
    settledAt: maybe('When it was paid out (ISO 8601, UTC). Null unless `change` is `settled`.'),
  }),
  'collection.account_opened': VirtualAccount,
  'collection.account_deactivated': Told({
    ...virtualAccount,
    reason: maybe('The reason that was given. Null if none was.'),
  }),
  'collection.payment_received': Received,
  'collection.payment_reconciled': Told({
    ...received,
    from: oneOf('How the money was matched before.', reconciliationStatuses),
  }),
  'collection.payment_applied': Told({
    ...received,
    appliedAmount: text('What went to invoices just now, in major units, such as `10750.00`.'),
    unappliedAmount: text('What did not go to invoices, in major units.'),
    invoiceIds: texts('The invoices that were paid, in whole or in part.'),
  }),
  'collection.payment_refunded': Told(refund),
  'collection.refund_failed': Told({ ...refund, reason: text('Why the refund failed, in the words of the provider.') }),
  'collection.difference_found': Told({
    ...received,
    difference: oneOf('What differs between the provider’s books and ours.', differenceKinds),
  }),

  'webhook_endpoint.created': Endpoint,
  'webhook_endpoint.updated': Told({ ...endpoint, ...changed }),
  'webhook_endpoint.secret_rotated': Told({
    ...endpoint,
    previousUntil: maybe('Until when the secret before signs too (ISO 8601, UTC). Null if it ended at once.'),
  }),
  'webhook_endpoint.disabled': Told({
    ...endpoint,
    cause: oneOf('Why it was disabled: by a member, after failures, or because it answered 410.', disabledCauses),
  }),
  'webhook_endpoint.enabled': Endpoint,
  'webhook_endpoint.deleted': Endpoint,
  'webhook_endpoint.pinged': Told({
    ...endpoint,
    type: text('Event type of the test that was sent, such as `webhook_endpoint.pinged`.'),
  }),
} as const satisfies Readonly<Record<EventType, TSchema>>

/** A payload in the words of the contract. `readonly` makes no difference to JSON. */
type Plain<T> = T extends readonly (infer Entry)[]
  ? readonly Plain<Entry>[]
  : T extends object
    ? { readonly [Name in keyof T]: Name extends 'taxIdType' ? WireTaxIdType : Plain<T[Name]> }
    : T
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false
/** A schema that differs from its payload does not compile: this type then names the event types at fault. */
type Unlike = {
  [Of in EventType]: Same<Plain<Static<(typeof eventPayloads)[Of]>>, Plain<EventPayloads[Of]>> extends true ? never : Of
}[EventType]
const isAlike: [Unlike] extends [never] ? true : Unlike = true
void isAlike
