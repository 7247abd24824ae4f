import type { LookupAnswer } from '../../../jurisdictions/port.ts'
import type { SystemCaller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import {
  type Inside,
  type Outside,
  operation,
  preparedOperation,
  reading,
} from '../../../platform/operations/operation.ts'
import { lockClaims } from '../claims/claims.store.ts'
import { settleClaims } from '../claims/settle-claims.ts'
import { inTime } from '../feeds/ask-authority.ts'
import {
  checkPaymentsJob,
  type Feed,
  keyOfTenant,
  nextPaymentCheck,
  paymentFollowedMs,
  paymentRestMs,
} from '../feeds/feed.ts'
import {
  advancePaymentChecks,
  listPaymentsToCheck,
  listTenantsNamed,
  type PaymentToCheck,
  savePayment,
  savePaymentChecked,
} from '../payments.store.ts'
import { paymentStatusOf } from '../received-invoice.ts'
import { findReceivedById } from '../received-invoices.store.ts'
import { isAddressed } from './keep-document.ts'
import { authorityAt, feedOfTenant, type OfTenant, type WaitingBatch } from './receive-invoices.ts'

const ours = { needs: [], refuses: [] } as const
const checkedAtOnce = 20

/** A tenant that is no longer connected is checked later: it may return. */
export const findPaymentsToCheck = reading(
  ours,
  async (context: Outside<SystemCaller>, tenant: Tenant): Promise<WaitingBatch<PaymentToCheck>> => {
    const items = await listPaymentsToCheck(context.db, tenant, context.realNow, checkedAtOnce)
    return { feed: await feedOfTenant(context, tenant), items, isFull: items.length === checkedAtOnce }
  },
)

/**
 * Asks the authority for the payment status of one received invoice and saves a change. Only a clear answer changes
 * anything. No answer, or a document that the authority no longer finds, is checked again later.
 */
export const checkPayment = preparedOperation(
  ours,
  async (context: Outside<SystemCaller>, { feed, what }: OfTenant<PaymentToCheck>): Promise<LookupAnswer | undefined> =>
    await (await authorityAt(context, feed))?.lookup(what.reference, inTime()),
  async (context: Inside<SystemCaller>, { tenant, feed, what }, answer): Promise<void> => {
    if (answer?.kind === 'found') await takeOver(context, tenant, feed, what, answer)
    await postpone(context, tenant, what)
  },
)

/** The check failed on our side. The next attempt follows at a growing interval. */
export const checkPaymentLater = operation(
  ours,
  async (context: Inside<SystemCaller>, { tenant, what }: Pick<OfTenant<PaymentToCheck>, 'tenant' | 'what'>) =>
    postpone(context, tenant, what),
)

function postpone({ tx, realNow: now }: Inside<SystemCaller>, tenant: Tenant, what: PaymentToCheck): Promise<void> {
  const next = nextPaymentCheck(now, what.paymentChecks + 1)
  const isFollowed = next.getTime() - what.receivedAt.getTime() <= paymentFollowedMs
  return savePaymentChecked(tx, tenant, what.id, { now, nextAt: isFollowed ? next : null })
}

async function takeOver(
  context: Inside<SystemCaller>,
  tenant: Tenant,
  { country }: Feed,
  { id }: PaymentToCheck,
  { paymentStatus }: Extract<LookupAnswer, { kind: 'found' }>,
): Promise<void> {
  const { tx, ports, now } = context
  const jurisdiction = ports.jurisdictions.of(country)
  await lockClaims(tx, tenant)
  const held = await findReceivedById(tx, tenant, id)
  const copy = held && jurisdiction?.reporting.readCopy(Buffer.from(held.document))
  if (!held || !jurisdiction || !copy || !isAddressed(copy)) return
  const payment = paymentStatus === undefined ? held.paymentStatus : paymentStatusOf(paymentStatus)
  const claim = jurisdiction.reporting.inputTaxClaim(
    { ...copy, paymentStatus: payment === 'unpaid' ? 'pending' : payment },
    {
      isReported: true,
      today: businessDay(now, jurisdiction.zone),
      faults: held.faults,
      ownTaxIds: [copy.buyer.taxIdNormal],
    },
  )
  if (payment === held.paymentStatus && claim.rule === held.claimRule) return
  await savePayment(tx, tenant, id, {
    paymentStatus: payment,
    isClaimable: claim.claimable,
    claimRule: claim.rule,
    claimMessage: claim.message,
    claimUntil: claim.until,
    inputTaxMinor: claim.taxMinor,
  })
  await settleClaims(context, tenant, id)
}

const namedAtOnce = 1_000

/** Tenants that hold the documents of a callback. */
export const findReceiversNamed = reading(
  ours,
  (
    { db }: Outside<SystemCaller>,
    { mode, references }: Pick<Feed, 'mode'> & { readonly references: readonly string[] },
  ): Promise<Tenant[]> => listTenantsNamed(db, mode, references, namedAtOnce),
)

/** A callback proves nothing, so the authority is asked, at most once a minute per document. */
export const markNotifiedInvoices = operation(
  ours,
  async (
    { tx, enqueue, realNow: now }: Inside<SystemCaller>,
    { tenant, references }: { readonly tenant: Tenant; readonly references: readonly string[] },
  ) => {
    await lockClaims(tx, tenant)
    if (await advancePaymentChecks(tx, tenant, references, { now, restMs: paymentRestMs }))
      enqueue(checkPaymentsJob, tenant, { key: keyOfTenant(tenant) })
  },
)

/** The last job may have left more to do. */
export const askToCheckPayments = operation(ours, async ({ enqueue }: Inside<SystemCaller>, tenant: Tenant) =>
  enqueue(checkPaymentsJob, tenant, { key: keyOfTenant(tenant) }),
)
