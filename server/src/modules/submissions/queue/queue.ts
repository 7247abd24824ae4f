import { setTimeout as wait } from 'node:timers/promises'
import type { Authority, ReportingRules } from '../../../jurisdictions/port.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import type { RunningQueue } from '../../../platform/background/fair-queue.ts'
import { isConnectionFailure } from '../../../platform/database/database.ts'
import { writeAllButRefused } from '../../../platform/database/write-all-but-refused.ts'
import { failingOnes } from '../../../platform/jobs/failing-items.ts'
import type { AttemptCounts } from '../../../platform/jobs/jobs.ts'
import { countByOrganisation, firstTurn, turnAfter, turnAfterAll } from '../../../platform/jobs/turns.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { startRounds } from '../../../platform/rounds.ts'
import { credentialsOf, findConnection } from '../../tax-connection/index.ts'
import { type AuthorityReply, askAuthority } from '../asking/ask-authority.ts'
import { retryPolicyOf } from '../state/retry-policy.ts'
import { type StampKeys, stampKeysOf } from '../state/stamps.ts'
import type { SubmissionId } from '../state/submission.ts'
import type { Step } from '../state/submission-state.ts'
import { findLink, saveLink } from '../state/submissions.store.ts'
import { Breaker } from './breaker.ts'
import { type ClaimedSubmission, chooseDue, claimSubmissions, type DueShare, handBack } from './queue.store.ts'
import { createRecorder } from './recorder.ts'

/** Limits for each country and mode, so that sandbox documents never occupy the places of live ones. */
export interface QueueSize {
  /** documents under way at a time, over all organisations */
  readonly concurrency: number
  /** documents under way of one organisation, so that a long backlog leaves room for others */
  readonly ofOne: number
}

const standardSize: QueueSize = { concurrency: 64, ofOne: 32 }
const pace = { restMs: 5, idleMs: 500 }
/**
 * One claim of many rows costs hardly more than a claim of one. So a link with fewer free places than this part of
 * its concurrency does not claim yet.
 */
const leastRoom = 1 / 4
/** How many organisations' claims run at the same time. */
const claimsAtOnce = 4
/** A document needs three steps until it is accepted; more follow only after unclear answers. */
const mostStepsAtOnce = 12
/** How long, and for how many organisations, keys are cached. */
const knownForMs = 5_000
const mostKnown = 1_000
/**
 * Parts of the lease. Start no request that would leave less than 1/10 of it; start a further request only within its
 * first third.
 */
const leaseKept = 1 / 10
const leaseForMore = 1 / 3
/**
 * If a row was not taken for this part of the give-up time, the workers were down, and its retry counter is reset.
 */
const forgottenAfter = 1 / 4
const leastForgottenMs = 4 * pace.idleMs
const finishWithinMs = 5_000
const keyOf = ({ organisationId, mode }: Tenant): string => `${organisationId} ${mode}`

/** The authority's client for one organisation. */
interface AuthorityAccess {
  readonly authority: Authority | undefined
  readonly rules: ReportingRules
  readonly stampKeys: StampKeys | undefined
  /** why no request is possible */
  readonly trouble?: string
}

/** What this process could not understand or open since its start, for the metrics. */
export const troubles = { unknownRefusals: 0, unreadableKeys: 0 }

/** Sends due submissions to the authorities until it is stopped. */
export function startSubmissionQueue(
  runtime: Runtime,
  runner: Runner,
  counts: AttemptCounts,
  size: QueueSize = standardSize,
): RunningQueue {
  const { db, ports, vault, clock, settings, log } = runtime
  const record = createRecorder(
    runner,
    (tenant) => [...underWay.values()].filter(({ claimed }) => keyOf(claimed) === keyOf(tenant)).length,
    ({ ends, unknownRefusals, soonestMs }) => {
      counts.done += ends.filter((end) => end === 'done').length
      counts.failed += ends.filter((end) => end !== 'done').length
      counts.retried += ends.filter((end) => end === 'retried').length
      troubles.unknownRefusals += unknownRefusals
      // Wake up earlier if a row is due before the next poll.
      if (soonestMs !== undefined && soonestMs < pace.idleMs) setTimeout(() => rounds.wake(), soonestMs).unref()
    },
  )
  const unclaimed = failingOnes(runtime, 'submission.not_claimed')
  const unrecorded = failingOnes(runtime, 'submission.save_failed')
  const underWay = new Map<string, { claimed: ClaimedSubmission; fence: number; readonly ended: Promise<void> }>()
  const known = new Map<string, { readonly until: number; readonly access: Promise<AuthorityAccess> }>()

  async function accessFor(tenant: Tenant, country: string): Promise<AuthorityAccess> {
    const { reporting } = ports.jurisdictions.of(country) ?? {}
    if (!reporting) throw new Error(`no jurisdiction is called ${country}`)
    const connection = await findConnection(db, tenant)
    const stampKeys = stampKeysOf({ vault, log }, tenant, connection)
    const none = (trouble: string) => ({ authority: undefined, rules: reporting, stampKeys, trouble })
    try {
      const credentials = connection && credentialsOf(vault, connection)
      const authority = ports.jurisdictions.authorityForWork(country, tenant.mode, credentials)
      if (!authority) return none('this installation has no access to the authority')
      return { authority, rules: reporting, stampKeys }
    } catch (error) {
      // Only the documents of this connection are affected: their attempts count as not sent.
      troubles.unreadableKeys++
      log.error('authority.keys_unreadable', { ...tenant, error })
      return none('the keys of this connection cannot be opened')
    }
  }
  function access({ organisationId, mode, country }: ClaimedSubmission): Promise<AuthorityAccess> {
    const key = keyOf({ organisationId, mode })
    const found = known.get(key)
    if (found && found.until > performance.now()) return found.access
    // The first entry is the oldest.
    for (const [oldest] of known) {
      if (known.size < mostKnown) break
      known.delete(oldest)
    }
    known.delete(key)
    const asked = accessFor({ organisationId, mode }, country)
    asked.catch(() => {
      if (known.get(key)?.access === asked) known.delete(key)
    })
    known.set(key, { until: performance.now() + knownForMs, access: asked })
    return asked
  }

  const links = ports.jurisdictions.all.flatMap(({ country }) =>
    (['live', 'sandbox'] as const).map((mode) => createLink(country, mode)),
  )
  function createLink(country: string, mode: Mode) {
    const authority = ports.jurisdictions.authorityForWork(country, mode)
    const deadlineMs = retryPolicyOf(mode, settings).deadlineMs.lookup
    const breaker = new Breaker({
      probe: authority && (() => authority.isHealthy(AbortSignal.timeout(deadlineMs))),
      notify: (state, reason) => {
        log[state === 'open' ? 'warn' : 'info']('authority.link', { reason: `${country} ${mode} ${state}` })
        return saveLink(db, { country, mode, state, reason, since: clock.now() })
      },
      notifyFailed: (error) => log.warn('authority.notify_failed', { reason: `${country} ${mode}`, error }),
      monotonicMs: () => performance.now(),
    })
    return { country, mode, breaker, from: firstTurn, isWholeRound: false }
  }
  type Link = ReturnType<typeof createLink>

  let isBegun = false
  /**
   * Each process decides from its own requests. Only at its start it believes the announced outage until its first
   * probe.
   */
  async function loadBreakerState(): Promise<void> {
    for (const { country, mode, breaker } of links) {
      const announced = await findLink(db, country, mode)
      if (announced?.state === 'open') breaker.beginOpen()
    }
    isBegun = true
  }

  const notSent = (why: string): AuthorityReply => ({
    answer: { kind: 'not_sent' },
    noted: { answer: 'not_sent', why, messages: [] },
    isHealthy: undefined,
  })

  /** Sends one request, if the lease outlives it: after the lease another worker may send too. */
  async function ask(
    claimed: ClaimedSubmission,
    step: Step,
    since: number,
    by: AuthorityAccess,
  ): Promise<AuthorityReply> {
    const { deadlineMs, leaseMs } = retryPolicyOf(claimed.mode, settings)
    const { authority, rules, trouble } = by
    if (!authority) return notSent(trouble ?? 'nobody to ask')
    const allowed = deadlineMs[step]
    if (performance.now() - since + allowed + leaseMs * leaseKept > leaseMs)
      return notSent('the claim was about to end')
    const payload = claimed.payload ?? undefined
    const request = { step, reference: claimed.reference, payload }
    return await askAuthority(authority, rules, request, AbortSignal.timeout(allowed))
  }

  const leaseOf = (mode: Mode): number => retryPolicyOf(mode, settings).leaseMs

  async function runSteps(claimed: ClaimedSubmission, claimedAt: number, { breaker }: Link): Promise<void> {
    const { organisationId, mode, id } = claimed
    const tenant = { organisationId, mode }
    let { step, fence } = claimed
    let since = claimedAt
    const by = await access(claimed)
    for (let steps = 0; steps < mostStepsAtOnce; steps++) {
      const { answer, noted, isHealthy } = await ask(claimed, step, since, by)
      breaker.note(isHealthy)
      const followedBy =
        answer.kind === 'transmitted' && performance.now() - since < leaseOf(mode) * leaseForMore
          ? { step: 'confirm' as const, ...(await ask(claimed, 'confirm', since, by)) }
          : undefined
      breaker.note(followedBy?.isHealthy)
      const goesOn = steps < mostStepsAtOnce - 1 && breaker.state !== 'open'
      since = performance.now()
      const stampKeys = by.stampKeys ?? null
      const next = await record(tenant, { id, step, fence, answer, noted, stampKeys, goesOn, followedBy })
      if (!next) return
      step = next.step
      fence = next.fence
      const held = underWay.get(id)
      if (held?.claimed === claimed) held.fence = fence
    }
  }

  function begin(claimed: ClaimedSubmission, claimedAt: number, link: Link): void {
    const { organisationId, mode, id } = claimed
    const item = { organisationId, mode, id }
    const ended = runSteps(claimed, claimedAt, link)
      .then(() => unrecorded.done([item]))
      // An answer that could not be written is not lost: the row falls due again and is looked up.
      .catch((error: unknown) => unrecorded.note(item, error))
      .finally(() => {
        // The lease may have expired and this process may have taken the row again; then the entry belongs to the new
        // lease.
        if (underWay.get(claimed.id) === begun) underWay.delete(claimed.id)
        rounds.wake()
      })
    const begun = { claimed, fence: claimed.fence, ended }
    underWay.set(claimed.id, begun)
  }

  /** Starts each leased submission at once, whatever happens to other organisations' claims. Returns how many. */
  async function claimOf(tenant: Tenant, ids: readonly SubmissionId[], link: Link): Promise<number> {
    const { leaseMs, giveUpAfterMs } = retryPolicyOf(tenant.mode, settings)
    const lease = { leaseMs, forgottenAfterMs: Math.max(giveUpAfterMs * forgottenAfter, leastForgottenMs) }
    let taken = 0
    try {
      const { refused, error } = await writeAllButRefused(ids, async (some) => {
        const claimedAt = performance.now()
        const claimed = await claimSubmissions(db, tenant, some, lease)
        for (const one of claimed) begin(one, claimedAt, link)
        taken += claimed.length
        await unclaimed.done(claimed)
      })
      for (const id of refused) await unclaimed.note({ ...tenant, id }, error)
    } catch (error) {
      if (isConnectionFailure(error)) throw error
      log.warn('submission.not_claimed', { ...tenant, error })
    }
    return taken
  }

  /** A few organisations at a time: claims that commit together wait for the disk once. */
  async function claimShares(shares: readonly DueShare[], link: Link): Promise<number> {
    const { mode, breaker } = link
    const left = shares.values()
    let claimed = 0
    async function claimOneByOne(): Promise<void> {
      for (const { organisationId, ids } of left) {
        if (breaker.state === 'open') return
        const taken = await claimOf({ organisationId, mode }, ids, link)
        // `claimed += await …` would read the sum before the wait and lose what the others add meanwhile.
        claimed += taken
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: claimsAtOnce }, claimOneByOne))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return claimed
  }

  async function claimFor(link: Link): Promise<boolean> {
    const { country, mode, breaker, from } = link
    const ofLink = [...underWay.values()].filter(({ claimed }) => claimed.country === country && claimed.mode === mode)
    const free = size.concurrency - ofLink.length
    if (free < size.concurrency * leastRoom) return false
    const limit = breaker.admits(free, ofLink.length)
    if (limit <= 0) return false
    const inHand = ofLink.map((one) => one.claimed)
    const room = { country, mode, limit, from, underWay: countByOrganisation(inHand), mostPerOrganisation: size.ofOne }
    if (from === firstTurn) link.isWholeRound = true
    const { shares, reached } = await chooseDue(db, room)
    const claimed = await claimShares(shares, link)
    if (shares.reduce((chosen, { ids }) => chosen + ids.length, 0) === limit) {
      link.from = turnAfterAll(shares)
      link.isWholeRound = false
      // Other workers took a part, so there is room for the next organisation.
      return claimed > 0 && claimed < limit
    }
    // The next walk continues behind this organisation, or starts again from the first, so every organisation gets
    // its turn.
    link.from = reached === undefined ? firstTurn : turnAfter(reached)
    return reached !== undefined || !link.isWholeRound
  }

  async function round(): Promise<boolean> {
    if (!isBegun) await loadBreakerState()
    let isMore = false
    for (const link of links) isMore = (await claimFor(link)) || isMore
    return isMore
  }

  const rounds = startRounds(round, pace, (error) => log.warn('queue.round_failed', { reason: 'submissions', error }))

  return {
    wake: () => rounds.wake(),
    async stop() {
      await rounds.stop()
      const ends = [...[...underWay.values()].map((one) => one.ended), ...links.map(({ breaker }) => breaker.idle())]
      await Promise.race([Promise.all(ends), wait(finishWithinMs, undefined, { ref: false })])
      const left = [...underWay.values()].map(({ claimed: { organisationId, mode, id }, fence }) => ({
        tenant: { organisationId, mode },
        id,
        fence,
      }))
      for (const ofOne of Map.groupBy(left, ({ tenant }) => keyOf(tenant)).values()) {
        const [{ tenant }] = ofOne as [(typeof left)[number]]
        await handBack(db, tenant, ofOne).catch((error: unknown) =>
          log.warn('submission.not_handed_back', { ...tenant, error }),
        )
      }
    },
  }
}
