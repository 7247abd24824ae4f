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

/** What the authority answered, as it is kept: a word for it, and its own words. */
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
  /** of the claim that it answers to; nothing where somebody asked who holds nothing */
  readonly fence: number | undefined
  /** why somebody asked who holds nothing: a person wanted to know, the authority called, or it was time to ask again */
  readonly cause?: 'asked' | 'notified' | 'automatic'
  readonly askedBy?: object
  /** what a registered document is stamped with, where it is known; null where it is known that there is nothing */
  readonly stampKeys?: StampKeys | null
  /** whoever holds it takes the next step at once, where there is one */
  readonly goesOn?: boolean
  /** what was asked right after it, and answered: only a question, which needs not be written down before it is asked */
  readonly followedBy?: { readonly step: Step; readonly heard: Heard; readonly noted: Noted } | undefined
}

/** The next step of a document, written down already, as a claim would have it. */
export interface GoingOn {
  readonly id: SubmissionId
  readonly step: Step
  readonly fence: number
}

/** What becomes of the documents of some answers. */
export interface Recorded {
  readonly goingOn: readonly GoingOn[]
  /** how long until the first of the others is due; nothing where none is */
  readonly soonestMs: number | undefined
  readonly ends: readonly AttemptEnd[]
  readonly unknownRefusals: number
}

/** All that some answers lead to, gathered while they are gone through. */
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
  /** how each question ended, for the figures */
  readonly ends: AttemptEnd[]
}

/** Where it goes on, where it stands still, and where that is not for this answer to say. */
function dueAfter(before: LockedSubmission, { standing, waitMs }: Outcome, isHolder: boolean): When {
  if (nextStep(standing) === undefined) return null
  if (isHolder) return waitMs ?? null
  return before.isFailed && !standing.isFailed ? (waitMs ?? 0) : 'keep'
}

/** Asked by nobody in particular: it is written down only where something comes of it, so that callbacks, forged ones too, leave nothing. */
const isFollowUp = ({ fence, cause }: Answered): boolean =>
  fence === undefined && cause !== undefined && cause !== 'asked'

const isTransmitted = (heard: Heard): boolean =>
  heard.kind === 'transmitted' || (heard.kind === 'registered' && heard.transmitted)

/** Whether the buyer's side has what was accepted is asked again, less and less often, until it says so. */
function followUpAfter(before: LockedSubmission, row: LockedSubmission, answered: Answered, pace: Pace): When {
  if (row.isDelivered || row.state === 'rejected') return null
  const isGivenUp = row.isFailed && isRegistered(row)
  if (row.state !== 'accepted' && !isGivenUp) return isFollowUp(answered) ? null : 'keep'
  if (before.state === 'accepted' && !isFollowUp(answered)) return 'keep'
  const { heard } = answered
  const { firstMs, untransmittedMs, forMs } = pace.followUp
  const sinceMs = row.now.getTime() - (row.lastSentAt ?? row.now).getTime()
  const waitMs = Math.max(firstMs, sinceMs)
  // The only way out of what was given up after it was registered, so there is no end to it.
  if (isGivenUp) return waitMs
  if (!row.goesToBuyer || heard.kind === 'refused' || sinceMs >= forMs) return null
  if (heard.kind === 'transmitted') return firstMs
  return isTransmitted(heard) ? waitMs : Math.min(waitMs, Math.max(firstMs, untransmittedMs))
}

function noteWhen(times: Map<string, When>, id: string, when: When): void {
  // An answer that says nothing of when leaves what an earlier one of the same batch said.
  if (when !== 'keep' || !times.has(id)) times.set(id, when)
}

const whenOf = (times: ReadonlyMap<string, When>, id: string): When => {
  const when = times.get(id)
  return when === undefined ? 'keep' : when
}

const outcomeWord = ({ state }: { readonly state: string }) =>
  state === 'queued' ? 'not_registered' : state === 'unknown' ? 'unknown' : 'registered'

/** Further moves of an invoice, behind those that an earlier answer of the same batch leads to. */
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

/** So many questions of people that brought nothing new are kept of a submission: the newest, in the places of older ones. */
const keptQuestions = 100
/** Below all other numbers. */
const firstKeptQuestion = -2_000_000_000

/** The numbers of attempts of the queue go up from 1, those of questions down from -1. */
const numberOfQuestion = (queries: number, { moves }: Outcome): number =>
  moves.length > 0 ? -queries : firstKeptQuestion - (queries % keptQuestions)

/** Whether a question brought the document on, led nowhere so that it is tried again, or was the last one. */
function endOf(before: LockedSubmission, after: LockedSubmission, { kind }: Heard): AttemptEnd {
  if (after.isFailed && !before.isFailed) return 'failed'
  return kind === 'unclear' || kind === 'not_sent' ? 'retried' : 'done'
}

/** One answer after the other: two of them may be about the same document. */
function takeIn(gathered: Gathered, answered: Answered): void {
  const before = gathered.rows.get(answered.id)
  if (!before) return
  const { followedBy } = answered
  const { fence, step, heard, noted } = answered
  const { pace } = gathered
  const isHolder = fence !== undefined && fence === before.fence && before.dueAt !== null
  // What was given up is ended by a person who asks, never by a callback that anybody may have sent.
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

/** Texts of the authority that the catalogue does not know: they are shown as they are, and want to be added to it. */
const unknownRefusalsIn = ({ jurisdictions }: Pick<Ports, 'jurisdictions'>, { released }: Gathered): number =>
  released.flatMap(({ country, refused }) =>
    (refused ?? []).filter((told) => jurisdictions.of(country)?.reporting.explain(told).isKnown === false),
  ).length

/**
 * Writes down what was answered, and what follows from it, for several documents of one tenant in a few round trips. An answer
 * from a worker that has lost its claim counts for the facts in it, and decides nothing.
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
  // None needs what another gives: their first statements travel together, in the order in which everybody locks.
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

/** For whoever works on submissions: what a batch of answers leads to. */
export const recordAnswers = operation(
  { needs: [], refuses: [] },
  (context: Inside<Caller>, { tenant, answers }: AnswersToTenant) => takeInAnswers(context, tenant, answers),
)
