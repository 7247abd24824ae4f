import type {
  BuyerPayload,
  ConnectionPayload,
  EndpointPayload,
  EventPayloads,
  InvoiceAmountsPayload,
  InvoicePayload,
  ItemPayload,
  PaymentPayload,
  ReceivedPaymentPayload,
  SellerPayload,
  StatementLinkPayload,
  StatementPeriodPayload,
  SubscriptionPayload,
  VirtualAccountPayload,
} from '../../../kernel/event-payloads.ts'
import { type EventType, eventTypes, objectKinds } from '../../../kernel/events.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { WebhookEvent } from './format.ts'
import { jobSamples } from './job-samples.ts'
import { quoteSamples } from './quote-samples.ts'
import { recurringSamples } from './recurring-samples.ts'
import { reminderSamples } from './reminder-samples.ts'
import { taxReturnSamples } from './tax-return-samples.ts'

/** Made-up ids that differ at the end. */
const id = (end: number): string => `01990000-0000-7000-8000-${String(end).padStart(12, '0')}`

const invoice: InvoicePayload = {
  invoiceId: id(1),
  invoiceNumber: 'INV0042',
  invoiceType: 'standard',
  invoiceKind: 'B2B',
  status: 'finalised',
  buyerId: id(2),
  currency: 'USD',
  payableMinor: 1_075_000,
  taxMinor: 75_000,
  originalInvoiceId: null,
  jurisdiction: 'US',
  authorityReference: null,
  submittedAt: null,
}
const draft: InvoicePayload = { ...invoice, status: 'draft' }
const submitted: InvoicePayload = { ...invoice, status: 'queued', submittedAt: '2026-11-15T09:30:00.000Z' }
const reported: InvoicePayload = {
  ...invoice,
  authorityReference: 'INV0042-94ND90NR-20261115',
  submittedAt: '2026-11-15T09:30:00.000Z',
}
const partlyPaid: InvoiceAmountsPayload = { paidMinor: 500_000, dueMinor: 575_000, nextDueDate: '2026-12-14' }
const buyer: BuyerPayload = {
  buyerId: id(2),
  name: 'Adebayo Trading Ltd',
  taxId: '12345678-0001',
  taxIdType: 'national',
  taxIdStatus: 'verified',
}
const unverified: BuyerPayload = { ...buyer, taxIdStatus: 'unverified' }
const statement: StatementPeriodPayload = { currency: 'USD', from: '2026-11-01', to: '2026-11-30' }
const statementLink: StatementLinkPayload = { ...statement, linkId: id(13), expiresAt: '2026-12-15T09:30:00.000Z' }
const seller: SellerPayload = { sellerId: id(3), name: 'Eze Stores', taxId: '87654321-0001', isPrimary: true }
const connection: ConnectionPayload = {
  connectionId: id(11),
  status: 'connected',
  businessId: '01990000-0000-4000-8000-000000000001',
  serviceId: '94ND90NR',
  businessName: 'EZE STORES LIMITED',
  problem: null,
}
const item: ItemPayload = { itemId: id(4), name: 'Palm oil, 5 l', sku: 'OIL-5', itemType: 'goods' }
const payment: PaymentPayload = {
  paymentId: id(5),
  kind: 'credit_purchase',
  status: 'succeeded',
  amountMinor: 500_000,
  refundedMinor: 0,
  currency: 'USD',
  credits: 500,
}
const subscription: SubscriptionPayload = {
  subscriptionId: id(6),
  planCode: 'growth',
  interval: 'monthly',
  currency: 'USD',
  status: 'active',
  cancelAtPeriodEnd: false,
  endReason: null,
}
const received: ReceivedPaymentPayload = {
  paymentId: id(50),
  accountId: id(51),
  buyerId: id(2),
  amountMinor: 1_200_000,
  appliedMinor: 1_075_000,
  creditedMinor: 125_000,
  refundedMinor: 0,
  unmatchedMinor: 0,
  currency: 'USD',
  reconciliationStatus: 'overpaid',
  receivedAt: '2026-11-15T09:30:00.000Z',
}
const virtualAccount: VirtualAccountPayload = {
  accountId: id(51),
  reference: 'adebayo-trading',
  accountNumber: '0000000017',
  bankName: 'Risiti Test Bank',
  sellerId: id(3),
  buyerId: id(2),
  invoiceId: null,
}
const endpoint: EndpointPayload = { endpointId: id(7), host: 'hooks.example.com', events: ['invoice.*'] }
const email = 'ada@example.com'
const key = { name: 'Shop', mode: 'sandbox' } as const

/** A payload of each type with made-up data. */
const data: EventPayloads = {
  'organization.created': { name: 'Eze Stores', country: 'US', parentId: null },
  'organization.updated': { changed: ['name'], name: 'Eze Stores' },
  'organization.phone_verified': { phone: '+12025550143' },
  'organization.onboarding_completed': { name: 'Eze Stores' },
  'organization.credit_pool_changed': { primaryCoversSecondary: true, fallbackToPrimary: true, minimumReserve: 100 },
  'organization.child_parted': { name: 'Eze Stores Aba' },
  'organization.parted': { parentId: id(8), parentName: 'Eze Stores' },
  'organization.subscription_tier_changed': { planCode: 'growth' },
  'organization.tax_number_verified': { taxNumber: '87654321-0001' },

  'member.joined': { email, role: 'ACCOUNTANT' },
  'member.updated': { email, firstName: 'Ada' },
  'member.removed': { email, role: 'ACCOUNTANT', how: 'removed' },
  'member.role_changed': { email, from: 'MEMBER', to: 'ACCOUNTANT' },
  'member.status_changed': { email, from: 'active', to: 'suspended', reason: null },
  'member.second_factor_removed': { email },
  'member.change_asked': { email, what: 'phone' },

  'invitation.created': { email, role: 'VIEWER' },
  'invitation.resent': { email, role: 'VIEWER' },
  'invitation.withdrawn': { email },
  'invitation.accepted': { email },
  'invitation.expired': { email },

  'role.created': { name: 'Clerk', capabilities: ['invoice.read'] },
  'role.updated': { name: 'Clerk', capabilities: ['invoice.read', 'buyer.read'] },
  'role.deleted': { name: 'Clerk' },

  'api_key.created': key,
  'api_key.updated': { from: 'Shop', name: 'Web shop' },
  'api_key.capabilities_changed': { name: 'Shop', capabilities: ['invoice.read'] },
  'api_key.rotated': { ...key, replacedBy: id(9), stopsAt: '2026-12-01T09:30:00.000Z' },
  'api_key.revoked': key,
  'api_key.expired': key,

  'connected_program.created': {
    name: 'Bookkeeper',
    clientId: 'https://books.example/program.json',
    email,
    capabilities: ['invoice.read'],
  },
  'connected_program.updated': { name: 'Bookkeeper', capabilities: ['invoice.read'] },
  'connected_program.ended': { name: 'Bookkeeper', why: 'revoked' },

  'tax_connection.connected': connection,
  'tax_connection.failed': { ...connection, status: 'pending', problem: 'keys_refused' },
  'tax_connection.key_file_stored': { ...connection, fingerprint: 'a1b2c3d4e5f60718' },
  'tax_connection.revoked': { ...connection, status: 'revoked', reason: null },

  ...jobSamples,

  'inbound_invoice.received': {
    inboundInvoiceId: id(40),
    authorityReference: 'INV0042-B4B37F28-20261114',
    invoiceNumber: 'INV0042',
    invoiceType: 'standard',
    sellerName: 'Oke Wood Works',
    sellerTaxId: '20198222-0002',
    issueDate: '2026-11-14',
    dueDate: '2026-12-14',
    currency: 'USD',
    taxMinor: 1_350_000,
    payableMinor: 19_350_000,
    isValid: true,
    inputTaxClaimable: true,
  },

  'seller.created': seller,
  'seller.updated': seller,
  'seller.deleted': { ...seller, isPrimary: false },
  'seller.tax_id_verified': { ...seller, registeredName: 'EZE STORES LIMITED', status: 'verified' },
  'seller.tax_id_verification_failed': { ...seller, registeredName: null, status: 'not_found' },

  'buyer.created': unverified,
  'buyer.updated': { ...buyer, changed: ['name'] },
  'buyer.deleted': unverified,
  'buyer.archived': unverified,
  ...quoteSamples(id),
  ...taxReturnSamples,
  'buyer.statement_sent': { ...unverified, ...statement, email: 'accounts@adebayo.example' },
  'buyer.statement_shared': { ...unverified, ...statementLink },
  'buyer.statement_unshared': { ...unverified, ...statementLink },
  'buyer.tax_id_verified': { ...buyer, registeredName: null },
  'buyer.tax_id_verification_failed': { ...buyer, taxIdStatus: 'not_found', registeredName: null },

  ...reminderSamples(invoice, buyer, id(16)),
  ...recurringSamples(id),
  'item.created': item,
  'item.updated': item,
  'item.deleted': item,
  'item.archived': item,
  'item.unarchived': item,

  'invoice.created': { ...draft, itemUses: { [id(4)]: 1 } },
  'invoice.updated': { ...draft, itemUses: {}, changed: ['dueDate'] },
  'invoice.deleted': draft,
  'invoice.finalised': invoice,
  'invoice.reopened': draft,
  'invoice.sent': { ...invoice, to: 'accounts@adebayo.example' },
  'invoice.shared': invoice,
  'invoice.unshared': invoice,
  'invoice.payment_recorded': {
    ...invoice,
    ...partlyPaid,
    paymentId: id(10),
    amountMinor: 500_000,
    paidOn: '2026-11-15',
  },
  'invoice.payment_reversed': {
    ...invoice,
    ...{ paidMinor: 0, dueMinor: 1_075_000, nextDueDate: '2026-12-14' },
    paymentId: id(10),
    amountMinor: 500_000,
  },
  'invoice.paid': { ...invoice, paidMinor: 1_075_000, dueMinor: 0, nextDueDate: null },

  'invoice.queued': submitted,
  'invoice.signed': { ...reported, status: 'signed' },
  'invoice.transmitted': { ...reported, status: 'transmitted' },
  'invoice.accepted': { ...reported, status: 'accepted' },
  'invoice.rejected': { ...submitted, status: 'rejected', reasons: ['the buyer is not registered'] },
  'invoice.reporting_due': {
    ...invoice,
    invoiceKind: 'B2C',
    buyerId: null,
    reportDueAt: '2026-11-16T09:00:00.000Z',
  },
  'invoice.submission_failed': { ...submitted, status: 'failed', outcome: 'unknown' },
  'invoice.retry_scheduled': submitted,
  'invoice.cancellation_requested': { ...reported, status: 'cancellation_pending', creditNoteId: id(12) },
  'invoice.cancelled': { ...reported, status: 'cancelled', creditNoteId: id(12) },
  'invoice.status_changed': { ...reported, status: 'accepted' },

  'billing.account.status_changed': { status: 'active' },
  'billing.balance.updated': { change: -1, creditBalance: 499 },
  'billing.balance.low': { creditBalance: 49, threshold: 50 },
  'billing.credits.purchased': payment,
  'billing.payment.created': { ...payment, status: 'pending' },
  'billing.payment.succeeded': payment,
  'billing.payment.failed': { ...payment, status: 'failed' },
  'billing.payment.expired': { ...payment, status: 'expired' },
  'billing.payment.refunded': { ...payment, status: 'refunded', refundedMinor: 500_000 },
  'billing.payment.disputed': { ...payment, status: 'disputed' },
  'billing.payment.charged_back': {
    ...payment,
    kind: 'subscription',
    status: 'charged_back',
    subscriptionId: id(6),
  },
  'billing.subscription.created': { ...subscription, status: 'pending_payment' },
  'billing.subscription.activated': subscription,
  'billing.subscription.renewed': { ...subscription, period: 2 },
  'billing.subscription.cancelled': { ...subscription, cancelAtPeriodEnd: true },
  'billing.subscription.resumed': subscription,
  'billing.subscription.past_due': { ...subscription, status: 'past_due' },
  'billing.subscription.payment_failed': { ...subscription, status: 'past_due', paymentId: id(5) },
  'billing.subscription.payment_failed_final': { ...subscription, status: 'past_due' },
  'billing.subscription.expired': { ...subscription, status: 'expired', endReason: 'overdue' },

  'collection.settlement_updated': {
    sellerId: id(3),
    bankCode: '058',
    bankName: 'Guaranty Trust Bank',
    accountEnding: '6785',
    currency: 'USD',
    change: 'settled',
    provider: 'sandbox',
    status: 'settled',
    settlementId: id(8),
    amountMinor: 1_194_000,
    feeMinor: 6_000,
    settledAt: '2026-03-05T21:00:00.000Z',
  },
  'collection.account_opened': virtualAccount,
  'collection.account_deactivated': { ...virtualAccount, buyerId: null, invoiceId: id(1), reason: null },
  'collection.payment_received': {
    ...received,
    buyerId: null,
    appliedMinor: 0,
    creditedMinor: 0,
    unmatchedMinor: 1_200_000,
    reconciliationStatus: 'pending',
  },
  'collection.payment_reconciled': { ...received, from: 'pending' },
  'collection.payment_applied': {
    ...received,
    appliedAmount: '10750.00',
    unappliedAmount: '1250.00',
    invoiceIds: [id(1)],
  },
  'collection.payment_refunded': {
    ...received,
    creditedMinor: 0,
    refundedMinor: 125_000,
    reconciliationStatus: 'applied',
    refundId: id(52),
    refundAmountMinor: 125_000,
  },
  'collection.refund_failed': {
    ...received,
    refundId: id(52),
    refundAmountMinor: 125_000,
    reason: 'the sender’s bank does not take it back',
  },
  'collection.difference_found': { ...received, difference: 'amount' },

  'webhook_endpoint.created': endpoint,
  'webhook_endpoint.updated': { ...endpoint, changed: ['url'] },
  'webhook_endpoint.secret_rotated': { ...endpoint, previousUntil: '2026-11-16T09:30:00.000Z' },
  'webhook_endpoint.disabled': { ...endpoint, cause: 'failures' },
  'webhook_endpoint.enabled': endpoint,
  'webhook_endpoint.deleted': endpoint,
  'webhook_endpoint.pinged': { ...endpoint, type: 'webhook_endpoint.pinged' },
}

export interface Sample {
  readonly data: object
  readonly objectVersion: number | null
}

/** An event of each type with made-up data. */
export const samples = Object.fromEntries(
  (Object.keys(eventTypes) as EventType[]).map((type) => [
    type,
    { data: data[type], objectVersion: objectKinds[eventTypes[type].about].hasVersion ? 1 : null },
  ]),
) as Readonly<Record<EventType, Sample>>

const noOne = '00000000-0000-0000-0000-000000000000' as OrganisationId

/** Where the made-up business is. */
export interface SampleCountry {
  /** ISO 3166-1 alpha-2 */
  readonly country: string
  readonly currency: string
}

/** Payload of a sample, with the country and the currency of the receiver if they are known. */
export function sampleData(type: EventType, where: SampleCountry | undefined): object {
  const { data } = samples[type]
  if (!where) return data
  const { country, currency } = where
  return {
    ...data,
    ...('currency' in data ? { currency } : {}),
    ...('country' in data ? { country } : {}),
    ...('jurisdiction' in data ? { jurisdiction: country } : {}),
  }
}

export function sampleEvent(type: EventType, where: SampleCountry): WebhookEvent {
  const { version, scope } = eventTypes[type]
  return {
    id: id(0),
    type,
    version,
    mode: scope === 'mode' ? 'sandbox' : null,
    organisationId: noOne,
    createdAt: new Date('2026-11-15T09:30:00.000Z'),
    data: sampleData(type, where),
    objectVersion: samples[type].objectVersion,
    isTest: false,
  }
}
