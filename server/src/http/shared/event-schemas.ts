import Type, { type Static, type TSchema } from 'typebox'
import type { EventPayloads } from '../../kernel/event-payloads.ts'
import type { EventType } from '../../kernel/events.ts'
import { differenceKinds, reconciliationStatuses } from '../../modules/collection/index.ts'
import { memberStatuses } from '../../modules/organisations/index.ts'
import { disabledCauses } from '../../modules/webhooks/index.ts'
import { Maybe, named } from '../definitions/fields.ts'
import type { WireTaxIdType } from './contract-words.ts'
import {
  amounts,
  bulkJob,
  buyer,
  byMail,
  changed,
  checked,
  clockMoved,
  clockMoving,
  connection,
  creditNote,
  Data,
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
  program,
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
import { recurringEvents } from './recurring-event-schemas.ts'
import { reminderEvents } from './reminder-event-schemas.ts'
import { meaningOf } from './value-meanings.ts'

/** Absent instead of false. */
const onlyTrue = (description: string) => Type.Unsafe<true>({ type: 'boolean', description })

const organizationName = text('Name of the organisation.')
const memberRole = { role: text('Name of the role of the person.') }
const offeredRole = { role: text('Name of the role that the person is invited to.') }
const balance = { creditBalance: whole('Credits that are left after the event.') }

const Invoice = named('InvoiceEventData', Data(invoice))
const Item = named('ItemEventData', Data(item))
const Buyer = named('BuyerEventData', Data(buyer))
const Seller = named('SellerEventData', Data(seller))
const Connection = named('TaxConnectionEventData', Data(connection))
const Received = named('ReceivedPaymentEventData', Data(received))
const VirtualAccount = named('VirtualAccountEventData', Data(virtualAccount))
const Payment = named('BillingPaymentEventData', Data(payment))
const Subscription = named('SubscriptionEventData', Data(subscription))
const Endpoint = named('WebhookEndpointEventData', Data(endpoint))

const statement = {
  currency: text('Currency of the account (ISO 4217).'),
  from: text('First day of the statement of account (ISO 8601), in the time zone of the organisation.'),
  to: text('Last day of the statement of account (ISO 8601), which counts too.'),
}
const StatementLink = named(
  'StatementLinkEventData',
  Data({
    ...buyer,
    ...statement,
    linkId: text('Unique identifier of the link (UUIDv7).'),
    expiresAt: text('When the link stops working (ISO 8601, UTC).'),
  }),
)

/** Schema of each payload, for documents and for the check of samples. */
export const eventPayloads = {
  'organization.created': Data({
    name: organizationName,
    country: text('ISO 3166 code of its country, such as `NG`.'),
    parentId: maybe('The organisation that it is a child of. Null if there is none.'),
  }),
  'organization.updated': Data({ ...changed, name: organizationName }),
  'organization.phone_verified': Data({ phone: text('The telephone number that was verified (E.164).') }),
  'organization.onboarding_completed': Data({ name: organizationName }),
  'organization.credit_pool_changed': Data({
    primaryCoversSecondary: yes('Whether the parent pays for what its children do.'),
    fallbackToPrimary: yes('Whether the parent pays once a child has no credits left.'),
    minimumReserve: whole('Credits that the parent keeps for itself.'),
  }),
  'organization.child_parted': Data({ name: text('Name of the child organisation.') }),
  'organization.parted': Data({
    parentId: text('The organisation that it was a child of.'),
    parentName: text('Name of that organisation.'),
  }),
  'organization.subscription_tier_changed': Data({
    planCode: text('Code of the plan that the organisation is on now.'),
  }),
  'organization.tax_number_verified': Data({ taxNumber: text('The tax number that the authority confirmed.') }),

  'member.joined': Data({ ...byMail, ...memberRole }),
  'member.updated': Data({
    ...byMail,
    firstName: Type.Optional(text('First name. Only if it changed.')),
    lastName: Type.Optional(text('Last name. Only if it changed.')),
    phone: Type.Optional(text('Telephone number. Only if it changed.')),
  }),
  'member.removed': Data({
    ...byMail,
    ...memberRole,
    how: oneOf('Whether somebody `removed` the person, or the person `left`.', ['removed', 'left']),
  }),
  'member.role_changed': Type.Union([
    Data({ ...byMail, from: text('The role before the change.'), to: text('The role after the change.') }),
    Data({ ...byMail, ...memberRole, extraPermissions: texts('What the person may do beyond the role, by name.') }),
  ]),
  'member.status_changed': Data({
    ...byMail,
    from: oneOf(`Status of the membership before. ${meaningOf.memberStatuses}`, memberStatuses),
    to: oneOf(`Status of the membership after. ${meaningOf.memberStatuses}`, memberStatuses),
    reason: maybe('The reason that was given. Null if none was.'),
  }),
  'member.second_factor_removed': Data(byMail),
  'member.change_asked': Data({
    ...byMail,
    what: oneOf(`What is to change: ${meaningOf.memberChanges}.`, ['name', 'phone', 'second_factor']),
  }),

  'invitation.created': Data({ ...byMail, ...offeredRole }),
  'invitation.resent': Data({ ...byMail, ...offeredRole }),
  'invitation.withdrawn': Data({
    ...byMail,
    reason: Type.Optional(
      oneOf('`sender_gone` if the member who invited has left. Absent if a member withdrew it.', ['sender_gone']),
    ),
  }),
  'invitation.accepted': Data(byMail),
  'invitation.expired': Data(byMail),

  'role.created': Data(role),
  'role.updated': Data(role),
  'role.deleted': Data({ name: role.name }),

  'api_key.created': Data(key),
  'api_key.updated': Data({ from: text('The name before the change.'), name: text('The name after the change.') }),
  'api_key.capabilities_changed': Data({
    name: key.name,
    capabilities: texts('What the key may do from now on, by name.'),
  }),
  'api_key.rotated': Data({
    ...key,
    replacedBy: text('The id of the new key.'),
    stopsAt: text('When the old key stops working (ISO 8601, UTC).'),
  }),
  'api_key.revoked': Data(key),
  'api_key.expired': Data(key),

  'connected_program.created': Data({
    ...program,
    clientId: text('Name by which the program asks: of its own choice, or the address of its document.'),
    email: text('Email address of the member for whom the program acts.'),
  }),
  'connected_program.updated': Data(program),
  'connected_program.ended': Data({
    name: program.name,
    why: oneOf(
      '`revoked` by a person, or `signed_out` by the program. `token_misused`: a code or token of it was copied. `account_secured`: the member has a new password, or the account was closed.',
      ['revoked', 'signed_out', 'token_misused', 'account_secured'],
    ),
  }),

  'tax_connection.connected': Connection,
  'tax_connection.failed': Connection,
  'tax_connection.key_file_stored': Data({ ...connection, fingerprint: text('Fingerprint of the key file.') }),
  'tax_connection.revoked': Data({ ...connection, reason: maybe('The reason that was given. Null if none was.') }),

  'bulk_job.completed': Data(bulkJob),
  'test_clock.advancing': Data(clockMoving),
  'test_clock.ready': Data(clockMoved),
  'test_clock.stopped': Data(clockMoved),

  'inbound_invoice.received': Data(inboundInvoice),

  'seller.created': Seller,
  'seller.updated': Seller,
  'seller.deleted': Seller,
  'seller.tax_id_verified': Data(checked),
  'seller.tax_id_verification_failed': Data(checked),

  'buyer.created': Buyer,
  'buyer.updated': Data({ ...buyer, ...changed }),
  'buyer.deleted': Buyer,
  'buyer.archived': Buyer,
  'organization.exchange_rates_saved': Data(exchangeRates),
  'tax_return.closed': Data(taxReturn),
  'buyer.statement_sent': Data({
    ...buyer,
    ...statement,
    email: text('Email address that the statement of account was sent to.'),
  }),
  'buyer.statement_shared': StatementLink,
  'buyer.statement_unshared': StatementLink,
  'buyer.tax_id_verified': Data({ ...buyer, ...registered }),
  'buyer.tax_id_verification_failed': Data({ ...buyer, ...registered }),

  ...reminderEvents(Invoice),

  ...recurringEvents,

  ...quotePayloads,

  'item.created': Item,
  'item.updated': Item,
  'item.deleted': Item,
  'item.archived': Item,
  'item.unarchived': Item,

  'invoice.created': Data({ ...invoice, ...uses }),
  'invoice.updated': Data({ ...invoice, ...uses, ...changed }),
  'invoice.deleted': Invoice,
  'invoice.finalised': Invoice,
  'invoice.reopened': Invoice,
  'invoice.sent': Data({
    ...invoice,
    to: text('Email address that it was sent to.'),
    reminder: Type.Optional(onlyTrue('True if the mail was a reminder to pay.')),
    revised: Type.Optional(onlyTrue('True if the mail says that the document was corrected since it was sent before.')),
  }),
  'invoice.shared': Invoice,
  'invoice.unshared': Invoice,
  'invoice.payment_recorded': Data({
    ...invoice,
    ...amounts,
    ...invoicePayment,
    paidOn: text('Day of the payment (YYYY-MM-DD).'),
  }),
  'invoice.payment_reversed': Data({ ...invoice, ...amounts, ...invoicePayment }),
  'invoice.paid': Data({ ...invoice, ...amounts }),
  'invoice.queued': Invoice,
  'invoice.signed': Invoice,
  'invoice.transmitted': Invoice,
  'invoice.accepted': Invoice,
  'invoice.rejected': Data({ ...invoice, ...reasons }),
  'invoice.submission_failed': Data({
    ...invoice,
    outcome: Type.Optional(
      oneOf(
        'What the authority has. `registered`: the document. `not_registered`: nothing. `unknown`: it is not known.',
        ['not_registered', 'unknown', 'registered'],
      ),
    ),
  }),
  'invoice.reporting_due': Data({
    ...invoice,
    reportDueAt: text('When it has to be reported at the latest (ISO 8601, UTC).'),
  }),
  'invoice.retry_scheduled': Invoice,
  'invoice.cancellation_requested': Data({ ...invoice, ...creditNote }),
  'invoice.cancelled': Data({ ...invoice, ...creditNote }),
  'invoice.status_changed': Data({
    ...invoice,
    ...reasons,
    ...creditNote,
    delivery: Type.Optional(
      oneOf('`deliver_to_buyer` if the status stayed and the buyer’s side has the document. Absent otherwise.', [
        'deliver_to_buyer',
      ]),
    ),
  }),

  'billing.account.status_changed': Data({
    status: oneOf('Status of the billing account: always `active`.', ['active']),
  }),
  'billing.balance.updated': Data({ change: whole('Credits that came (positive) or went (negative).'), ...balance }),
  'billing.balance.low': Data({ ...balance, threshold: whole('The threshold that you set.') }),
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
  'billing.subscription.renewed': Data({
    ...subscription,
    period: Maybe(whole('Number of the period that begins, from 1. Null if the plan has no periods.')),
  }),
  'billing.subscription.cancelled': Subscription,
  'billing.subscription.resumed': Subscription,
  'billing.subscription.past_due': Subscription,
  'billing.subscription.payment_failed': Type.Union([
    Data({ ...subscription, paymentId: text('The payment that failed.') }),
    Data({ ...subscription, reason: oneOf('Why nothing could be charged. `no_card`: no card is saved.', ['no_card']) }),
  ]),
  'billing.subscription.payment_failed_final': Subscription,
  'billing.subscription.expired': Subscription,

  'collection.settlement_updated': Data({
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
        'Status of the sub-account (`pending`, `confirmed`, `refused`) or of the payout (`pending`, `settled`, `failed`). Null for `account`.',
        ['pending', 'confirmed', 'refused', 'settled', 'failed'],
      ),
    ),
    settlementId: maybe('Unique identifier of the payout. Null unless `change` is `settled`.'),
    amountMinor: Maybe(minor('Amount that was paid out')),
    feeMinor: Maybe(minor('Fee that the provider kept')),
    settledAt: maybe('When it was paid out (ISO 8601, UTC). Null unless `change` is `settled`.'),
  }),
  'collection.account_opened': VirtualAccount,
  'collection.account_deactivated': Data({
    ...virtualAccount,
    reason: maybe('The reason that was given. Null if none was.'),
  }),
  'collection.payment_received': Received,
  'collection.payment_reconciled': Data({
    ...received,
    from: oneOf(`How the money was matched before. ${meaningOf.reconciliation}`, reconciliationStatuses),
  }),
  'collection.payment_applied': Data({
    ...received,
    appliedAmount: text('What went to invoices just now, in major units, such as `10750.00`.'),
    unappliedAmount: text('What did not go to invoices, in major units.'),
    invoiceIds: texts('The invoices that were paid, in whole or in part.'),
  }),
  'collection.payment_refunded': Data(refund),
  'collection.refund_failed': Data({ ...refund, reason: text('Why the refund failed, in the words of the provider.') }),
  'collection.difference_found': Data({
    ...received,
    difference: oneOf(meaningOf.differences, differenceKinds),
  }),

  'webhook_endpoint.created': Endpoint,
  'webhook_endpoint.updated': Data({ ...endpoint, ...changed }),
  'webhook_endpoint.secret_rotated': Data({
    ...endpoint,
    previousUntil: maybe('Until when the secret before signs too (ISO 8601, UTC). Null if it ended at once.'),
  }),
  'webhook_endpoint.disabled': Data({
    ...endpoint,
    cause: oneOf(`Why it was disabled: ${meaningOf.disabledCauses}.`, disabledCauses),
  }),
  'webhook_endpoint.enabled': Endpoint,
  'webhook_endpoint.deleted': Endpoint,
  'webhook_endpoint.pinged': Data({
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
