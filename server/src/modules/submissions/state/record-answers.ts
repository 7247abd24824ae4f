import type { Caller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { Ports } from '../../../platform/operations/ports.ts'
import { captureHolds, release } from '../../credits/index.ts'
import { type InvoiceMoves, moveInvoices } from '../../invoices/index.ts'
import {
  type BegunAttempt,
  type DueTime,
  type EndedAttempt,
  type LockedSubmission,
  lockSubmissions,
  saveAnswers,
} from './answers.store.ts'
import { retryPolicyOf } from './retry-policy.ts'
import { type StampKeys, withStamps } from './stamps.ts'
import { type AttemptResult, causeOf, mostRetries, type SubmissionId } from './submission.ts'
import {
  type AuthorityAnswer,
  applyAnswer,
  beginStep,
  isRegisteredAndUndecided,
  nextStep,
  type Outcome,
  type RetryPolicy,
  type Step,
} from './submission-state.ts'

/** How an attempt ended: the document made progress; the attempt will be repeated; or it was the last one. */
export type AttemptEnd = 'done' | 'retried' | 'failed'

/** An answer about one document. */
export interface AnswerToRecord {
  readonly id: SubmissionId
  readonly step: Step
  readonly answer: AuthorityAnswer
  readonly noted: AttemptResult
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
  readonly followedBy?: Pick<AnswerToRecord, 'step' | 'answer' | 'noted'> | undefined
}

/** The next step of a document, stored already, as a claim would return it. */
export interface NextStep {
  readonly id: SubmissionId
  readonly step: Step
  readonly fence: number
}

/** What happens next to the documents of a batch of answers. */
export interface RecordResult {
  readonly nextSteps: readonly NextStep[]
  /** time until the first of the other documents is due; `undefined` if none is */
  readonly soonestMs: number | undefined
  readonly ends: readonly AttemptEnd[]
  readonly unknownRefusals: number
}

/** Everything that a batch of answers leads to, collected answer by answer. */
interface AnswerBatch {
  readonly policy: RetryPolicy
  readonly rows: Map<string, LockedSubmission>
  readonly due: Map<string, DueTime>
  readonly followUp: Map<string, DueTime>
  readonly ended: EndedAttempt[]
  readonly begun: BegunAttempt[]
  readonly moves: Map<string, InvoiceMoves>
  readonly captured: LockedSubmission[]
  readonly released: LockedSubmission[]
  readonly nextSteps: NextStep[]
  /** how each attempt ended, for the metrics */
  readonly ends: AttemptEnd[]
}

/** When the next step is due: after a delay, never, or unchanged. */
function dueAfter(before: LockedSubmission, { next: current, waitMs }: Outcome, isHolder: boolean): DueTime {
  if (nextStep(current) === undefined) return null
  if (isHolder) return waitMs ?? null
  return before.isFailed && !current.isFailed ? (waitMs ?? 0) : 'keep'
}

/** A follow-up is stored only if it brings news, so that callbacks, even forged ones, leave no rows. */
const isFollowUp = ({ fence, cause }: AnswerToRecord): boolean =>
  fence === undefined && cause !== undefined && cause !== 'asked'

const isTransmitted = (answer: AuthorityAnswer): boolean =>
  answer.kind === 'transmitted' || (answer.kind === 'registered' && answer.transmitted)

/** Asks less and less often whether the buyer's side has an accepted document, until it does. */
function followUpAfter(
  before: LockedSubmission,
  row: LockedSubmission,
  answered: AnswerToRecord,
  policy: RetryPolicy,
): DueTime {
  if (row.isDelivered || row.state === 'rejected') return null
  const isGivenUp = row.isFailed && isRegisteredAndUndecided(row)
  if (row.state !== 'accepted' && !isGivenUp) return isFollowUp(answered) ? null : 'keep'
  if (before.state === 'accepted' && !isFollowUp(answered)) return 'keep'
  const { answer } = answered
  const { firstMs, untransmittedMs, forMs } = policy.followUp
  const sinceMs = row.now.getTime() - (row.lastSentAt ?? row.now).getTime()
  const waitMs = Math.max(firstMs, sinceMs)
  // No attempts are left, so without follow-ups nobody would ask the authority again.
  if (isGivenUp) return waitMs
  if (!row.goesToBuyer || answer.kind === 'refused' || sinceMs >= forMs) return null
  if (answer.kind === 'transmitted') return firstMs
  return isTransmitted(answer) ? waitMs : Math.min(waitMs, Math.max(firstMs, untransmittedMs))
}

function setDue(times: Map<string, DueTime>, id: string, when: DueTime): void {
  // `keep` must not overwrite the time that an earlier answer of the same batch set.
  if (when !== 'keep' || !times.has(id)) times.set(id, when)
}

const whenOf = (times: ReadonlyMap<string, DueTime>, id: string): DueTime => {
  const when = times.get(id)
  return when === undefined ? 'keep' : when
}

const outcomeWord = ({ state }: { readonly state: string }) =>
  state === 'queued' ? 'not_registered' : state === 'unknown' ? 'unknown' : 'registered'

/** The authority may give a registered document a number of its own. */
const referenceIn = (answer: AuthorityAnswer, reference: string): string =>
  (answer.kind === 'registered' ? answer.registeredAs : undefined) ?? reference

/** Appends moves of an invoice after those of earlier answers in the same batch. */
function addMoves(batch: AnswerBatch, { id, country, moves, more, ...learnt }: InvoiceMoves): void {
  const before = batch.moves.get(id)
  batch.moves.set(id, {
    id,
    country,
    moves: [...(before?.moves ?? []), ...moves],
    authorityReference: learnt.authorityReference ?? before?.authorityReference,
    delivery: learnt.delivery ?? before?.delivery,
    more: { ...before?.more, ...more },
  })
}

function addMovesOf(batch: AnswerBatch, row: LockedSubmission, outcome: Outcome, answer: AuthorityAnswer): void {
  const { moves, delivery, next: current } = outcome
  if (moves.length === 0) return
  const { invoiceId, country, reference, cancelsInvoiceId } = row
  const becomesRegistered = moves.includes('sign')
  const reasons = current.refused ?? []
  addMoves(batch, {
    id: invoiceId,
    country,
    moves,
    authorityReference: becomesRegistered ? referenceIn(answer, reference) : undefined,
    delivery,
    more: {
      reject: { reasons },
      fail: { outcome: outcomeWord(current) },
      deliver: { delivery: 'deliver_to_buyer' },
    },
  })
  if (cancelsInvoiceId === null) return
  const cancelled = { id: cancelsInvoiceId, country }
  const creditNoteId = invoiceId
  if (moves.includes('accept'))
    addMoves(batch, {
      ...cancelled,
      moves: ['confirm_cancellation'],
      more: { confirm_cancellation: { creditNoteId } },
    })
  if (moves.includes('reject'))
    addMoves(batch, {
      ...cancelled,
      moves: ['refuse_cancellation'],
      more: { refuse_cancellation: { creditNoteId, reasons } },
    })
}

/** How many queries without news are kept for a submission. The newest overwrite the oldest. */
const keptQueries = 100
/** Far below every number of a query that changed something. */
const firstKeptQuery = -2_000_000_000

/**
 * Numbers of attempts: above 0, an attempt of the queue, with its fence as its number. From -1 down, queries that changed something. From
 * `firstKeptQuery` down, the last queries without news.
 */
const numberOfQuery = (queries: number, { moves }: Outcome): number =>
  moves.length > 0 ? -queries : firstKeptQuery - (queries % keptQueries)

/** Whether the attempt made progress, will be repeated, or was the last one. */
function endOf(before: LockedSubmission, after: LockedSubmission, { kind }: AuthorityAnswer): AttemptEnd {
  if (after.isFailed && !before.isFailed) return 'failed'
  return kind === 'unclear' || kind === 'not_sent' ? 'retried' : 'done'
}

/** What an answer means for the follow-up, the invoice and the credits. */
function addConsequences(
  batch: AnswerBatch,
  before: LockedSubmission,
  row: LockedSubmission,
  outcome: Outcome,
  answered: AnswerToRecord,
): void {
  setDue(batch.followUp, row.id, followUpAfter(before, row, answered, batch.policy))
  addMovesOf(batch, row, outcome, answered.answer)
  if (outcome.credits === 'capture') batch.captured.push(row)
  if (outcome.credits === 'release') batch.released.push(row)
  batch.rows.set(row.id, row)
  batch.ends.push(endOf(before, row, answered.answer))
}

/** Takes answers one after the other, because two may concern the same document. */
function addAnswer(batch: AnswerBatch, answered: AnswerToRecord): void {
  const before = batch.rows.get(answered.id)
  if (!before) return
  const { followedBy } = answered
  const { fence, step, answer, noted } = answered
  const { policy } = batch
  const isHolder = fence !== undefined && fence === before.fence && before.dueAt !== null
  // Only query-status may reject a failed submission and release its credits. A notification may not, because anybody can send one.
  const isLastWord = before.retries >= mostRetries && !isFollowUp(answered)
  const outcome = applyAnswer(before, step, answer, {
    now: before.now,
    policy,
    isHolder,
    chance: Math.random(),
    isLastWord,
  })
  let row: LockedSubmission = { ...before, ...outcome.next }
  let due = dueAfter(before, outcome, isHolder)
  if (fence !== undefined) batch.ended.push({ id: row.id, number: fence, ...noted, isLate: fence !== before.fence })
  else if (!isFollowUp(answered) || outcome.moves.length > 0) {
    row = { ...row, queries: row.queries + 1 }
    batch.begun.push({
      id: row.id,
      number: numberOfQuery(row.queries, outcome),
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
    row = { ...row, ...beginStep(row, next, before.now), fence: row.fence + 1 }
    due = policy.leaseMs
    const sha256 = next === 'sign' ? row.sha256 : null
    const result = isFollowed ? followedBy.noted : { answer: null, why: null, messages: [] }
    batch.begun.push({
      id: row.id,
      number: row.fence,
      step: next,
      sha256,
      cause: 'automatic',
      askedBy: null,
      ...result,
    })
    if (!isFollowed) batch.nextSteps.push({ id: row.id, step: next, fence: row.fence })
  }
  setDue(batch.due, row.id, due)
  addConsequences(batch, before, row, outcome, answered)
  // Both answers lead to one change of the invoice.
  if (isFollowed) addFollowingAnswer(batch, { ...row, dueAt: row.dueAt ?? row.now }, answered, followedBy)
}

function addFollowingAnswer(
  batch: AnswerBatch,
  before: LockedSubmission,
  answered: AnswerToRecord,
  { step, answer }: Pick<AnswerToRecord, 'step' | 'answer'>,
): void {
  const { policy } = batch
  const outcome = applyAnswer(before, step, answer, { now: before.now, policy, isHolder: true, chance: Math.random() })
  const row: LockedSubmission = { ...before, ...outcome.next }
  batch.due.set(row.id, dueAfter(before, outcome, true))
  addConsequences(batch, before, row, outcome, { ...answered, answer })
}

async function endHolds(
  context: Inside<Caller>,
  tenant: Tenant,
  { captured, released }: Pick<AnswerBatch, 'captured' | 'released'>,
): Promise<void> {
  const holds = captured.map((row) => ({ cause: causeOf(row), amount: row.heldCredits }))
  await captureHolds(context.tx, tenant, 'invoice.submit', holds, context.now)
  for (const row of released) await release(context, tenant, 'invoice.submit', causeOf(row))
}

/** Refusals that the catalogue does not know. They are shown unchanged and should be added to the catalogue. */
const unknownRefusalsIn = ({ jurisdictions }: Pick<Ports, 'jurisdictions'>, { released }: AnswerBatch): number =>
  released.flatMap(({ country, refused }) =>
    (refused ?? []).filter((text) => jurisdictions.of(country)?.reporting.explain(text).isKnown === false),
  ).length

/**
 * Records the answers about several documents of one tenant, with all consequences, in a few round trips. From a
 * worker that lost its lease, only facts count.
 */
export async function applyAnswers(
  context: Inside<Caller>,
  tenant: Tenant,
  answers: readonly AnswerToRecord[],
): Promise<RecordResult> {
  const locked = await lockSubmissions(context.tx, tenant, [...new Set(answers.map(({ id }) => id))])
  const batch: AnswerBatch = {
    policy: retryPolicyOf(tenant.mode, context.settings),
    rows: new Map(locked.map((row) => [row.id, row])),
    due: new Map(),
    followUp: new Map(),
    ended: [],
    begun: [],
    moves: new Map(),
    captured: [],
    released: [],
    nextSteps: [],
    ends: [],
  }
  for (const answered of answers) addAnswer(batch, answered)
  const newStates = [...batch.rows.values()].map((row) => ({
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
    due: whenOf(batch.due, row.id),
    followUp: whenOf(batch.followUp, row.id),
  }))
  const known = answers.find(({ stampKeys }) => stampKeys !== undefined)?.stampKeys
  const moves = await withStamps(context, tenant, [...batch.moves.values()], known)
  // These statements are independent and are sent together, in the common lock order.
  await Promise.all([
    saveAnswers(context.tx, tenant, newStates, batch.ended, batch.begun),
    moveInvoices(context, tenant, moves),
    endHolds(context, tenant, batch),
  ])
  const waits = [...batch.due.values()].filter((due) => typeof due === 'number')
  return {
    nextSteps: batch.nextSteps,
    soonestMs: waits.length > 0 ? Math.min(...waits) : undefined,
    ends: batch.ends,
    unknownRefusals: unknownRefusalsIn(context.ports, batch),
  }
}

interface AnswersToTenant {
  readonly tenant: Tenant
  readonly answers: readonly AnswerToRecord[]
}

/** Records a batch of answers, for the queue. */
export const recordAnswers = operation(
  { needs: [], refuses: [] },
  (context: Inside<Caller>, { tenant, answers }: AnswersToTenant) => applyAnswers(context, tenant, answers),
)
