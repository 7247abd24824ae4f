import type { InvoiceMove } from '../invoices/index.ts'

/**
 * The road of a document to the authority, as a pure machine. What it rests on: registering cannot be undone and must not happen
 * twice, and an answer that did not come says nothing. So before anything is sent, the state already says that nobody knows what
 * became of it; and it is sent again only when the authority was asked twice, some time apart, and did not have it.
 */
export const submissionStates = ['queued', 'unknown', 'signed', 'transmitted', 'accepted', 'rejected'] as const
/** `unknown`: it left, or may have left, and it is to be looked up what became of it. */
export type SubmissionState = (typeof submissionStates)[number]

export const steps = ['sign', 'lookup', 'transmit', 'confirm'] as const
/** `sign` registers it, `lookup` asks whether it is registered, `transmit` sends it to the buyer, `confirm` asks whether it went. */
export type Step = (typeof steps)[number]

export interface Standing {
  readonly state: SubmissionState
  readonly isFailed: boolean
  readonly goesToBuyer: boolean
  /** the buyer's side has acknowledged it */
  readonly isDelivered: boolean
  /** how often it left, or may have left, under its reference */
  readonly sends: number
  readonly lastSentAt: Date | null
  /** since when lookups say that it is not there, all of them after it was last sent */
  readonly absentAt: Date | null
  /** the authority's words to the last sending, until somebody has looked whether it is there all the same */
  readonly refused: readonly string[] | null
  /** attempts in a row that led nowhere, and since when */
  readonly tries: number
  readonly triedSince: Date | null
}

/** How the answers of the authority are told to the machine. Of each step only some are possible. */
export type Heard =
  /** it is registered, for good: by this request, or found there with the contents that we sent */
  | { readonly kind: 'registered'; readonly transmitted: boolean; readonly delivered: boolean }
  /** something else is registered under its reference: a person has to look at it */
  | { readonly kind: 'other_document' }
  /** the authority understood and said no */
  | { readonly kind: 'refused'; readonly told: readonly string[] }
  /** at the moment of asking it was not there */
  | { readonly kind: 'absent' }
  /** it is on its way to the buyer */
  | { readonly kind: 'transmitted' }
  /** nobody knows */
  | { readonly kind: 'unclear' }
  /** not a byte has left */
  | { readonly kind: 'not_sent' }

export interface Pace {
  /** how long one request may take, by step */
  readonly deadlineMs: Readonly<Record<Step, number>>
  /** who holds a document for longer has lost it */
  readonly leaseMs: number
  /** how long after "absent" the authority must still say so before the document is sent again */
  readonly settleMs: number
  /** waits between attempts that led nowhere: doubled each time, up to the longest, with jitter */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** attempts are given up when they led nowhere for so long, or so often */
  readonly giveUpAfterMs: number
  /** A registered document waits at most this long for the network's confirmation. After that it is accepted without it. */
  readonly networkWithinMs: number
  readonly mostTries: number
  /**
   * Whether the buyer's side has an accepted document is asked `firstMs` after it was sent, then less and less often, until `forMs`.
   * While the network does not even say that it was transmitted, the longest wait is `untransmittedMs`.
   */
  readonly followUp: { readonly firstMs: number; readonly untransmittedMs: number; readonly forMs: number }
}

/** What follows from an answer. */
export interface Outcome {
  readonly standing: Standing
  /** what the invoice does, in this order */
  readonly moves: readonly InvoiceMove[]
  /** what becomes of the credits that were set aside */
  readonly credits: 'capture' | 'release' | undefined
  readonly delivery: 'nrs' | 'deliver_to_buyer' | undefined
  /** how long until the next step; nothing where there is none */
  readonly waitMs: number | undefined
}

/** What is to be done next; nothing where it is decided. */
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

/** What is written down before a step is taken. From here on nobody knows whether it left. */
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
  /** it comes from the worker that holds the document */
  readonly isHolder: boolean
  /** from 0 to 1, for jitter */
  readonly chance: number
  /** it was given up for good: nobody may ask for another round any more */
  readonly isLastWord?: boolean
}

/**
 * What follows from an answer to a step. Facts count from whoever brings them: that it is registered, that it went to the buyer.
 * Decisions, such as to send again or to give up, are those of the worker that holds it alone (`isHolder`).
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
  // Somebody else brought a fact meanwhile: go on from there.
  if (isAnswerToOlder(standing, step)) return { ...unchanged(standing), waitMs: 0 }
  const nowhere = () => ledNowhere(standing, now, pace, chance)
  if (step === 'sign' && heard.kind === 'refused')
    return progress({ ...standing, refused: heard.told.length > 0 ? heard.told : [''] })
  if (step === 'sign' && heard.kind === 'not_sent')
    return ledNowhere({ ...standing, state: 'queued', sends: standing.sends - 1 }, now, pace, chance)
  if (step === 'lookup' && heard.kind === 'absent') return notThere(standing, now, pace, chance)
  if (step === 'lookup' && heard.kind === 'other_document') return failed(standing)
  // It cannot go to the buyer over the network, and is registered all the same.
  if (step === 'transmit' && heard.kind === 'refused') return accepted(standing, [], 'nrs')
  // The authority contradicts itself: a person has to look at what it said to be registered and now does not have.
  if (isRegistered(standing) && heard.kind !== 'absent') return unconfirmed(standing, now, pace, chance)
  return nowhere()
}

/** The authority has said that it has the document. What may be missing is the word of its network. */
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

/** The next step at once; the attempts begin to count anew. */
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

/** The buyer's side may take its time: that it has the document is all that can still be learnt of one that is accepted. */
function acknowledged(standing: Standing, heard: Heard): Outcome {
  const { state, goesToBuyer, isDelivered } = standing
  const isNew = state === 'accepted' && goesToBuyer && !isDelivered && heard.kind === 'registered' && heard.delivered
  if (!isNew) return unchanged(standing)
  return { ...unchanged({ ...standing, isDelivered: true }), moves: ['deliver'], delivery: 'deliver_to_buyer' }
}

/** What is new in an answer and stays true, whoever heard it. */
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
  // Given up because the network did not confirm it. The authority has it, and that is what counts.
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

/** A document that is not there was refused, or may be sent again; but neither before that has settled. */
function notThere(standing: Standing, now: Date, pace: Pace, chance: number): Outcome {
  const { refused, sends, absentAt } = standing
  // Whatever was sent once and clearly refused cannot appear any more.
  if (refused && sends <= 1) return rejected(standing)
  if (absentAt === null) return { ...unchanged({ ...standing, absentAt: now }), waitMs: pace.settleMs }
  if (now.getTime() - absentAt.getTime() < pace.settleMs)
    return { ...unchanged(standing), waitMs: pace.settleMs - (now.getTime() - absentAt.getTime()) }
  if (refused) return rejected(standing)
  return ledNowhere({ ...standing, state: 'queued' }, now, pace, chance)
}

/** The authority's words where something else bears the reference of a document that was given up. */
const takenByAnother = 'another document is registered under this number'

/**
 * How what was given up for good comes to its end, when somebody asks the authority: it does not have it, and said so twice, a settling
 * time apart; or it has something else under its number. The credits are free again, and it can be mended under its number.
 */
function endedBy(standing: Standing, heard: Heard, now: Date, pace: Pace): Outcome {
  const { state, absentAt } = standing
  // The authority has said that it has it: nothing that it says later makes that a refusal.
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

/** No more attempts by itself. Its credits stay aside: it may still turn out to be registered, and somebody may ask for more. */
const failed = (standing: Standing): Outcome => ({
  ...unchanged({ ...standing, isFailed: true, tries: 0, triedSince: null }),
  moves: ['fail'],
})

const ledNowhere = (standing: Standing, now: Date, pace: Pace, chance: number): Outcome =>
  again(standing, now, { ...pace, forMs: pace.giveUpAfterMs }, chance) ?? failed(standing)

/**
 * Registering is what the submission is for. A network that does not confirm the transmission keeps a document from nothing: it is
 * accepted, and follow-ups go on asking about the transmission.
 */
const unconfirmed = (standing: Standing, now: Date, pace: Pace, chance: number): Outcome =>
  again(standing, now, { ...pace, forMs: pace.networkWithinMs }, chance) ?? accepted(standing, [], 'nrs')

/** Another attempt after a wait. `undefined` if there were as many as there may be, or for as long. */
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

/** Another round of attempts, from where it stands. */
export const retried = (
  standing: Standing,
): { readonly standing: Standing; readonly moves: readonly InvoiceMove[] } => ({
  standing: { ...standing, isFailed: false, tries: 0, triedSince: null },
  moves: [
    standing.state === 'signed' ? 'retry_signed' : standing.state === 'transmitted' ? 'retry_transmitted' : 'retry',
  ],
})
