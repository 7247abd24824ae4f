import type { Caller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import { captureHolds, release } from '../credits/index.ts'
import { type InvoiceMoves, moveInvoices } from '../invoices/index.ts'
import type { AttemptEnd } from './figures.ts'
import { after, begun, type Heard, isRegistered, nextStep, type Outcome, type Pace, type Step } from './machine.ts'
import { paceOf } from './pace.ts'
import { type StampKeys, withQrCodes } from './qr-codes.ts'
import {
  type BegunAttempt,
  type EndedAttempt,
  type LockedSubmission,
  lockSubmissions,
  saveAnswers,
  type When,
} from './queue.store.ts'
import { causeOf, mostRetries, type SubmissionId } from './submission.ts'

/** The authority's answer as it is stored: our word for it, and the authority's own texts. */
export interface Noted {
  readonly answer: string
  readonly why: string | null
  readonly told: readonly string[]
}

/** An answer about one document. */
export interface Answered {
  readonly id: SubmissionId
  readonly step: Step
  readonly heard: Heard
  readonly noted: Noted
  /** the fence of the lease that it answers; `undefined` if the request had no lease */
  readonly fence: number | undefined
  /** the cause of a request without a lease: query-status, a callback, or a follow-up */
  readonly cause?: 'asked' | 'notified' | 'automatic'
  readonly askedBy?: object
  /** keys for the stamp of a registered document, if the caller has them; null if there are none */
  readonly stampKeys?: StampKeys | null
  /** the holder of the lease runs the next step at once, if there is one */
  readonly goesOn?: boolean
  /** a lookup that followed at once, with its answer; a lookup needs no stored attempt before it starts */
  readonly followedBy?: { readonly step: Step; readonly heard: Heard; readonly noted: Noted } | undefined
}

/** The next step of a document, stored already, as a claim would return it. */
export interface GoingOn {
  readonly id: SubmissionId
  readonly step: Step
  readonly fence: number
}

/** What happens next to the documents of a batch of answers. */
export interface Recorded {
  readonly goingOn: readonly GoingOn[]
  /** time until the first of the other documents is due; `undefined` if none is */
  readonly soonestMs: number | undefined
  readonly ends: readonly AttemptEnd[]
  readonly unknownRefusals: number
}

/** Everything that a batch of answers leads to, collected answer by answer. */
interface Gathered {
  readonly pace: Pace
  readonly rows: Map<string, LockedSubmission>
  readonly due: Map<string, When>
  readonly followUp: Map<string, When>
  readonly ended: EndedAttempt[]
  readonly begun: BegunAttempt[]
  readonly moves: Map<string, InvoiceMoves>
  readonly captured: LockedSubmission[]
  readonly released: LockedSubmission[]
  readonly goingOn: GoingOn[]
  /** how each attempt ended, for the metrics */
  readonly ends: AttemptEnd[]
}

/** When the next step is due: after a delay, never, or unchanged. */
function dueAfter(before: LockedSubmission, { standing, waitMs }: Outcome, isHolder: boolean): When {
  if (nextStep(standing) === undefined) return null
  if (isHolder) return waitMs ?? null
  return before.isFailed && !standing.isFailed ? (waitMs ?? 0) : 'keep'
}

/** A follow-up is stored only if it brings news, so that callbacks, even forged ones, leave no rows. */
const isFollowUp = ({ fence, cause }: Answered): boolean =>
  fence === undefined && cause !== undefined && cause !== 'asked'

const isTransmitted = (heard: Heard): boolean =>
  heard.kind === 'transmitted' || (heard.kind === 'registered' && heard.transmitted)

/** Asks less and less often whether the buyer's side has an accepted document, until it does. */
function followUpAfter(before: LockedSubmission, row: LockedSubmission, answered: Answered, pace: Pace): When {
  if (row.isDelivered || row.state === 'rejected') return null
  const isGivenUp = row.isFailed && isRegistered(row)
  if (row.state !== 'accepted' && !isGivenUp) return isFollowUp(answered) ? null : 'keep'
  if (before.state === 'accepted' && !isFollowUp(answered)) return 'keep'
  const { heard } = answered
  const { firstMs, untransmittedMs, forMs } = pace.followUp
  const sinceMs = row.now.getTime() - (row.lastSentAt ?? row.now).getTime()
  const waitMs = Math.max(firstMs, sinceMs)
  // Only a follow-up can end a failed submission of a registered document, so follow-ups never stop here.
  if (isGivenUp) return waitMs
  if (!row.goesToBuyer || heard.kind === 'refused' || sinceMs >= forMs) return null
  if (heard.kind === 'transmitted') return firstMs
  return isTransmitted(heard) ? waitMs : Math.min(waitMs, Math.max(firstMs, untransmittedMs))
}

function noteWhen(times: Map<string, When>, id: string, when: When): void {
  // `keep` must not overwrite the time that an earlier answer of the same batch set.
  if (when !== 'keep' || !times.has(id)) times.set(id, when)
}

const whenOf = (times: ReadonlyMap<string, When>, id: string): When => {
  const when = times.get(id)
  return when === undefined ? 'keep' : when
}

const outcomeWord = ({ state }: { readonly state: string }) =>
  state === 'queued' ? 'not_registered' : state === 'unknown' ? 'unknown' : 'registered'

/** Appends moves of an invoice after those of earlier answers in the same batch. */
function addMoves(gathered: Gathered, { id, country, moves, more, ...learnt }: InvoiceMoves): void {
  const before = gathered.moves.get(id)
  gathered.moves.set(id, {
    id,
    country,
    moves: [...(before?.moves ?? []), ...moves],
    irn: learnt.irn ?? before?.irn,
    delivery: learnt.delivery ?? before?.delivery,
    more: { ...before?.more, ...more },
  })
}

function noteMoves(gathered: Gathered, row: LockedSubmission, outcome: Outcome): void {
  const { moves, delivery, standing } = outcome
  if (moves.length === 0) return
  const { invoiceId, country, reference, cancelsInvoiceId } = row
  const isRegistered = moves.includes('sign')
  const reasons = standing.refused ?? []
  addMoves(gathered, {
    id: invoiceId,
    country,
    moves,
    irn: isRegistered ? reference : undefined,
    delivery,
    more: {
      reject: { reasons },
      fail: { outcome: outcomeWord(standing) },
      deliver: { delivery: 'deliver_to_buyer' },
    },
  })
  if (cancelsInvoiceId === null) return
  const cancelled = { id: cancelsInvoiceId, country }
  const creditNoteId = invoiceId
  if (moves.includes('accept'))
    addMoves(gathered, {
      ...cancelled,
      moves: ['confirm_cancellation'],
      more: { confirm_cancellation: { creditNoteId } },
    })
  if (moves.includes('reject'))
    addMoves(gathered, {
      ...cancelled,
      moves: ['refuse_cancellation'],
      more: { refuse_cancellation: { creditNoteId, reasons } },
    })
}

/** How many queries without news are kept for a submission. The newest overwrite the oldest. */
const keptQuestions = 100
/** Below all other numbers of attempts. */
const firstKeptQuestion = -2_000_000_000

/** Attempts of the queue are numbered up from 1, queries down from -1. */
const numberOfQuestion = (queries: number, { moves }: Outcome): number =>
  moves.length > 0 ? -queries : firstKeptQuestion - (queries % keptQuestions)

/** Whether the attempt made progress, will be repeated, or was the last one. */
function endOf(before: LockedSubmission, after: LockedSubmission, { kind }: Heard): AttemptEnd {
  if (after.isFailed && !before.isFailed) return 'failed'
  return kind === 'unclear' || kind === 'not_sent' ? 'retried' : 'done'
}

/** Takes answers one after the other, because two may concern the same document. */
function takeIn(gathered: Gathered, answered: Answered): void {
  const before = gathered.rows.get(answered.id)
  if (!before) return
  const { followedBy } = answered
  const { fence, step, heard, noted } = answered
  const { pace } = gathered
  const isHolder = fence !== undefined && fence === before.fence && before.dueAt !== null
  // Only query-status ends a failed submission, never a callback, which anybody can send.
  const isLastWord = before.retries >= mostRetries && !isFollowUp(answered)
  const outcome = after(before, step, heard, { now: before.now, pace, isHolder, chance: Math.random(), isLastWord })
  let row: LockedSubmission = { ...before, ...outcome.standing }
  let due = dueAfter(before, outcome, isHolder)
  if (fence !== undefined) gathered.ended.push({ id: row.id, number: fence, ...noted, isLate: fence !== before.fence })
  else if (!isFollowUp(answered) || outcome.moves.length > 0) {
    row = { ...row, queries: row.queries + 1 }
    gathered.begun.push({
      id: row.id,
      number: numberOfQuestion(row.queries, outcome),
      step: 'query',
      sha256: null,
      cause: answered.cause ?? 'asked',
      askedBy: answered.askedBy ?? null,
      ...noted,
    })
  }
  const next = nextStep(row)
  const isFollowed = isHolder && next !== undefined && followedBy?.step === next
  if (next && (isFollowed || (isHolder && answered.goesOn && due === 0))) {
    row = { ...row, ...begun(row, next, before.now), fence: row.fence + 1 }
    due = pace.leaseMs
    const sha256 = next === 'sign' ? row.sha256 : null
    const told = isFollowed ? followedBy.noted : { answer: null, why: null, told: [] }
    gathered.begun.push({
      id: row.id,
      number: row.fence,
      step: next,
      sha256,
      cause: 'automatic',
      askedBy: null,
      ...told,
    })
    if (!isFollowed) gathered.goingOn.push({ id: row.id, step: next, fence: row.fence })
  }
  noteWhen(gathered.due, row.id, due)
  noteWhen(gathered.followUp, row.id, followUpAfter(before, row, answered, pace))
  noteMoves(gathered, row, outcome)
  if (outcome.credits === 'capture') gathered.captured.push(row)
  if (outcome.credits === 'release') gathered.released.push(row)
  gathered.rows.set(row.id, row)
  gathered.ends.push(endOf(before, row, heard))
  // Both answers lead to one change of the invoice.
  if (isFollowed) takeFollowing(gathered, { ...row, dueAt: row.dueAt ?? row.now }, answered, followedBy)
}

function takeFollowing(
  gathered: Gathered,
  before: LockedSubmission,
  answered: Answered,
  { step, heard }: { readonly step: Step; readonly heard: Heard },
): void {
  const { pace } = gathered
  const outcome = after(before, step, heard, { now: before.now, pace, isHolder: true, chance: Math.random() })
  const row: LockedSubmission = { ...before, ...outcome.standing }
  gathered.due.set(row.id, dueAfter(before, outcome, true))
  noteWhen(gathered.followUp, row.id, followUpAfter(before, row, { ...answered, heard }, pace))
  gathered.ends.push(endOf(before, row, heard))
  noteMoves(gathered, row, outcome)
  if (outcome.credits === 'capture') gathered.captured.push(row)
  if (outcome.credits === 'release') gathered.released.push(row)
  gathered.rows.set(row.id, row)
}

async function settleCredits(
  context: Inside<Caller>,
  tenant: Tenant,
  { captured, released }: Pick<Gathered, 'captured' | 'released'>,
): Promise<void> {
  const holds = captured.map((row) => ({ cause: causeOf(row), amount: row.heldCredits }))
  await captureHolds(context.tx, tenant, 'invoice.submit', holds, context.now)
  for (const row of released) await release(context, tenant, 'invoice.submit', causeOf(row))
}

/** Refusals that the catalogue does not know. They are shown unchanged and should be added to the catalogue. */
const unknownRefusalsIn = ({ jurisdictions }: Pick<Ports, 'jurisdictions'>, { released }: Gathered): number =>
  released.flatMap(({ country, refused }) =>
    (refused ?? []).filter((told) => jurisdictions.of(country)?.reporting.explain(told).isKnown === false),
  ).length

/**
 * Records the answers about several documents of one tenant, with all consequences, in a few round trips. From a
 * worker that lost its lease, only facts count.
 */
export async function takeInAnswers(
  context: Inside<Caller>,
  tenant: Tenant,
  answers: readonly Answered[],
): Promise<Recorded> {
  const locked = await lockSubmissions(context.tx, tenant, [...new Set(answers.map(({ id }) => id))])
  const gathered: Gathered = {
    pace: paceOf(tenant.mode, context.settings),
    rows: new Map(locked.map((row) => [row.id, row])),
    due: new Map(),
    followUp: new Map(),
    ended: [],
    begun: [],
    moves: new Map(),
    captured: [],
    released: [],
    goingOn: [],
    ends: [],
  }
  for (const answered of answers) takeIn(gathered, answered)
  const standings = [...gathered.rows.values()].map((row) => ({
    id: row.id,
    state: row.state,
    isFailed: row.isFailed,
    isDelivered: row.isDelivered,
    sends: row.sends,
    lastSentAt: row.lastSentAt,
    absentAt: row.absentAt,
    refused: row.refused,
    tries: row.tries,
    triedSince: row.triedSince,
    fence: row.fence,
    queries: row.queries,
    due: whenOf(gathered.due, row.id),
    followUp: whenOf(gathered.followUp, row.id),
  }))
  const known = answers.find(({ stampKeys }) => stampKeys !== undefined)?.stampKeys
  const moves = await withQrCodes(context, tenant, [...gathered.moves.values()], known)
  // These statements are independent and are sent together, in the common lock order.
  await Promise.all([
    saveAnswers(context.tx, tenant, standings, gathered.ended, gathered.begun),
    moveInvoices(context, tenant, moves),
    settleCredits(context, tenant, gathered),
  ])
  const waits = [...gathered.due.values()].filter((due) => typeof due === 'number')
  return {
    goingOn: gathered.goingOn,
    soonestMs: waits.length > 0 ? Math.min(...waits) : undefined,
    ends: gathered.ends,
    unknownRefusals: unknownRefusalsIn(context.ports, gathered),
  }
}

interface AnswersToTenant {
  readonly tenant: Tenant
  readonly answers: readonly Answered[]
}

/** Records a batch of answers, for the queue. */
export const recordAnswers = operation(
  { needs: [], refuses: [] },
  (context: Inside<Caller>, { tenant, answers }: AnswersToTenant) => takeInAnswers(context, tenant, answers),
)
