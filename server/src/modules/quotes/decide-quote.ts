import type { Caller, PublicCaller, TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import type { Quote, QuoteDecision, QuoteId } from './quote.ts'
import { emitQuoteEvent } from './quote-events.ts'
import { findQuoteByToken } from './quote-shares.store.ts'
import { statusAfter } from './quote-status.ts'
import { saveDecision, saveStatus } from './quotes.store.ts'
import { getOwnQuote, lockOwnQuote, type QuoteRef } from './read-quotes.ts'

/** A decision, with the version and the total that the person saw. */
export interface GivenDecision extends Pick<QuoteDecision, 'decision' | 'name' | 'remark'> {
  readonly versionNumber: number
  /** the total that was shown; `undefined` if the decision has no total */
  readonly payableMinor?: bigint | undefined
}

/**
 * Records a decision, once. The decision names the version and its total. So nobody accepts a version that they did not see, even if the
 * quote changes at the same moment.
 */
async function decide(
  context: Inside<Caller>,
  tenant: Tenant,
  id: QuoteId,
  { versionNumber, payableMinor, ...given }: GivenDecision,
  through: QuoteDecision['through'],
): Promise<Quote> {
  const { tx, now, origin } = context
  const quote = await lockOwnQuote(tx, tenant, id, now)
  const status = statusAfter(quote.status, given.decision === 'accepted' ? 'accept' : 'decline')
  if (!status) throw refuse('quote.decide.not_open')
  if (versionNumber !== quote.versionNumber || (payableMinor ?? quote.payableMinor) !== quote.payableMinor)
    throw refuse('quote.decide.version_changed')
  const decision: QuoteDecision = { ...given, decidedAt: now, through, address: origin.address }
  await saveDecision(tx, tenant, id, versionNumber, decision)
  await saveStatus(tx, tenant, id, status, now)
  const decided = await getOwnQuote(tx, tenant, id, now)
  const { name: decidedBy, remark } = given
  const payload = { decidedBy, decidedThrough: through, remark }
  emitQuoteEvent(context, `quote.${given.decision}`, tenant, decided, payload)
  return decided
}

const decideRefusals = ['resource.not_found', 'quote.decide.not_open', 'quote.decide.version_changed'] as const

/** Records what the buyer told the seller, for example on the telephone. */
export const decideForBuyer = operation(
  { needs: ['invoice.create'], refuses: decideRefusals },
  async (context: Inside<TokenCaller>, { id, ...given }: QuoteRef & GivenDecision): Promise<Quote> =>
    await decide(context, context.caller.tenant, id, given, 'seller'),
)

/** The buyer's decision on the public page. The link is the only credential. */
export const decideOnPage = operation(
  { needs: [], refuses: decideRefusals },
  async (
    context: Inside<PublicCaller>,
    { token, ...given }: GivenDecision & { readonly token: string; readonly payableMinor: bigint },
  ): Promise<void> => {
    const found = await findQuoteByToken(context.tx, token)
    if (!found) throw refuse('resource.not_found')
    const { quoteId, organisationId, mode } = found
    const tenant = { organisationId, mode }
    const now = await context.nowOf(tenant)
    // The seller may end the link while this request waits for the lock.
    await lockOwnQuote(context.tx, tenant, quoteId, now)
    if (!(await findQuoteByToken(context.tx, token))) throw refuse('resource.not_found')
    await decide({ ...context, now }, tenant, quoteId, given, 'page')
  },
)
