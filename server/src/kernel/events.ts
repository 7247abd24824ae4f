import type { Capability } from './capabilities.ts'
import type { EventPayloads } from './event-payloads.ts'
import type { Mode } from './tenant.ts'

/**
 * Kinds of objects that events happen to. If a kind has versions, each event carries the version after its change. The version
 * rises with each change, and a deletion has the next version. Events of one change share a version. So receivers can drop outdated
 * events. Kinds without versions give the reason.
 */
export const objectKinds = {
  invoice: { hasVersion: true },
  buyer: { hasVersion: true },
  item: { hasVersion: true },
  payment: { hasVersion: true },
  balance: { hasVersion: true },
  // Rarely changed; a consumer reads the current profile.
  organization: { hasVersion: false },
  // A person belongs to several organisations, so that no single count fits all of them.
  member: { hasVersion: false },
  // An invitation never changes, it only ends.
  invitation: { hasVersion: false },
  api_key: { hasVersion: false },
  // Each event carries what the program may do from then on.
  connected_program: { hasVersion: false },
  billing_account: { hasVersion: false },
  // Rarely changed; a consumer reads the current connection.
  tax_connection: { hasVersion: false },
  // A job ends once.
  bulk_job: { hasVersion: false },
  // A move begins and ends once.
  test_clock_move: { hasVersion: false },
  // The document of another business never changes. One event carries all its facts.
  inbound_invoice: { hasVersion: false },
  // Each event carries the whole role.
  role: { hasVersion: false },
  subscription: { hasVersion: false },
  // A seller exists in both modes, but the result of its check belongs to one mode. One count would mix them.
  seller: { hasVersion: false },
  received_payment: { hasVersion: true },
  // Each event carries the whole account, and changes are rare.
  settlement_account: { hasVersion: false },
  recurring_schedule: { hasVersion: true },
  quote: { hasVersion: true },
  reminder_plan: { hasVersion: true },
  // Opened once and closed once.
  virtual_account: { hasVersion: false },
  // Each event carries the whole endpoint except its secret, and changes are rare.
  webhook_endpoint: { hasVersion: false },
  // Closed once, and never changed.
  tax_return: { hasVersion: false },
} as const satisfies Record<string, { readonly hasVersion: boolean }>

export type ObjectKind = keyof typeof objectKinds

interface EventTypeFacts {
  /** Version of the payload. Consumers can rely on the form of the version that they know. */
  readonly version: number
  readonly about: ObjectKind
  /** Whether it happens in one mode or to the organisation as a whole. */
  readonly scope: 'mode' | 'organisation'
  /** Capability that is needed to receive or read the event: that of reading its object. */
  readonly capability: Capability
  /** Payload fields that belong to another object, and the capability that each needs. */
  readonly guarded?: Readonly<Record<string, Capability>>
}

const organization = {
  version: 1,
  about: 'organization',
  scope: 'organisation',
  capability: 'organization.read',
} as const
const member = { version: 1, about: 'member', scope: 'organisation', capability: 'member.read' } as const
const invitation = { version: 1, about: 'invitation', scope: 'organisation', capability: 'invitation.read' } as const
const role = { version: 1, about: 'role', scope: 'organisation', capability: 'role.read' } as const
const apiKey = { version: 1, about: 'api_key', scope: 'organisation', capability: 'api_key.read' } as const
const connectedProgram = {
  version: 1,
  about: 'connected_program',
  scope: 'mode',
  capability: 'api_key.read',
} as const
const seller = { version: 1, about: 'seller', scope: 'organisation', capability: 'seller.read' } as const
const taxConnection = {
  version: 1,
  about: 'tax_connection',
  scope: 'mode',
  capability: 'tax_connection.read',
} as const
const webhookEndpoint = {
  version: 1,
  about: 'webhook_endpoint',
  scope: 'mode',
  capability: 'webhook.endpoint.read',
} as const
const testClock = { version: 1, about: 'test_clock_move', scope: 'mode', capability: 'webhook.endpoint.read' } as const
const inboundInvoice = {
  version: 1,
  about: 'inbound_invoice',
  scope: 'mode',
  capability: 'invoice.inbound.read',
} as const
const taxReturn = {
  version: 1,
  about: 'tax_return',
  scope: 'mode',
  capability: 'invoice.stats.read',
  guarded: { inputTaxMinor: 'invoice.inbound.read', payableMinor: 'invoice.inbound.read' },
} as const
const buyer = { version: 1, about: 'buyer', scope: 'mode', capability: 'buyer.read' } as const
const item = { version: 1, about: 'item', scope: 'mode', capability: 'item.read' } as const
const invoice = { version: 1, about: 'invoice', scope: 'mode', capability: 'invoice.read' } as const
const recurringSchedule = {
  version: 1,
  about: 'recurring_schedule',
  scope: 'mode',
  capability: 'invoice.read',
} as const
const quote = { version: 1, about: 'quote', scope: 'mode', capability: 'invoice.read' } as const
const reminderPlan = { version: 1, about: 'reminder_plan', scope: 'mode', capability: 'invoice.read' } as const
const account = {
  version: 1,
  about: 'billing_account',
  scope: 'organisation',
  capability: 'billing.account.read',
} as const
const balance = { version: 1, about: 'balance', scope: 'mode', capability: 'billing.account.read' } as const
const payment = { version: 1, about: 'payment', scope: 'mode', capability: 'billing.payment.read' } as const
const subscription = {
  version: 1,
  about: 'subscription',
  scope: 'mode',
  capability: 'billing.subscription.read',
} as const
const collection = { version: 1, scope: 'mode', capability: 'collection.read' } as const
const receivedPayment = { ...collection, about: 'received_payment' } as const

/**
 * Every event type and its rules. `EventPayloads` has the payloads. A form of the API can rename an event or leave it
 * out.
 */
export const eventTypes = {
  'organization.created': organization,
  'organization.updated': organization,
  'organization.phone_verified': organization,
  'organization.onboarding_completed': organization,
  'organization.credit_pool_changed': organization,
  'organization.child_parted': organization,
  'organization.parted': organization,

  'member.joined': member,
  'member.updated': member,
  'member.removed': member,
  'member.role_changed': member,
  'member.status_changed': member,
  'member.second_factor_removed': member,
  'member.change_asked': member,

  'invitation.created': invitation,
  'invitation.resent': invitation,
  'invitation.withdrawn': invitation,
  'invitation.accepted': invitation,
  'invitation.expired': invitation,

  'role.created': role,
  'role.updated': role,
  'role.deleted': role,

  'api_key.created': apiKey,
  'api_key.updated': apiKey,
  'api_key.capabilities_changed': apiKey,
  'api_key.rotated': apiKey,
  'api_key.revoked': apiKey,
  'api_key.expired': apiKey,

  'connected_program.created': connectedProgram,
  'connected_program.updated': connectedProgram,
  'connected_program.ended': connectedProgram,

  'organization.subscription_tier_changed': organization,

  'organization.exchange_rates_saved': { ...organization, scope: 'mode' },
  'organization.tax_number_verified': { ...organization, scope: 'mode' },

  'seller.created': seller,
  'seller.updated': seller,
  'seller.deleted': seller,
  'seller.tax_id_verified': { ...seller, scope: 'mode' },
  'seller.tax_id_verification_failed': { ...seller, scope: 'mode' },

  'tax_connection.connected': taxConnection,
  'tax_connection.failed': taxConnection,
  'tax_connection.key_file_stored': taxConnection,
  'tax_connection.revoked': taxConnection,

  'tax_return.closed': taxReturn,

  'buyer.created': buyer,
  'buyer.updated': buyer,
  'buyer.deleted': buyer,
  'buyer.archived': buyer,
  'buyer.statement_sent': buyer,
  'buyer.statement_shared': buyer,
  'buyer.statement_unshared': buyer,
  'buyer.reminders_changed': buyer,
  'buyer.tax_id_verified': buyer,
  'buyer.tax_id_verification_failed': buyer,

  'item.created': item,
  'item.updated': item,
  'item.deleted': item,
  'item.archived': item,
  'item.unarchived': item,

  'invoice.created': { ...invoice, guarded: { itemUses: 'item.read' } },
  'invoice.updated': { ...invoice, guarded: { itemUses: 'item.read' } },
  'invoice.deleted': invoice,
  'invoice.finalised': invoice,
  'invoice.reopened': invoice,
  'invoice.sent': { ...invoice, guarded: { to: 'buyer.read' } },
  'invoice.reminder_sent': invoice,
  'invoice.reminder_not_sent': invoice,
  'invoice.disputed': invoice,
  'invoice.dispute_resolved': invoice,
  'invoice.payment_promised': invoice,
  'invoice.payment_promise_withdrawn': invoice,
  'invoice.shared': invoice,
  'invoice.unshared': invoice,
  'invoice.payment_recorded': invoice,
  'invoice.payment_reversed': invoice,
  'invoice.paid': invoice,
  'invoice.queued': invoice,
  'invoice.signed': invoice,
  'invoice.transmitted': invoice,
  'invoice.accepted': invoice,
  'invoice.rejected': invoice,
  'invoice.submission_failed': invoice,
  'invoice.reporting_due': invoice,
  'invoice.retry_scheduled': invoice,
  'invoice.cancellation_requested': invoice,
  'invoice.cancelled': invoice,
  'invoice.status_changed': invoice,

  'reminder_plan.updated': reminderPlan,

  'bulk_job.completed': { ...invoice, about: 'bulk_job' },

  'test_clock.advancing': testClock,
  'test_clock.ready': testClock,
  'test_clock.stopped': testClock,

  'recurring_schedule.created': recurringSchedule,
  'recurring_schedule.updated': recurringSchedule,
  'recurring_schedule.paused': recurringSchedule,
  'recurring_schedule.resumed': recurringSchedule,
  'recurring_schedule.ended': recurringSchedule,
  'recurring_schedule.invoice_made': recurringSchedule,
  'recurring_schedule.period_waiting': recurringSchedule,
  'recurring_schedule.period_failed': recurringSchedule,

  'quote.created': quote,
  'quote.updated': quote,
  'quote.sent': { ...quote, guarded: { to: 'buyer.read' } },
  'quote.shared': quote,
  'quote.unshared': quote,
  'quote.accepted': quote,
  'quote.declined': quote,
  'quote.expired': quote,
  'quote.converted': quote,
  'quote.cancelled': quote,

  'inbound_invoice.received': inboundInvoice,

  'billing.account.status_changed': account,
  'billing.balance.updated': balance,
  'billing.balance.low': balance,
  'billing.credits.purchased': payment,
  'billing.payment.created': payment,
  'billing.payment.succeeded': payment,
  'billing.payment.failed': payment,
  'billing.payment.expired': payment,
  'billing.payment.refunded': payment,
  'billing.payment.disputed': payment,
  'billing.payment.charged_back': payment,
  'billing.subscription.created': subscription,
  'billing.subscription.activated': subscription,
  'billing.subscription.renewed': subscription,
  'billing.subscription.cancelled': subscription,
  'billing.subscription.resumed': subscription,
  'billing.subscription.past_due': subscription,
  'billing.subscription.payment_failed': subscription,
  'billing.subscription.payment_failed_final': subscription,
  'billing.subscription.expired': subscription,

  'collection.settlement_updated': { ...collection, about: 'settlement_account' },
  'collection.account_opened': { ...collection, about: 'virtual_account' },
  'collection.account_deactivated': { ...collection, about: 'virtual_account' },
  'collection.payment_received': receivedPayment,
  'collection.payment_reconciled': receivedPayment,
  'collection.payment_applied': receivedPayment,
  'collection.payment_refunded': receivedPayment,
  'collection.refund_failed': receivedPayment,
  'collection.difference_found': receivedPayment,

  'webhook_endpoint.created': webhookEndpoint,
  'webhook_endpoint.updated': webhookEndpoint,
  'webhook_endpoint.secret_rotated': webhookEndpoint,
  'webhook_endpoint.disabled': webhookEndpoint,
  'webhook_endpoint.enabled': webhookEndpoint,
  'webhook_endpoint.deleted': webhookEndpoint,
  'webhook_endpoint.pinged': webhookEndpoint,
} as const satisfies Record<keyof EventPayloads, EventTypeFacts>

export type EventType = keyof typeof eventTypes

/** Event types of one kind of object. */
export type EventOf<Kind extends ObjectKind> = {
  [Type in EventType]: (typeof eventTypes)[Type]['about'] extends Kind ? Type : never
}[EventType]

export const eventsOf = <Kind extends ObjectKind>(kind: Kind): EventOf<Kind>[] =>
  (Object.keys(eventTypes) as EventType[]).filter((type) => eventTypes[type].about === kind) as EventOf<Kind>[]

/** Fields that a type needs beside the facts of its object, as the remaining arguments of a function. */
export type MorePayload<Type extends EventType, Facts> =
  false extends IsWhole<Type, Facts> ? [Without<EventPayloads[Type], keyof Facts>] : []
/** Distributes over the types, so that one type without further fields does not excuse the others in a union. */
type IsWhole<Type extends EventType, Facts> = Type extends EventType
  ? Facts extends EventPayloads[Type]
    ? true
    : false
  : never
type Without<Payload, Names extends PropertyKey> = Payload extends object ? Omit<Payload, Names> : never

/** Facts of the object and further fields of the type, as one payload. */
export const payloadOf = <Type extends EventType, Facts extends object>(
  facts: Facts,
  [more]: MorePayload<Type, Facts>,
): EventPayloads[Type] =>
  // `MorePayload` guarantees that both parts make up the payload. The compiler cannot infer it for a generic type.
  ({ ...facts, ...(more as object | undefined) }) as unknown as EventPayloads[Type]

/** Mode and version of an event, as far as its type has them. */
export type EventScope<Type extends EventType> = Type extends EventType
  ? ((typeof eventTypes)[Type]['scope'] extends 'mode' ? { readonly mode: Mode } : { readonly mode?: never }) &
      ((typeof objectKinds)[(typeof eventTypes)[Type]['about']]['hasVersion'] extends true
        ? { readonly version: number | bigint }
        : { readonly version?: never })
  : never

/** Event types that the holder of these capabilities may read. */
export const readableTypes = (held: ReadonlySet<Capability>): EventType[] =>
  (Object.keys(eventTypes) as EventType[]).filter((type) => held.has(eventTypes[type].capability))

/** Capabilities that are needed to read the whole payload. */
export function capabilitiesToRead(type: EventType): Capability[] {
  const { capability, guarded = {} }: EventTypeFacts = eventTypes[type]
  return [capability, ...Object.values(guarded)]
}

/** Payload fields that the holder of these capabilities may not read. */
export function keptFrom(type: EventType, held: ReadonlySet<Capability>): string[] {
  const { guarded = {} }: EventTypeFacts = eventTypes[type]
  return Object.keys(guarded).filter((name) => !held.has(guarded[name] as Capability))
}

/** The payload without the fields that the holder of these capabilities may not read. */
export function readableData(type: EventType, data: object, held: ReadonlySet<Capability>): object {
  const { guarded }: EventTypeFacts = eventTypes[type]
  if (!guarded) return data
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => guarded[name] === undefined || held.has(guarded[name])),
  )
}
