import { AuthorityUnavailable, type NetworkEntry } from '../../jurisdictions/port.ts'
import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { addWithin } from '../../platform/limits/bounds.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../platform/operations/operation.ts'
import { capture, hold, release } from '../credits/index.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { findNetworkLookup, saveNetworkLookup } from './network-lookups.store.ts'
import { taxIdentityOf } from './tax-identity.ts'

/** How long an answer counts as fresh: 24 hours. */
const freshMs = 24 * 3_600_000

interface ReachIntent {
  readonly tenant: Tenant
  readonly country: string
  readonly taxId: string
  readonly taxIdNormal: string
  /** A fresh answer is stored, so the authority is not asked. */
  readonly known: boolean
  /** The organisation has reached its daily limit, so the authority is not asked. */
  readonly overLimit?: boolean
  /** Cause of the held credits. Null if the question is free. */
  readonly cause: string | null
}

export interface Reachability {
  readonly taxId: string
  readonly reachable: boolean | null
  readonly provider: string | null
  readonly checkedAt: Date | null
  /** The authority could not be asked, and this is an earlier answer. */
  readonly stale: boolean
  /** The authority could not be asked, and there is no earlier answer. */
  readonly unavailable: boolean
}

async function intend(
  context: Inside<TokenCaller>,
  taxId: string,
  { paid, cached }: { paid: boolean; cached: boolean },
): Promise<ReachIntent> {
  const { tx, caller, ports, now } = context
  const { tenant } = caller
  const jurisdiction = jurisdictionOf(ports, caller)
  const { country } = jurisdiction
  const taxIdNormal = taxIdentityOf(jurisdiction, taxId, 'national').taxIdNormal as string
  const before = cached ? await findNetworkLookup(tx, { country, mode: tenant.mode, taxIdNormal }) : undefined
  const known = before !== undefined && now.getTime() - before.checkedAt.getTime() < freshMs
  const overLimit = !paid && !known && !(await hasFreeQuestion(context, tenant))
  const cause = paid ? `reach:${newId()}` : null
  if (cause !== null) await hold(context, tenant, 'reachability.check', cause)
  return { tenant, country, taxId: taxId.trim(), taxIdNormal, known, overLimit, cause }
}

/** Only free questions have a daily limit: the price limits the others. */
async function hasFreeQuestion(context: Inside<TokenCaller>, { organisationId, mode }: Tenant): Promise<boolean> {
  const subject = `reachability:${organisationId} ${mode}`
  const limit = { subject, perWindow: context.settings.reachabilityPerDay, windowSeconds: 86_400 }
  return (await addWithin(context, limit)).hasRoom
}

async function call(
  { ports, signal }: Outside<Caller> & { signal: AbortSignal },
  { tenant, country, taxIdNormal, known, overLimit }: ReachIntent,
): Promise<NetworkEntry | undefined> {
  const authority = ports.jurisdictions.authority(country, tenant.mode)
  if (known || overLimit || !authority) return undefined
  try {
    return await authority.findNetworkEntry?.(taxIdNormal, signal)
  } catch (error) {
    if (error instanceof AuthorityUnavailable) return undefined
    throw error
  }
}

/** Never refuses: without an answer the result is `unavailable` and free. */
async function settle(
  context: Inside<Caller>,
  { tenant, country, taxId, taxIdNormal, known, cause }: ReachIntent,
  outcome: CallOutcome<NetworkEntry | undefined>,
): Promise<Reachability> {
  const { tx, now } = context
  const asked = { country, mode: tenant.mode, taxIdNormal }
  const answer = outcome.kind === 'answered' ? outcome.answer : undefined
  if (answer) await saveNetworkLookup(tx, asked, answer, now)
  if (cause !== null && answer) await capture(context, tenant, 'reachability.check', cause)
  else if (cause !== null) await release(context, tenant, 'reachability.check', cause)
  const entry = await findNetworkLookup(tx, asked)
  return {
    taxId,
    reachable: entry?.reachable ?? null,
    provider: entry?.provider ?? null,
    checkedAt: entry?.checkedAt ?? null,
    stale: !answer && !known && entry !== undefined,
    // The caller paid for a fresh answer, so an old one must not replace it silently.
    unavailable: !answer && !known && (entry === undefined || cause !== null),
  }
}

/**
 * Whether the authority's network reaches a number. Uses a stored answer if it is fresh, or else asks the authority.
 * Free.
 */
export const getReachability = exchange(
  { time: 'real', needs: ['buyer.read'], refuses: ['jurisdiction.unsupported'] },
  {
    name: 'get-reachability',
    deadlineMs: 8_000,
    intend: (context: Inside<TokenCaller>, { taxId }: { taxId: string }) =>
      intend(context, taxId, { paid: false, cached: true }),
    call,
    inquire: { none: 'whoever asked is gone, and the next one asks anew' },
    settle,
  },
)

/** Always asks the authority. Charged only if it answers. */
export const checkReachability = exchange(
  { time: 'real', needs: ['buyer.read'], refuses: ['jurisdiction.unsupported', 'credits.insufficient'] },
  {
    name: 'check-reachability',
    deadlineMs: 8_000,
    intend: (context: Inside<TokenCaller>, { taxId }: { taxId: string }) =>
      intend(context, taxId, { paid: true, cached: false }),
    call,
    inquire: { none: 'whoever asked is gone, and would pay for an answer that nobody reads' },
    settle,
  },
)
