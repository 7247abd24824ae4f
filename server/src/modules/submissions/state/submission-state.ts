import type { InvoiceMoves } from '../../invoices/index.ts'

type InvoiceMove = InvoiceMoves['moves'][number]

/**
 * The states of a submission, as pure functions. Registering cannot be undone and must not happen twice, and a
 * missing answer says nothing. So the state becomes `unknown` before anything is sent. A document is sent again only
 * after two lookups, a settling time apart, that said "absent".
 */
export const submissionStates = ['queued', 'unknown', 'signed', 'transmitted', 'accepted', 'rejected'] as const
/** `unknown`: the document left, or may have left, and a lookup must find out what became of it. */
export type SubmissionStateName = (typeof submissionStates)[number]

export const steps = ['sign', 'lookup', 'transmit', 'confirm'] as const
/**
 * `sign` registers the document, `lookup` asks whether it is registered, `transmit` sends it to the buyer, `confirm`
 * asks whether it was transmitted.
 */
export type Step = (typeof steps)[number]

export interface SubmissionState {
  readonly state: SubmissionStateName
  readonly isFailed: boolean
  readonly goesToBuyer: boolean
  /** the buyer's side has acknowledged the document */
  readonly isDelivered: boolean
  /** how often the document left, or may have left, under its reference */
  readonly sends: number
  readonly lastSentAt: Date | null
  /** time of the first lookup since the last send that said "absent"; all lookups since then agree */
  readonly absentAt: Date | null
  /**
   * the authority's words about the last send, until a lookup shows whether the document is registered nevertheless
   */
  readonly refused: readonly string[] | null
  /** failed attempts in a row, and the time of the first */
  readonly tries: number
  readonly triedSince: Date | null
}

/** The authority's answer to a step. Each step allows only some of the kinds. */
export type AuthorityAnswer =
  /** The document is registered: by this request, or it was found with the contents that we sent. */
  | {
      readonly kind: 'registered'
      readonly transmitted: boolean
      readonly delivered: boolean
      /** the number that the authority gave, if that is another one than our reference */
      readonly registeredAs?: string | undefined
    }
  /** the authority has the document and has not decided yet */
  | { readonly kind: 'processing' }
  /** another document is registered under our reference: a person must look at it */
  | { readonly kind: 'other_document' }
  /** the authority understood the request and refused it */
  | { readonly kind: 'refused'; readonly messages: readonly string[] }
  /** the document was not registered when we asked */
  | { readonly kind: 'absent' }
  /** the document is on its way to the buyer */
  | { readonly kind: 'transmitted' }
  /** no reply says whether the request took effect */
  | { readonly kind: 'unclear' }
  /** not a byte left */
  | { readonly kind: 'not_sent' }

export interface RetryPolicy {
  /** the longest time of one request, by step */
  readonly deadlineMs: Readonly<Record<Step, number>>
  /** length of a lease */
  readonly leaseMs: number
  /** a document is sent again only if the authority still says "absent" this long after the first "absent" */
  readonly settlingMs: number
  /** waits between failed attempts: doubled each time up to the longest, with jitter */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** the submission fails after failed attempts for this long, or after so many of them in a row */
  readonly giveUpAfterMs: number
  readonly mostTries: number
  /**
   * A registered document waits at most this long for the network's confirmation. Then it is accepted without one.
   */
  readonly networkWithinMs: number
  /**
   * The first follow-up of an accepted document comes `firstMs` after it was sent. Later ones come less and less
   * often, until `forMs`. While the network does not even confirm the transmission, the longest wait is
   * `untransmittedMs`.
   */
  readonly followUp: { readonly firstMs: number; readonly untransmittedMs: number; readonly forMs: number }
}

/** The consequences of an answer. */
export interface Outcome {
  readonly next: SubmissionState
  /** moves of the invoice, in this order */
  readonly moves: readonly InvoiceMove[]
  /** what happens to the held credits */
  readonly credits: 'capture' | 'release' | undefined
  readonly delivery: 'authority' | 'deliver_to_buyer' | undefined
  /** time until the next step; `undefined` if there is none */
  readonly waitMs: number | undefined
}

/** The next step; `undefined` if the submission is decided or failed. */
export function nextStep({ state, isFailed }: Pick<SubmissionState, 'state' | 'isFailed'>): Step | undefined {
  if (isFailed) return undefined
  const next: Partial<Record<SubmissionStateName, Step>> = {
    queued: 'sign',
    unknown: 'lookup',
    signed: 'transmit',
    transmitted: 'confirm',
  }
  return next[state]
}

/** The state to store before a step starts. From here on, a crash leaves open whether the request left. */
export const beginStep = (current: SubmissionState, step: Step, now: Date): SubmissionState => ({
  ...current,
  triedSince: current.triedSince ?? now,
  ...(step === 'sign'
    ? { state: 'unknown', sends: current.sends + 1, lastSentAt: now, absentAt: null, refused: null }
    : {}),
})

const isDecided = ({ state }: SubmissionState): boolean => state === 'accepted' || state === 'rejected'

interface Circumstances {
  readonly now: Date
  readonly policy: RetryPolicy
  /** the answer comes from the worker that holds the lease */
  readonly isHolder: boolean
  /** from 0 to 1, for jitter */
  readonly chance: number
  /** no retry is left */
  readonly isLastWord?: boolean
}

/**
 * The consequences of an answer to a step. Facts count from every worker: the document is registered, or it went to
 * the buyer. Decisions, such as sending again or giving up, are left to the holder of the lease (`isHolder`).
 */
export function applyAnswer(
  current: SubmissionState,
  step: Step,
  answer: AuthorityAnswer,
  { now, policy, isHolder, chance, isLastWord = false }: Circumstances,
): Outcome {
  if (isDecided(current)) return acknowledge(current, answer)
  const fact = applyFact(current, answer)
  if (fact) return fact
  if (isLastWord && current.isFailed && step === 'lookup') return concludeAbandoned(current, answer, now, policy)
  if (!isHolder || current.isFailed) return keep(current)
  // Another worker recorded a fact meanwhile: continue from its state.
  if (isAnswerToOlder(current, step)) return { ...keep(current), waitMs: 0 }
  const retry = () => retryOrFail(current, now, policy, chance)
  if (step === 'sign' && answer.kind === 'refused') return proceed({ ...current, refused: wordsOf(answer.messages) })
  if (step === 'sign' && answer.kind === 'not_sent')
    return retryOrFail({ ...current, state: 'queued', sends: current.sends - 1 }, now, policy, chance)
  if (answer.kind === 'processing' && !isRegisteredAndUndecided(current)) return waitForDecision(current, now, policy)
  // The authority decided against a document that it had taken, so no earlier send can be registered.
  if (step === 'lookup' && answer.kind === 'refused') return reject({ ...current, refused: wordsOf(answer.messages) })
  if (step === 'lookup' && answer.kind === 'absent') return handleAbsent(current, now, policy, chance)
  if (step === 'lookup' && answer.kind === 'other_document') return fail(current)
  // The network cannot deliver this document to the buyer, but the document stays registered.
  if (step === 'transmit' && answer.kind === 'refused') return accept(current, [], 'authority')
  // The authority no longer has a document that it registered. After the last attempt the submission fails, and a person must look at it.
  if (answer.kind === 'absent') return retry()
  return isRegisteredAndUndecided(current) ? retryOrAccept(current, now, policy, chance) : retry()
}

/** The authority's reasons. A refusal without words is a refusal too, so the list is never empty. */
const wordsOf = (messages: readonly string[]): readonly string[] => (messages.length > 0 ? messages : [''])

/** The authority has confirmed the registration. Only the network's confirmation may be missing. */
export const isRegisteredAndUndecided = ({ state }: Pick<SubmissionState, 'state'>): boolean =>
  state === 'signed' || state === 'transmitted'

const isAnswerToOlder = ({ state }: SubmissionState, step: Step): boolean =>
  step === 'sign' || step === 'lookup'
    ? state !== 'unknown'
    : step === 'transmit'
      ? state !== 'signed'
      : state !== 'transmitted'

const keep = (current: SubmissionState): Outcome => ({
  next: current,
  moves: [],
  credits: undefined,
  delivery: undefined,
  waitMs: undefined,
})

/** The next step is due at once, and the count of failed attempts starts again. */
const proceed = (current: SubmissionState): Outcome => ({
  ...keep({ ...current, tries: 0, triedSince: null }),
  waitMs: 0,
})

const accept = (
  current: SubmissionState,
  before: readonly InvoiceMove[],
  delivery: 'authority' | 'deliver_to_buyer',
): Outcome => ({
  next: {
    ...current,
    state: 'accepted',
    isFailed: false,
    refused: null,
    isDelivered: current.isDelivered || delivery === 'deliver_to_buyer',
  },
  moves: [...before, 'accept'],
  credits: 'capture',
  delivery,
  waitMs: undefined,
})

/** Delivery to the buyer's side is the only news that an accepted document can still have. */
function acknowledge(current: SubmissionState, answer: AuthorityAnswer): Outcome {
  const { state, goesToBuyer, isDelivered } = current
  const isNew = state === 'accepted' && goesToBuyer && !isDelivered && answer.kind === 'registered' && answer.delivered
  if (!isNew) return keep(current)
  return { ...keep({ ...current, isDelivered: true }), moves: ['deliver'], delivery: 'deliver_to_buyer' }
}

/** A new fact in the answer, which counts from every worker; `undefined` if there is none. */
function applyFact(current: SubmissionState, answer: AuthorityAnswer): Outcome | undefined {
  if (answer.kind === 'registered') return register(current, answer)
  if (answer.kind === 'transmitted') return markTransmitted(current)
  return undefined
}

function register(
  current: SubmissionState,
  { transmitted, delivered }: Extract<AuthorityAnswer, { kind: 'registered' }>,
): Outcome | undefined {
  const { state, goesToBuyer } = current
  const isNew = state === 'queued' || state === 'unknown'
  const sign: InvoiceMove[] = isNew ? ['sign'] : []
  if (!goesToBuyer) return accept(current, sign, 'authority')
  if (transmitted) {
    const transmit: InvoiceMove[] = state === 'transmitted' ? [] : ['transmit']
    return accept(current, [...sign, ...transmit], delivered ? 'deliver_to_buyer' : 'authority')
  }
  // The submission failed because the network did not confirm it. The authority has registered the document, so it is
  // accepted.
  if (!isNew) return current.isFailed ? accept(current, [], 'authority') : undefined
  const signed: SubmissionState = { ...current, state: 'signed', isFailed: false, refused: null, absentAt: null }
  return { ...proceed(signed), moves: sign, delivery: 'authority' }
}

function markTransmitted(current: SubmissionState): Outcome | undefined {
  const { state } = current
  if (state === 'transmitted') return undefined
  const moves: InvoiceMove[] = state === 'signed' ? ['transmit'] : ['sign', 'transmit']
  return { ...proceed({ ...current, state: 'transmitted', isFailed: false, refused: null }), moves }
}

/** The authority has the document: ask again until it has decided, for the time that a submission may take. */
function waitForDecision(current: SubmissionState, now: Date, policy: RetryPolicy): Outcome {
  const sinceMs = now.getTime() - (current.lastSentAt ?? now).getTime()
  if (sinceMs >= policy.giveUpAfterMs) return fail(current)
  const waitMs = Math.min(Math.max(policy.firstWaitMs, sinceMs / 2), policy.longestWaitMs)
  return { ...keep({ ...current, absentAt: null, refused: null, tries: 0, triedSince: null }), waitMs }
}

/** An absent document was refused, or may be sent again, but only after the settling time. */
function handleAbsent(current: SubmissionState, now: Date, policy: RetryPolicy, chance: number): Outcome {
  const { refused, sends, absentAt } = current
  // A document that was sent only once and clearly refused cannot appear later.
  if (refused && sends <= 1) return reject(current)
  if (absentAt === null) return { ...keep({ ...current, absentAt: now }), waitMs: policy.settlingMs }
  if (now.getTime() - absentAt.getTime() < policy.settlingMs)
    return { ...keep(current), waitMs: policy.settlingMs - (now.getTime() - absentAt.getTime()) }
  if (refused) return reject(current)
  return retryOrFail({ ...current, state: 'queued' }, now, policy, chance)
}

/** The reason if another document has the reference of a failed submission. */
const takenByAnother = 'another document is registered under this number'

/**
 * Ends a submission that has no retry left, when query-status asks the authority. Either the authority said "absent"
 * twice, a settling time apart, or another document has our number. In `queued`, one "absent" is enough, because nothing that was sent can
 * still arrive. The credits are released, and the document can be corrected under its number.
 */
function concludeAbandoned(current: SubmissionState, answer: AuthorityAnswer, now: Date, policy: RetryPolicy): Outcome {
  const { state, absentAt } = current
  // The authority has confirmed the registration, so no later answer counts as a refusal.
  if (isRegisteredAndUndecided(current)) return keep(current)
  if (answer.kind === 'other_document') return reject({ ...current, refused: [takenByAnother], isFailed: false })
  if (answer.kind !== 'absent') return keep(current)
  if (state === 'unknown' && absentAt === null) return keep({ ...current, absentAt: now })
  if (state === 'unknown' && now.getTime() - (absentAt as Date).getTime() < policy.settlingMs) return keep(current)
  return reject({ ...current, isFailed: false })
}

const reject = (current: SubmissionState): Outcome => ({
  ...keep({ ...current, state: 'rejected' }),
  moves: ['reject'],
  credits: 'release',
})

/**
 * Ends the automatic attempts. The credits stay held: the document may still turn out to be registered, and a caller
 * may retry.
 */
const fail = (current: SubmissionState): Outcome => ({
  ...keep({ ...current, isFailed: true, tries: 0, triedSince: null }),
  moves: ['fail'],
})

const retryOrFail = (current: SubmissionState, now: Date, policy: RetryPolicy, chance: number): Outcome =>
  scheduleRetry(current, now, { ...policy, forMs: policy.giveUpAfterMs }, chance) ?? fail(current)

/**
 * The purpose of a submission is the registration. If the network does not confirm the transmission, the document is
 * accepted, and follow-ups keep asking.
 */
const retryOrAccept = (current: SubmissionState, now: Date, policy: RetryPolicy, chance: number): Outcome =>
  scheduleRetry(current, now, { ...policy, forMs: policy.networkWithinMs }, chance) ?? accept(current, [], 'authority')

/** Another attempt after a wait. `undefined` if the limit of attempts or of time is reached. */
function scheduleRetry(
  current: SubmissionState,
  now: Date,
  { mostTries, firstWaitMs, longestWaitMs, forMs }: RetryPolicy & { readonly forMs: number },
  chance: number,
): Outcome | undefined {
  const tries = current.tries + 1
  const since = current.triedSince ?? now
  if (tries >= mostTries || now.getTime() - since.getTime() >= forMs) return undefined
  const wait = Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs)
  return { ...keep({ ...current, tries, triedSince: since }), waitMs: wait * (0.75 + chance / 2) }
}

/** A new series of attempts from the current state. */
export const startRetries = (
  current: SubmissionState,
): { readonly next: SubmissionState; readonly moves: readonly InvoiceMove[] } => ({
  next: { ...current, isFailed: false, tries: 0, triedSince: null },
  moves: [
    current.state === 'signed' ? 'retry_signed' : current.state === 'transmitted' ? 'retry_transmitted' : 'retry',
  ],
})
