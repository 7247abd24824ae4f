import type { BuyerPayload, StatementLinkPayload, StatementPeriodPayload, TaxIdStatus } from './buyer-payloads.ts'
import type {
  BulkAction,
  ConnectionProblem,
  ConnectionStatus,
  Difference,
  DisabledCause,
  InvoiceKind,
  InvoiceStatus,
  MemberStatus,
  PaymentKind,
  PaymentStatus,
  ReconciliationStatus,
  SubscriptionEnd,
  SubscriptionStatus,
} from './event-value-lists.ts'
import type { DocumentType } from './invoice-document.ts'
import type { ProgramEventPayloads } from './program-payloads.ts'
import type { QuoteEventPayloads } from './quote-payloads.ts'
import type { RecurringEventPayloads } from './recurring-payloads.ts'
import type { ReminderPayload, ReminderPlanPayload, UnsentReminderPayload } from './reminder-payloads.ts'
import type { ExchangeRatesPayload, TaxReturnPayload } from './tax-return-payloads.ts'
import type { Mode } from './tenant.ts'

export type { BuyerPayload, StatementLinkPayload, StatementPeriodPayload }

/** Payload of every invoice event. Amounts are whole minor units. */
export interface InvoicePayload {
  readonly invoiceId: string
  readonly invoiceNumber: string
  readonly invoiceType: DocumentType
  readonly invoiceKind: InvoiceKind
  readonly status: InvoiceStatus
  readonly buyerId: string | null
  readonly currency: string
  readonly payableMinor: number
  readonly taxMinor: number
  readonly originalInvoiceId: string | null
  readonly jurisdiction: string | null
  readonly authorityReference: string | null
  readonly submittedAt: string | null
}

/** Number of new lines per saved item, by item id. */
export interface ItemUsesPayload {
  readonly itemUses: Readonly<Record<string, number>>
}

/** Amounts paid and left to pay. */
export interface InvoiceAmountsPayload {
  readonly paidMinor: number
  readonly dueMinor: number
  /** The due date of the oldest instalment that is not settled, or of the invoice. Null if nothing is left to pay. */
  readonly nextDueDate: string | null
}

export interface SellerPayload {
  readonly sellerId: string
  readonly name: string
  readonly taxId: string | null
  readonly isPrimary: boolean
}

export interface ConnectionPayload {
  readonly connectionId: string
  readonly status: ConnectionStatus
  readonly businessId: string
  readonly serviceId: string
  readonly businessName: string | null
  /** Why the connection is pending. */
  readonly problem: ConnectionProblem | null
}

/** A move of the test clock that has ended. */
interface TestClockMovePayload {
  readonly moveId: string
  readonly fromAt: string
  readonly reachedAt: string
  readonly steps: number
}

export interface BulkJobPayload {
  readonly bulkJobId: string
  readonly action: BulkAction
  readonly status: 'done' | 'cancelled' | 'stopped'
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly skipped: number
}

/** Payload for an invoice that another business sent. */
export interface InboundInvoicePayload {
  readonly inboundInvoiceId: string
  readonly authorityReference: string
  readonly invoiceNumber: string
  readonly invoiceType: DocumentType
  readonly sellerName: string | null
  readonly sellerTaxId: string | null
  readonly issueDate: string
  readonly dueDate: string | null
  readonly currency: string
  readonly taxMinor: number
  readonly payableMinor: number
  /** True if our own checks found no faults. */
  readonly isValid: boolean
  readonly inputTaxClaimable: boolean
}

export interface ItemPayload {
  readonly itemId: string
  readonly name: string
  readonly sku: string | null
  readonly itemType: 'goods' | 'service'
}

export interface PaymentPayload {
  readonly paymentId: string
  readonly kind: PaymentKind
  readonly status: PaymentStatus
  readonly amountMinor: number
  readonly refundedMinor: number
  readonly currency: string
  readonly credits: number
  readonly subscriptionId?: string
}

export interface SubscriptionPayload {
  readonly subscriptionId: string
  readonly planCode: string
  readonly interval: 'monthly' | 'yearly'
  readonly currency: string
  readonly status: SubscriptionStatus
  readonly cancelAtPeriodEnd: boolean
  readonly endReason: SubscriptionEnd | null
}

/** A payment that came by bank transfer, and how its amount is split. */
export interface ReceivedPaymentPayload {
  readonly paymentId: string
  readonly accountId: string
  readonly buyerId: string | null
  readonly amountMinor: number
  readonly appliedMinor: number
  readonly creditedMinor: number
  readonly refundedMinor: number
  readonly unmatchedMinor: number
  readonly currency: string
  readonly reconciliationStatus: ReconciliationStatus
  readonly receivedAt: string
}

/** Amount applied to invoices just now and amount not applied, in major units. */
export interface AppliedPaymentPayload extends ReceivedPaymentPayload {
  readonly appliedAmount: string
  readonly unappliedAmount: string
  readonly invoiceIds: readonly string[]
}

export interface RefundPayload extends ReceivedPaymentPayload {
  readonly refundId: string
  readonly refundAmountMinor: number
}

/** Holds only the last digits of the account number. */
export interface SettlementPayload {
  readonly sellerId: string
  readonly bankCode: string
  readonly bankName: string
  readonly accountEnding: string
  readonly currency: string
  /** `account`: registered or changed; `sub_account`: a provider answered about it; `settled`: money was paid out. */
  readonly change: 'account' | 'sub_account' | 'settled'
  readonly provider: string | null
  /** Of a sub-account: pending, confirmed, refused. Of a settlement: pending, settled, failed. Null for `account`. */
  readonly status: 'pending' | 'confirmed' | 'refused' | 'settled' | 'failed' | null
  /** This and the following fields are null unless `change` is `settled`. */
  readonly settlementId: string | null
  readonly amountMinor: number | null
  readonly feeMinor: number | null
  readonly settledAt: string | null
}

export interface VirtualAccountPayload {
  readonly accountId: string
  readonly reference: string
  readonly accountNumber: string
  readonly bankName: string
  readonly sellerId: string
  readonly buyerId: string | null
  readonly invoiceId: string | null
}

/** Holds only the host of the address, because the rest may contain a secret of the receiver. */
export interface EndpointPayload {
  readonly endpointId: string
  readonly host: string
  readonly events: readonly string[]
}

interface ApiKeyPayload {
  readonly name: string
  readonly mode: Mode
}

interface RolePayload {
  readonly name: string
  readonly capabilities: readonly string[]
}

/** Number that was checked, and the name that the authority has for it. */
interface RegistrationPayload {
  readonly registeredName: string | null
}

/** Result of a check of a seller's tax number. */
interface CheckedSellerPayload extends SellerPayload, RegistrationPayload {
  readonly status: TaxIdStatus
}

/**
 * Payload of each event type, as stored and as sent: plain JSON values without secrets. A change that would mislead
 * consumers of the old form must raise the version in `eventTypes`.
 */
export interface EventPayloads extends ProgramEventPayloads, QuoteEventPayloads, RecurringEventPayloads {
  'organization.created': { readonly name: string; readonly country: string; readonly parentId: string | null }
  'organization.updated': { readonly changed: readonly string[]; readonly name: string }
  'organization.phone_verified': { readonly phone: string }
  'organization.onboarding_completed': { readonly name: string }
  'organization.credit_pool_changed': {
    readonly primaryCoversSecondary: boolean
    readonly fallbackToPrimary: boolean
    readonly minimumReserve: number
  }
  'organization.child_parted': { readonly name: string }
  'organization.parted': { readonly parentId: string; readonly parentName: string }
  'organization.subscription_tier_changed': { readonly planCode: string }
  'organization.exchange_rates_saved': ExchangeRatesPayload
  'tax_return.closed': TaxReturnPayload
  'organization.tax_number_verified': { readonly taxNumber: string }

  'member.joined': { readonly email: string; readonly role: string }
  'member.updated': {
    readonly email: string
    readonly firstName?: string
    readonly lastName?: string
    readonly phone?: string
  }
  'member.removed': { readonly email: string; readonly role: string; readonly how: 'removed' | 'left' }
  'member.role_changed':
    | { readonly email: string; readonly from: string; readonly to: string }
    | { readonly email: string; readonly role: string; readonly extraPermissions: readonly string[] }
  'member.status_changed': {
    readonly email: string
    readonly from: MemberStatus
    readonly to: MemberStatus
    readonly reason: string | null
  }
  'member.second_factor_removed': { readonly email: string }
  'member.change_asked': { readonly email: string; readonly what: 'name' | 'phone' | 'second_factor' }

  'invitation.created': { readonly email: string; readonly role: string }
  'invitation.resent': { readonly email: string; readonly role: string }
  'invitation.withdrawn': { readonly email: string; readonly reason?: 'sender_gone' }
  'invitation.accepted': { readonly email: string }
  'invitation.expired': { readonly email: string }

  'role.created': RolePayload
  'role.updated': RolePayload
  'role.deleted': { readonly name: string }

  'api_key.created': ApiKeyPayload
  'api_key.updated': { readonly from: string; readonly name: string }
  'api_key.capabilities_changed': { readonly name: string; readonly capabilities: readonly string[] }
  'api_key.rotated': ApiKeyPayload & { readonly replacedBy: string; readonly stopsAt: string }
  'api_key.revoked': ApiKeyPayload
  'api_key.expired': ApiKeyPayload

  'seller.created': SellerPayload
  'seller.updated': SellerPayload
  'seller.deleted': SellerPayload
  'seller.tax_id_verified': CheckedSellerPayload
  'seller.tax_id_verification_failed': CheckedSellerPayload

  'tax_connection.connected': ConnectionPayload
  'tax_connection.failed': ConnectionPayload
  'tax_connection.key_file_stored': ConnectionPayload & { readonly fingerprint: string }
  'tax_connection.revoked': ConnectionPayload & { readonly reason: string | null }

  'buyer.created': BuyerPayload
  'buyer.updated': BuyerPayload & { readonly changed: readonly string[] }
  'buyer.deleted': BuyerPayload
  'buyer.archived': BuyerPayload
  'buyer.statement_sent': BuyerPayload & StatementPeriodPayload & { readonly email: string }
  'buyer.statement_shared': BuyerPayload & StatementLinkPayload
  'buyer.statement_unshared': BuyerPayload & StatementLinkPayload
  'buyer.reminders_changed': BuyerPayload & { readonly reminders: 'by_plan' | 'chosen' | 'never' }
  'buyer.tax_id_verified': BuyerPayload & RegistrationPayload
  'buyer.tax_id_verification_failed': BuyerPayload & RegistrationPayload

  'item.created': ItemPayload
  'item.updated': ItemPayload
  'item.deleted': ItemPayload
  'item.archived': ItemPayload
  'item.unarchived': ItemPayload

  'invoice.created': InvoicePayload & ItemUsesPayload
  'invoice.updated': InvoicePayload & ItemUsesPayload & { readonly changed: readonly string[] }
  'invoice.deleted': InvoicePayload
  'invoice.finalised': InvoicePayload
  'invoice.reopened': InvoicePayload
  /** `revised`: the mail replaces a version that was sent before. */
  'invoice.sent': InvoicePayload & { readonly to: string; readonly reminder?: true; readonly revised?: true }
  'invoice.reminder_sent': InvoicePayload & ReminderPayload
  'invoice.reminder_not_sent': InvoicePayload & UnsentReminderPayload
  'invoice.disputed': InvoicePayload & { readonly reason: string }
  'invoice.dispute_resolved': InvoicePayload
  'invoice.payment_promised': InvoicePayload & { readonly promisedOn: string; readonly remark: string | null }
  'invoice.payment_promise_withdrawn': InvoicePayload
  'invoice.shared': InvoicePayload
  'invoice.unshared': InvoicePayload
  'invoice.payment_recorded': InvoicePayload &
    InvoiceAmountsPayload & { readonly paymentId: string; readonly amountMinor: number; readonly paidOn: string }
  'invoice.payment_reversed': InvoicePayload &
    InvoiceAmountsPayload & { readonly paymentId: string; readonly amountMinor: number }
  'invoice.paid': InvoicePayload & InvoiceAmountsPayload
  'invoice.queued': InvoicePayload
  'invoice.signed': InvoicePayload
  'invoice.transmitted': InvoicePayload
  'invoice.accepted': InvoicePayload
  'invoice.rejected': InvoicePayload & { readonly reasons?: readonly string[] }
  'invoice.submission_failed': InvoicePayload & { readonly outcome?: 'not_registered' | 'unknown' | 'registered' }
  'invoice.reporting_due': InvoicePayload & { readonly reportDueAt: string }
  'invoice.retry_scheduled': InvoicePayload
  'invoice.cancellation_requested': InvoicePayload & { readonly creditNoteId?: string }
  'invoice.cancelled': InvoicePayload & { readonly creditNoteId?: string }
  'invoice.status_changed': InvoicePayload & {
    readonly reasons?: readonly string[]
    readonly creditNoteId?: string
    /** Present if the status stayed the same and the buyer's side has received the document. */
    readonly delivery?: 'deliver_to_buyer'
  }

  'reminder_plan.updated': ReminderPlanPayload

  'bulk_job.completed': BulkJobPayload

  'test_clock.advancing': { readonly moveId: string; readonly fromAt: string; readonly toAt: string }
  'test_clock.ready': TestClockMovePayload
  'test_clock.stopped': TestClockMovePayload

  'inbound_invoice.received': InboundInvoicePayload

  'billing.account.status_changed': { readonly status: 'active' }
  'billing.balance.updated': { readonly change: number; readonly creditBalance: number }
  'billing.balance.low': { readonly creditBalance: number; readonly threshold: number }
  'billing.credits.purchased': PaymentPayload
  'billing.payment.created': PaymentPayload
  'billing.payment.succeeded': PaymentPayload
  'billing.payment.failed': PaymentPayload
  'billing.payment.expired': PaymentPayload
  'billing.payment.refunded': PaymentPayload
  'billing.payment.disputed': PaymentPayload
  'billing.payment.charged_back': PaymentPayload
  'billing.subscription.created': SubscriptionPayload
  'billing.subscription.activated': SubscriptionPayload
  'billing.subscription.renewed': SubscriptionPayload & { readonly period: number | null }
  'billing.subscription.cancelled': SubscriptionPayload
  'billing.subscription.resumed': SubscriptionPayload
  'billing.subscription.past_due': SubscriptionPayload
  'billing.subscription.payment_failed': SubscriptionPayload &
    ({ readonly paymentId: string } | { readonly reason: 'no_card' })
  'billing.subscription.payment_failed_final': SubscriptionPayload
  'billing.subscription.expired': SubscriptionPayload

  'collection.settlement_updated': SettlementPayload
  'collection.account_opened': VirtualAccountPayload
  'collection.account_deactivated': VirtualAccountPayload & { readonly reason: string | null }
  'collection.payment_received': ReceivedPaymentPayload
  'collection.payment_reconciled': ReceivedPaymentPayload & { readonly from: ReconciliationStatus }
  'collection.payment_applied': AppliedPaymentPayload
  'collection.payment_refunded': RefundPayload
  'collection.refund_failed': RefundPayload & { readonly reason: string }
  'collection.difference_found': ReceivedPaymentPayload & { readonly difference: Difference }

  'webhook_endpoint.created': EndpointPayload
  'webhook_endpoint.updated': EndpointPayload & { readonly changed: readonly string[] }
  'webhook_endpoint.secret_rotated': EndpointPayload & { readonly previousUntil: string | null }
  'webhook_endpoint.disabled': EndpointPayload & { readonly cause: DisabledCause }
  'webhook_endpoint.enabled': EndpointPayload
  'webhook_endpoint.deleted': EndpointPayload
  'webhook_endpoint.pinged': EndpointPayload & { readonly type: string }
}
