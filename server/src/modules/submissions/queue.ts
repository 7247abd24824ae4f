import { setTimeout as wait } from 'node:timers/promises'
import type { Authority, ReportingRules } from '../../jurisdictions/port.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import { isConnectionFailure } from '../../platform/database/database.ts'
import { writeApart } from '../../platform/database/write-apart.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import { startRounds } from '../../platform/rounds.ts'
import { failingOnes } from '../../platform/work/failing-items.ts'
import type { RunningQueue } from '../../platform/work/queues.ts'
import { countByOrganisation, firstTurn, turnAfter, turnAfterAll } from '../../platform/work/turns.ts'
import { type Connection, credentialsOf, findConnection } from '../tax-connection/index.ts'
import { askAuthority, type Learnt } from './ask-authority.ts'
import { Breaker } from './breaker.ts'
import { countEnds, countUnreadableKeys } from './figures.ts'
import type { Step } from './machine.ts'
import { paceOf } from './pace.ts'
import { type StampKeys, stampKeysOf } from './qr-codes.ts'
import { type Claimed, chooseDue, claimSubmissions, type DueShare, handBack } from './queue.store.ts'
import { createRecorder } from './recorder.ts'
import type { SubmissionId } from './submission.ts'
import { findLink, saveLink } from './submissions.store.ts'

/** Of each link, which is a country and a mode: live documents never wait for places that those of the sandbox have. */
export interface QueueSize {
  /** how many documents are under way at a time, over all organisations */
  readonly concurrency: number
  /** of one organisation: however much it has waiting, another's finds room */
  readonly ofOne: number
}

const standardSize: QueueSize = { concurrency: 64, ofOne: 32 }
const pace = { restMs: 5, idleMs: 500 }
/** Claims of one organisation cost hardly more than one: with less room than this part of all, it waits until there is more. */
const leastRoom = 1 / 4
/** For so many organisations documents are claimed at the same time. */
const claimsAtOnce = 4
/** From registering to being accepted it takes three steps; more follow only where answers are not clear. */
const mostStepsAtOnce = 12
/** What an organisation's keys are is asked again after so long, and of so many at most it is known. */
const knownForMs = 5_000
const mostKnown = 1_000
/** Of the time that a claim lasts: nothing is asked that would leave less than the first, and a further question only before the second. */
const leaseKept = 1 / 10
const leaseForMore = 1 / 3
/** Whoever was not looked at for this part of the time after which it is given up begins anew: nobody tried. */
const forgottenAfter = 1 / 4
const leastForgottenMs = 4 * pace.idleMs
const finishWithinMs = 5_000
const queueName = 'submissions'
const keyOf = ({ organisationId, mode }: Tenant): string => `${organisationId} ${mode}`

/** How the authority is spoken to for one organisation. */
interface Speaking {
  readonly authority: Authority | undefined
  readonly rules: ReportingRules
  readonly stampKeys: StampKeys | undefined
  /** why nothing can be asked, where that is so */
  readonly trouble: string | undefined
}

const isShort = <Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> =>
  Promise.race([promise, wait(ms, undefined, { ref: false })])

/** Asks within a time. The clock is stopped with the answer: one that runs on would go off for nobody, at a price. */
async function within<Value>(ms: number, ask: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new DOMException('the time is up', 'TimeoutError')), ms)
  try {
    return await ask(deadline.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Brings documents to the authorities, from the table in which they wait, until it is stopped. */
export function startSubmissionQueue(runtime: Runtime, runner: Runner, size: QueueSize = standardSize): RunningQueue {
  const { db, ports, vault, clock, settings, log, ownQueueCounts } = runtime
  const counts = ownQueueCounts.get(queueName) ?? { done: 0, failed: 0, retried: 0 }
  ownQueueCounts.set(queueName, counts)
  const record = createRecorder(
    runner,
    () => underWay.size,
    (recorded) => {
      countEnds(counts, recorded)
      // What is due before it would be looked for is waited for.
      const { soonestMs } = recorded
      if (soonestMs !== undefined && soonestMs < pace.idleMs) setTimeout(() => rounds.wake(), soonestMs).unref()
    },
  )
  const unclaimed = failingOnes(runtime, 'submission.not_claimed')
  const unrecorded = failingOnes(runtime, 'submission.not_noted')
  const underWay = new Map<string, { claimed: Claimed; fence: number; readonly ended: Promise<void> }>()
  const known = new Map<string, { readonly until: number; readonly speaking: Promise<Speaking> }>()

  async function speakingFor(tenant: Tenant, country: string): Promise<Speaking> {
    const { reporting } = ports.jurisdictions.of(country) ?? {}
    if (!reporting) throw new Error(`no jurisdiction is called ${country}`)
    const connection = await findConnection(db, tenant)
    const authority = authorityFor(tenant, country, connection)
    const stampKeys = stampKeysOf({ vault, log }, tenant, connection)
    const trouble =
      authority === 'unreadable'
        ? 'the keys of this connection cannot be opened'
        : authority === undefined
          ? 'this installation has no access to the authority'
          : undefined
    return { authority: authority === 'unreadable' ? undefined : authority, rules: reporting, stampKeys, trouble }
  }
  /** Keys that this installation cannot open are a document's trouble, not the queue's: it counts as an attempt that did not leave. */
  function authorityFor(tenant: Tenant, country: string, connection: Connection | undefined) {
    try {
      const credentials = connection && credentialsOf(vault, connection)
      return ports.jurisdictions.authorityForWork(country, tenant.mode, credentials)
    } catch (error) {
      countUnreadableKeys()
      log.error('authority.keys_unreadable', { ...tenant, error })
      return 'unreadable'
    }
  }
  function speaking({ organisationId, mode, country }: Claimed): Promise<Speaking> {
    const key = keyOf({ organisationId, mode })
    const found = known.get(key)
    if (found && found.until > performance.now()) return found.speaking
    // The one that was asked for longest ago goes: it stands first.
    for (const [oldest] of known) {
      if (known.size < mostKnown) break
      known.delete(oldest)
    }
    known.delete(key)
    const asked = speakingFor({ organisationId, mode }, country)
    asked.catch(() => {
      if (known.get(key)?.speaking === asked) known.delete(key)
    })
    known.set(key, { until: performance.now() + knownForMs, speaking: asked })
    return asked
  }

  const links = ports.jurisdictions.all.flatMap(({ country }) =>
    (['live', 'sandbox'] as const).map((mode) => createLink(country, mode)),
  )
  function createLink(country: string, mode: Mode) {
    const authority = ports.jurisdictions.authorityForWork(country, mode)
    const deadlineMs = paceOf(mode, settings).deadlineMs.lookup
    const breaker = new Breaker({
      probe: authority && (() => authority.isHealthy(AbortSignal.timeout(deadlineMs))),
      tell: (state, reason) => {
        log[state === 'open' ? 'warn' : 'info']('authority.link', { reason: `${country} ${mode} ${state}` })
        return saveLink(db, { country, mode, state, reason, since: clock.now() })
      },
      untold: (error) => log.warn('authority.link_not_told', { reason: `${country} ${mode}`, error }),
      monotonicMs: () => performance.now(),
    })
    return { country, mode, breaker, from: firstTurn, isWholeRound: false }
  }
  type Link = ReturnType<typeof createLink>

  let isBegun = false
  /** Each process decides by what it sees itself; but one that begins while an authority is away takes the others' word until it has looked. */
  async function beginAsTold(): Promise<void> {
    for (const { country, mode, breaker } of links) {
      const told = await findLink(db, country, mode)
      if (told?.state === 'open') breaker.beginOpen()
    }
    isBegun = true
  }

  const nothingLeft = (why: string): Learnt => ({
    heard: { kind: 'not_sent' },
    noted: { answer: 'not_sent', why, told: [] },
    isHealthy: undefined,
  })

  /** Asks once, if there is time enough before the claim is lost: from then on somebody else may be asking too. */
  async function ask(claimed: Claimed, step: Step, since: number, how: Speaking): Promise<Learnt> {
    const { deadlineMs, leaseMs } = paceOf(claimed.mode, settings)
    const { authority, rules, trouble } = how
    if (!authority) return nothingLeft(trouble ?? 'nobody to ask')
    const allowed = deadlineMs[step]
    if (performance.now() - since + allowed + leaseMs * leaseKept > leaseMs)
      return nothingLeft('the claim was about to end')
    const payload = claimed.payload ?? undefined
    return await within(allowed, (signal) =>
      askAuthority(authority, rules, { step, reference: claimed.reference, payload }, signal),
    )
  }

  const leaseOf = (mode: Mode): number => paceOf(mode, settings).leaseMs

  async function bring(claimed: Claimed, claimedAt: number, { breaker }: Link): Promise<void> {
    const { organisationId, mode, id } = claimed
    const tenant = { organisationId, mode }
    let { step, fence } = claimed
    let since = claimedAt
    const how = await speaking(claimed)
    for (let steps = 0; steps < mostStepsAtOnce; steps++) {
      const { heard, noted, isHealthy } = await ask(claimed, step, since, how)
      breaker.note(isHealthy)
      const followedBy =
        heard.kind === 'transmitted' && performance.now() - since < leaseOf(mode) * leaseForMore
          ? { step: 'confirm' as const, ...(await ask(claimed, 'confirm', since, how)) }
          : undefined
      breaker.note(followedBy?.isHealthy)
      const goesOn = steps < mostStepsAtOnce - 1 && breaker.state !== 'open'
      since = performance.now()
      const stampKeys = how.stampKeys ?? null
      const next = await record(tenant, { id, step, fence, heard, noted, stampKeys, goesOn, followedBy })
      if (!next) return
      step = next.step
      fence = next.fence
      const held = underWay.get(id)
      if (held?.claimed === claimed) held.fence = fence
    }
  }

  function begin(claimed: Claimed, claimedAt: number, link: Link): void {
    const { organisationId, mode, id } = claimed
    const item = { organisationId, mode, id }
    const ended = bring(claimed, claimedAt, link)
      .then(() => unrecorded.done([item]))
      // Whatever could not be written down falls due again by itself, and is looked up then.
      .catch((error: unknown) => unrecorded.note(item, error))
      .finally(() => {
        // Its claim may have run out, and this process have taken it anew: then the entry is of that claim.
        if (underWay.get(claimed.id) === begun) underWay.delete(claimed.id)
        rounds.wake()
      })
    const begun = { claimed, fence: claimed.fence, ended }
    underWay.set(claimed.id, begun)
  }

  /** What is taken is begun with at once, whatever becomes of the others'. Gives how much that was. */
  async function claimOf(tenant: Tenant, ids: readonly SubmissionId[], link: Link): Promise<number> {
    const { leaseMs, giveUpAfterMs } = paceOf(tenant.mode, settings)
    const lease = { leaseMs, forgottenAfterMs: Math.max(giveUpAfterMs * forgottenAfter, leastForgottenMs) }
    let taken = 0
    try {
      const { refused, error } = await writeApart(ids, async (some) => {
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

  /** A few organisations' at a time: each claim waits for the disk, and those that wait together wait once. */
  async function claimShares(shares: readonly DueShare[], link: Link): Promise<number> {
    const { mode, breaker } = link
    const left = shares.values()
    let claimed = 0
    async function claimOneByOne(): Promise<void> {
      for (const { organisationId, ids } of left) {
        if (breaker.state === 'open') return
        const taken = await claimOf({ organisationId, mode }, ids, link)
        // `claimed += await …` would read the sum before the wait, and lose what the others add meanwhile.
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
      // Where others took a part of it, there is room left for whoever comes next.
      return claimed > 0 && claimed < limit
    }
    // However many organisations come first and only wait, those behind them have their turn; and so have those before the place where it began.
    link.from = reached === undefined ? firstTurn : turnAfter(reached)
    return reached !== undefined || !link.isWholeRound
  }

  async function round(): Promise<boolean> {
    if (!isBegun) await beginAsTold()
    let isMore = false
    for (const link of links) isMore = (await claimFor(link)) || isMore
    return isMore
  }

  const rounds = startRounds(round, pace, (error) => log.warn('queue.round_failed', { reason: 'submissions', error }))

  return {
    wake: () => rounds.wake(),
    async stop() {
      await rounds.stop()
      const ends = [...[...underWay.values()].map((one) => one.ended), ...links.map(({ breaker }) => breaker.settled())]
      await isShort(Promise.all(ends), finishWithinMs)
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
