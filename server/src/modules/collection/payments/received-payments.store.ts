import type { Page, PageRequest } from '../../../kernel/paging.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { type ListOrder, newestFirst, readPage } from '../../../platform/database/keyset.store.ts'
import { joined, type Sql, sql } from '../../../platform/database/sql.ts'
import type { Actor } from '../../../platform/events/actors.ts'
import type { BuyerId } from '../../buyers/index.ts'
import type { InvoiceId, InvoicePayment } from '../../invoices/index.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'
import { afterMoves, type Move, partsOfMove } from './payment-balances.ts'
import type { ReceivedPayment, ReceivedPaymentId, ReconciliationStatus } from './received-payment.ts'

export const columns = sql`
  id, account_id, provider, provider_reference, buyer_id, currency, amount_minor, unmatched_minor, credited_minor, applied_minor, refunded_minor,
  matched_at, reconciliation_status, sender_name, narration, received_at, recorded_at, reversed_at, version`

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

export type NewPayment = Pick<
  ReceivedPayment,
  | 'id'
  | 'accountId'
  | 'provider'
  | 'providerReference'
  | 'buyerId'
  | 'currency'
  | 'amountMinor'
  | 'senderName'
  | 'narration'
  | 'receivedAt'
>

/**
 * Writes the payment and its first move in one statement, once for each provider reference. Returns undefined if it
 * exists.
 */
export function insertPayment(
  tx: Tx,
  tenant: Tenant,
  payment: NewPayment,
  now: Date,
): Promise<ReceivedPayment | undefined> {
  const p = payment
  return tx.maybe(sql`
    with come as (
      insert into received_payments (organisation_id, mode, id, account_id, provider, provider_reference, buyer_id, currency, amount_minor,
                                     unmatched_minor, sender_name, narration, received_at, recorded_at)
      values (${tenant.organisationId}, ${tenant.mode}, ${p.id}, ${p.accountId}, ${p.provider}, ${p.providerReference}, ${p.buyerId},
              ${p.currency}, ${p.amountMinor}, ${p.amountMinor}, ${p.senderName}, ${p.narration}, ${p.receivedAt}, ${now})
      on conflict (organisation_id, mode, provider, provider_reference) do nothing
      returning organisation_id, mode, ${columns}),
    entered as (
      insert into received_payment_moves (organisation_id, mode, payment_id, seq, type, from_place, to_place, amount_minor, actor_kind, moved_at)
      select organisation_id, mode, id, 1, 'receive', 'received', 'unmatched', amount_minor, 'system', ${now} from come)
    select ${columns} from come`)
}

export function findPayment(
  db: Queryable,
  tenant: Tenant,
  id: ReceivedPaymentId,
): Promise<ReceivedPayment | undefined> {
  return db.maybe(sql`select ${columns} from received_payments where ${within(tenant)} and id = ${id}`)
}

export function findPaymentByReference(
  db: Queryable,
  tenant: Tenant,
  provider: CollectionProviderName,
  reference: string,
): Promise<ReceivedPayment | undefined> {
  return db.maybe(sql`
    select ${columns} from received_payments
     where ${within(tenant)} and provider = ${provider} and provider_reference = ${reference}`)
}

export function lockPayment(tx: Tx, tenant: Tenant, id: ReceivedPaymentId): Promise<ReceivedPayment | undefined> {
  return tx.maybe(sql`
    select ${columns} from received_payments where ${within(tenant)} and id = ${id} for no key update`)
}

/** Other changes in the same statement as the moves. */
export interface WithMoves {
  readonly matchedAt?: Date
  readonly buyerId?: BuyerId | null
  readonly reversedAt?: Date
}

/**
 * Moves money in one statement that writes both the parts and the entries that explain them. The write requires the
 * version that was read, and a table constraint checks the sums.
 */
export async function moveMoney(
  tx: Tx,
  tenant: Tenant,
  before: ReceivedPayment,
  moves: readonly Move[],
  { actor, now, ...more }: WithMoves & { actor: Actor; now: Date },
): Promise<ReceivedPayment> {
  const after = afterMoves(before, moves)
  const { buyerId = before.buyerId, matchedAt = before.matchedAt, reversedAt = before.reversedAt } = more
  const entries = moves.map(({ type, amountMinor, invoiceId, invoicePaymentId, refundId, buyerId: ownerId }) => ({
    type,
    from: partsOfMove[type][0],
    to: partsOfMove[type][1],
    amount: String(amountMinor),
    buyerId:
      partsOfMove[type][0] === 'credited' ? before.buyerId : partsOfMove[type][1] === 'credited' ? buyerId : ownerId,
    invoiceId,
    invoicePaymentId,
    refundId,
  }))
  const moved = await tx.maybe<ReceivedPayment>(sql`
    with moved as (
      update received_payments
         set unmatched_minor = ${after.unmatchedMinor}, credited_minor = ${after.creditedMinor}, applied_minor = ${after.appliedMinor},
             refunded_minor = ${after.refundedMinor}, matched_at = ${matchedAt}, buyer_id = ${buyerId}, reversed_at = ${reversedAt},
             version = version + 1
       where ${within(tenant)} and id = ${before.id} and version = ${before.version}
      returning organisation_id, mode, ${columns}),
    entered as (
      insert into received_payment_moves (organisation_id, mode, payment_id, seq, type, from_place, to_place, amount_minor, invoice_id,
                                          invoice_payment_id, refund_id, buyer_id, actor_kind, actor_id, moved_at)
      select moved.organisation_id, moved.mode, moved.id,
             (select max(m.seq) from received_payment_moves m
               where m.organisation_id = ${tenant.organisationId} and m.mode = ${tenant.mode} and m.payment_id = ${before.id}) + e.nth,
             e.value ->> 'type', e.value ->> 'from', e.value ->> 'to', (e.value ->> 'amount')::bigint, (e.value ->> 'invoiceId')::uuid,
             (e.value ->> 'invoicePaymentId')::uuid, (e.value ->> 'refundId')::uuid, (e.value ->> 'buyerId')::uuid, ${actor.kind}, ${actor.id}::uuid, ${now}
        from moved cross join jsonb_array_elements(${JSON.stringify(entries)}::jsonb) with ordinality as e (value, nth))
    select ${columns} from moved`)
  if (!moved) throw new Error('a payment was moved that was not locked')
  return moved
}

/** What of a payment is on which invoice, latest first. */
export interface InvoiceShare {
  readonly invoiceId: InvoiceId
  readonly invoicePaymentId: InvoicePayment['id']
  readonly amountMinor: bigint
}

export function listInvoiceShares(db: Queryable, tenant: Tenant, id: ReceivedPaymentId): Promise<InvoiceShare[]> {
  return db.rows(sql`
    select invoice_id, invoice_payment_id, sum(case when to_place = 'applied' then amount_minor else -amount_minor end)::bigint as amount_minor
      from received_payment_moves
     where ${within(tenant)} and payment_id = ${id} and invoice_payment_id is not null
     group by invoice_id, invoice_payment_id
    having sum(case when to_place = 'applied' then amount_minor else -amount_minor end) > 0
     order by max(seq) desc`)
}

/** What a refund took off an invoice. */
export interface WithdrawnShare {
  readonly invoiceId: InvoiceId
  readonly amountMinor: bigint
  /** The buyer from whose credit the service itself had taken it. Null if it had not. */
  readonly creditOf: BuyerId | null
}

/** Whose credit a refund took. Null if it took none, or before this was recorded. */
export async function findCreditOwner(
  db: Queryable,
  tenant: Tenant,
  id: ReceivedPaymentId,
  refundId: string,
): Promise<BuyerId | null> {
  const found = await db.maybe<{ buyerId: BuyerId | null }>(sql`
    select buyer_id from received_payment_moves
     where ${within(tenant)} and payment_id = ${id} and refund_id = ${refundId} and type = 'release_credit' order by seq limit 1`)
  return found?.buyerId ?? null
}

/** What a refund withdrew from which invoices. */
export function listWithdrawn(
  db: Queryable,
  tenant: Tenant,
  id: ReceivedPaymentId,
  refundId: string,
): Promise<WithdrawnShare[]> {
  const taken = sql`sum(case when from_place = 'applied' then amount_minor else -amount_minor end)`
  return db.rows(sql`
    select invoice_id, buyer_id as credit_of, ${taken}::bigint as amount_minor from received_payment_moves
     where ${within(tenant)} and payment_id = ${id} and refund_id = ${refundId} and invoice_id is not null
     group by invoice_id, buyer_id having ${taken} > 0
     order by min(seq)`)
}

/** Filters of a list. Exceptions are payments that need a person. */
export interface PaymentFilter {
  readonly status?: ReconciliationStatus | undefined
  readonly buyerId?: BuyerId | undefined
  readonly exceptions?: true
}

const isException = (tenant: Tenant): Sql => sql`
  (reconciliation_status in ('unmatched', 'overpaid')
   or exists (select from collection_differences d
               where d.organisation_id = ${tenant.organisationId} and d.mode = ${tenant.mode} and d.payment_id = received_payments.id
                 and d.settled_at is null))`

/** Newest first. */
export async function listPayments(
  db: Queryable,
  tenant: Tenant,
  { status, buyerId, exceptions }: PaymentFilter,
  page: PageRequest,
): Promise<Page<ReceivedPayment>> {
  const conditions = [within(tenant)]
  if (status !== undefined) conditions.push(sql`reconciliation_status = ${status}`)
  if (buyerId !== undefined) conditions.push(sql`buyer_id = ${buyerId}`)
  if (exceptions) conditions.push(isException(tenant))
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from received_payments where ${matching}`,
  )
  const order = newestFirst(sql`received_at`, sql`id`)
  return readPage(db, { columns, tables: sql`received_payments`, matching, order, total }, page)
}

export interface BuyerCredit {
  readonly buyerId: BuyerId
  readonly currency: string
  readonly balanceMinor: bigint
}

const largestCreditFirst: ListOrder = {
  name: 'credits',
  keys: [
    { column: sql`balance_minor`, type: 'integer', descending: true },
    { column: sql`buyer_id`, type: 'uuid' },
    { column: sql`currency`, type: 'text' },
  ],
}

/** One credit balance for each buyer and currency, largest first; of one buyer if it is given. */
export async function listCredits(
  db: Queryable,
  tenant: Tenant,
  buyerId: BuyerId | undefined,
  page: PageRequest,
): Promise<Page<BuyerCredit>> {
  const ofBuyer = buyerId === undefined ? sql`true` : sql`buyer_id = ${buyerId}`
  const credits = sql`
    select buyer_id, currency, sum(credited_minor)::bigint as balance_minor from received_payments
     where ${within(tenant)} and ${ofBuyer} and credited_minor > 0 group by buyer_id, currency`
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from (${credits}) as c`)
  const tables = sql`(${credits}) as c`
  return readPage(db, { columns: sql`c.*`, tables, matching: sql`true`, order: largestCreditFirst, total }, page)
}

/**
 * Locks payments with credit of a buyer at a seller in the order of their ids, as everywhere. Returns them oldest
 * first.
 */
export async function lockCredit(
  tx: Tx,
  tenant: Tenant,
  { buyerId, sellerId, currency, limit }: { buyerId: BuyerId; sellerId: SellerId; currency: string; limit: number },
): Promise<ReceivedPayment[]> {
  // Credit belongs to the seller whose account received the money.
  const isCredit = sql`
    ${within(tenant)} and buyer_id = ${buyerId} and currency = ${currency} and credited_minor > 0
      and account_id in (select v.id from virtual_accounts v
                          where v.organisation_id = ${tenant.organisationId} and v.mode = ${tenant.mode} and v.seller_id = ${sellerId})`
  await tx.run(sql`
    select from received_payments
     where ${within(tenant)} and id = any (array(
       select id from received_payments where ${isCredit} order by received_at, id limit ${limit}))
     order by id for no key update`)
  return await tx.rows(sql`
    select ${columns} from received_payments where ${isCredit} order by received_at, id limit ${limit}`)
}

export type PendingPayment = Tenant & Pick<ReceivedPayment, 'id' | 'recordedAt'>

/**
 * Payments of all tenants that nobody has tried to match yet, in pages. Only those old enough that the process that recorded them had time to
 * match.
 */
export function listPending(
  db: Queryable,
  { before, after, limit }: { before: Date; after: PendingPayment | undefined; limit: number },
): Promise<PendingPayment[]> {
  const isAfter = after ? sql`and (recorded_at, id) > (${after.recordedAt}, ${after.id}::uuid)` : sql``
  return db.rows(sql`
    select organisation_id, mode, id, recorded_at from received_payments
     where matched_at is null and recorded_at < ${before} ${isAfter} order by recorded_at, id limit ${limit}`)
}
