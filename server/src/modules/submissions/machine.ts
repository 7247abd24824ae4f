import type { InvoiceMove } from '../invoices/index.ts'

/**
 * The states of a submission, as pure functions. Registering cannot be undone and must not happen twice, and a
 * missing answer says nothing. So the state becomes `unknown` before anything is sent. A document is sent again only
 * after two lookups, a settling time apart, that said "absent".
 */
export const submissionStates = ['queued', 'unknown', 'signed', 'transmitted', 'accepted', 'rejected'] as const
/** `unknown`: the document left, or may have left, and a lookup must find out what became of it. */
export type SubmissionState = (typeof submissionStates)[number]

export const steps = ['sign', 'lookup', 'transmit', 'confirm'] as const
/**
 * `sign` registers the document, `lookup` asks whether it is registered, `transmit` sends it to the buyer, `confirm`
 * asks whether it was transmitted.
 */
export type Step = (typeof steps)[number]

export interface Standing {
  readonly state: SubmissionState
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
export type Heard =
  /** the document is registered for good: by this request, or found with the contents that we sent */
  | { readonly kind: 'registered'; readonly transmitted: boolean; readonly delivered: boolean }
  /** another document is registered under our reference: a person must look at it */
  | { readonly kind: 'other_document' }
  /** the authority understood the request and refused it */
  | { readonly kind: 'refused'; readonly told: readonly string[] }
  /** the document was not registered when we asked */
  | { readonly kind: 'absent' }
  /** the document is on its way to the buyer */
  | { readonly kind: 'transmitted' }
  /** no reply says whether the request took effect */
  | { readonly kind: 'unclear' }
  /** not a byte left */
  | { readonly kind: 'not_sent' }

export interface Pace {
  /** the longest time of one request, by step */
  readonly deadlineMs: Readonly<Record<Step, number>>
  /** length of a lease */
  readonly leaseMs: number
  /** a document is sent again only if the authority still says "absent" this long after the first "absent" */
  readonly settleMs: number
  /** waits between failed attempts: doubled each time up to the longest, with jitter */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** the submission fails after this time, or this number, of failed attempts in a row */
  readonly giveUpAfterMs: number
  /**
   * A registered document waits at most this long for the network's confirmation. Then it is accepted without one.
   */
  readonly networkWithinMs: number
  readonly mostTries: number
  /**
   * The first follow-up of an accepted document comes `firstMs` after it was sent. Later ones come less and less
   * often, until `forMs`. While the network does not even confirm the transmission, the longest wait is
   * `untransmittedMs`.
   */
  readonly followUp: { readonly firstMs: number; readonly untransmittedMs: number; readonly forMs: number }
}

/** The consequences of an answer. */
export interface Outcome {
  readonly standing: Standing
  /** moves of the invoice, in this order */
  readonly moves: readonly InvoiceMove[]
  /** what happens to the held credits */
  readonly credits: 'capture' | 'release' | undefined
  readonly delivery: 'nrs' | 'deliver_to_buyer' | undefined
  /** time until the next step; `undefined` if there is none */
  readonly waitMs: number | undefined
}

/** The next step; `undefined` if the submission is decided or failed. */
export function nextStep({ state, isFailed }: Pick<Standing, 'state' | 'isFailed'>): Step | undefined {
  if (isFailed) return undefined
  const next: Partial<Record<SubmissionState, Step>> = {
    queued: 'sign',
    unknown: 'lookup',
    signed: 'transmit',
    transmitted: 'confirm',
  }
  return next[state]
}

/** The state to store before a step starts. From here on, a crash leaves open whether the request left. */
export const begun = (standing: Standing, step: Step, now: Date): Standing => ({
  ...standing,
  triedSince: standing.triedSince ?? now,
  ...(step === 'sign'
    ? { state: 'unknown', sends: standing.sends + 1, lastSentAt: now, absentAt: null, refused: null }
    : {}),
})

const isDecided = ({ state }: Standing): boolean => state === 'accepted' || state === 'rejected'

interface Circumstances {
  readonly now: Date
  readonly pace: Pace
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
export function after(
  standing: Standing,
  step: Step,
  heard: Heard,
  { now, pace, isHolder, chance, isLastWord = false }: Circumstances,
): Outcome {
  if (isDecided(standing)) return acknowledged(standing, heard)
  const fact = factIn(standing, heard)
  if (fact) return fact
  if (isLastWord && standing.isFailed && step === 'lookup') return endedBy(standing, heard, now, pace)
  if (!isHolder || standing.isFailed) return unchanged(standing)
  // Another worker recorded a fact meanwhile: continue from its state.
  if (isAnswerToOlder(standing, step)) return { ...unchanged(standing), waitMs: 0 }
  const nowhere = () => ledNowhere(standing, now, pace, chance)
  if (step === 'sign' && heard.kind === 'refused')
    return progress({ ...standing, refused: heard.told.length > 0 ? heard.told : [''] })
  if (step === 'sign' && heard.kind === 'not_sent')
    return ledNowhere({ ...standing, state: 'queued', sends: standing.sends - 1 }, now, pace, chance)
  if (step === 'lookup' && heard.kind === 'absent') return notThere(standing, now, pace, chance)
  if (step === 'lookup' && heard.kind === 'other_document') return failed(standing)
  // The network cannot deliver this document to the buyer, but the document stays registered.
  if (step === 'transmit' && heard.kind === 'refused') return accepted(standing, [], 'nrs')
  // The authority contradicts itself if it no longer has a document that it registered: a person must look at it.
  if (isRegistered(standing) && heard.kind !== 'absent') return unconfirmed(standing, now, pace, chance)
  return nowhere()
}

/** The authority has confirmed the registration. Only the network's confirmation may be missing. */
export const isRegistered = ({ state }: Pick<Standing, 'state'>): boolean =>
  state === 'signed' || state === 'transmitted'

const isAnswerToOlder = ({ state }: Standing, step: Step): boolean =>
  step === 'sign' || step === 'lookup'
    ? state !== 'unknown'
    : step === 'transmit'
      ? state !== 'signed'
      : state !== 'transmitted'

const unchanged = (standing: Standing): Outcome => ({
  standing,
  moves: [],
  credits: undefined,
  delivery: undefined,
  waitMs: undefined,
})

/** The next step is due at once, and the count of failed attempts starts again. */
const progress = (standing: Standing): Outcome => ({
  ...unchanged({ ...standing, tries: 0, triedSince: null }),
  waitMs: 0,
})

const accepted = (
  standing: Standing,
  before: readonly InvoiceMove[],
  delivery: 'nrs' | 'deliver_to_buyer',
): Outcome => ({
  standing: {
    ...standing,
    state: 'accepted',
    isFailed: false,
    refused: null,
    isDelivered: standing.isDelivered || delivery === 'deliver_to_buyer',
  },
  moves: [...before, 'accept'],
  credits: 'capture',
  delivery,
  waitMs: undefined,
})

/** Delivery to the buyer's side is the only news that an accepted document can still have. */
function acknowledged(standing: Standing, heard: Heard): Outcome {
  const { state, goesToBuyer, isDelivered } = standing
  const isNew = state === 'accepted' && goesToBuyer && !isDelivered && heard.kind === 'registered' && heard.delivered
  if (!isNew) return unchanged(standing)
  return { ...unchanged({ ...standing, isDelivered: true }), moves: ['deliver'], delivery: 'deliver_to_buyer' }
}

/** A new fact in the answer, which counts from every worker; `undefined` if there is none. */
function factIn(standing: Standing, heard: Heard): Outcome | undefined {
  if (heard.kind === 'registered') return registered(standing, heard)
  if (heard.kind === 'transmitted') return onItsWay(standing)
  return undefined
}

function registered(
  standing: Standing,
  { transmitted, delivered }: Extract<Heard, { kind: 'registered' }>,
): Outcome | undefined {
  const { state, goesToBuyer } = standing
  const isNew = state === 'queued' || state === 'unknown'
  const sign: InvoiceMove[] = isNew ? ['sign'] : []
  if (!goesToBuyer) return accepted(standing, sign, 'nrs')
  if (transmitted) {
    const transmit: InvoiceMove[] = state === 'transmitted' ? [] : ['transmit']
    return accepted(standing, [...sign, ...transmit], delivered ? 'deliver_to_buyer' : 'nrs')
  }
  // The submission failed because the network did not confirm it. The authority has registered the document, so it is
  // accepted.
  if (!isNew) return standing.isFailed ? accepted(standing, [], 'nrs') : undefined
  const signed: Standing = { ...standing, state: 'signed', isFailed: false, refused: null, absentAt: null }
  return { ...progress(signed), moves: sign, delivery: 'nrs' }
}

function onItsWay(standing: Standing): Outcome | undefined {
  const { state } = standing
  if (state === 'transmitted') return undefined
  const moves: InvoiceMove[] = state === 'signed' ? ['transmit'] : ['sign', 'transmit']
  return { ...progress({ ...standing, state: 'transmitted', isFailed: false, refused: null }), moves }
}

/** An absent document was refused, or may be sent again, but only after the settling time. */
function notThere(standing: Standing, now: Date, pace: Pace, chance: number): Outcome {
  const { refused, sends, absentAt } = standing
  // A document that was sent only once and clearly refused cannot appear later.
  if (refused && sends <= 1) return rejected(standing)
  if (absentAt === null) return { ...unchanged({ ...standing, absentAt: now }), waitMs: pace.settleMs }
  if (now.getTime() - absentAt.getTime() < pace.settleMs)
    return { ...unchanged(standing), waitMs: pace.settleMs - (now.getTime() - absentAt.getTime()) }
  if (refused) return rejected(standing)
  return ledNowhere({ ...standing, state: 'queued' }, now, pace, chance)
}

/** The reason if another document has the reference of a failed submission. */
const takenByAnother = 'another document is registered under this number'

/**
 * Ends a submission that has no retry left, when query-status asks the authority. Either the authority said "absent"
 * twice, a settling time apart, or another document has our number. The credits are released, and the document can be
 * corrected under its number.
 */
function endedBy(standing: Standing, heard: Heard, now: Date, pace: Pace): Outcome {
  const { state, absentAt } = standing
  // The authority has confirmed the registration, so no later answer counts as a refusal.
  if (isRegistered(standing)) return unchanged(standing)
  if (heard.kind === 'other_document') return rejected({ ...standing, refused: [takenByAnother], isFailed: false })
  if (heard.kind !== 'absent') return unchanged(standing)
  if (state === 'unknown' && absentAt === null) return unchanged({ ...standing, absentAt: now })
  if (state === 'unknown' && now.getTime() - (absentAt as Date).getTime() < pace.settleMs) return unchanged(standing)
  return rejected({ ...standing, isFailed: false })
}

const rejected = (standing: Standing): Outcome => ({
  ...unchanged({ ...standing, state: 'rejected' }),
  moves: ['reject'],
  credits: 'release',
})

/**
 * No more automatic attempts. The credits stay held: the document may still turn out to be registered, and a caller
 * may retry.
 */
const failed = (standing: Standing): Outcome => ({
  ...unchanged({ ...standing, isFailed: true, tries: 0, triedSince: null }),
  moves: ['fail'],
})

const ledNowhere = (standing: Standing, now: Date, pace: Pace, chance: number): Outcome =>
  again(standing, now, { ...pace, forMs: pace.giveUpAfterMs }, chance) ?? failed(standing)

/**
 * The purpose of a submission is the registration. If the network does not confirm the transmission, the document is
 * accepted, and follow-ups keep asking.
 */
const unconfirmed = (standing: Standing, now: Date, pace: Pace, chance: number): Outcome =>
  again(standing, now, { ...pace, forMs: pace.networkWithinMs }, chance) ?? accepted(standing, [], 'nrs')

/** Another attempt after a wait. `undefined` if the limit of attempts or of time is reached. */
function again(
  standing: Standing,
  now: Date,
  { mostTries, firstWaitMs, longestWaitMs, forMs }: Pace & { readonly forMs: number },
  chance: number,
): Outcome | undefined {
  const tries = standing.tries + 1
  const since = standing.triedSince ?? now
  if (tries >= mostTries || now.getTime() - since.getTime() >= forMs) return undefined
  const wait = Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs)
  return { ...unchanged({ ...standing, tries, triedSince: since }), waitMs: wait * (0.75 + chance / 2) }
}

/** A new series of attempts from the current state. */
export const retried = (
  standing: Standing,
): { readonly standing: Standing; readonly moves: readonly InvoiceMove[] } => ({
  standing: { ...standing, isFailed: false, tries: 0, triedSince: null },
  moves: [
    standing.state === 'signed' ? 'retry_signed' : standing.state === 'transmitted' ? 'retry_transmitted' : 'retry',
  ],
})
