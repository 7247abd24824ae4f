import type {
  Authority,
  DocumentStatus,
  LookupAnswer,
  NotSentAnswer,
  RefusedAnswer,
  Registration,
  ReportingRules,
  SignAnswer,
  TransmitAnswer,
  UnclearAnswer,
} from '../../../jurisdictions/port.ts'
import type { AttemptResult } from '../state/submission.ts'
import type { AuthorityAnswer, Step } from '../state/submission-state.ts'

/** The result of one request: for the state machine, for the attempt's row, and for the breaker. */
export interface AuthorityReply {
  readonly answer: AuthorityAnswer
  readonly noted: AttemptResult
  /** only of a lookup: what the authority says about the document */
  readonly found?: Extract<LookupAnswer, { kind: 'found' }>
  /** `undefined` if the request says nothing about the authority as a whole */
  readonly isHealthy: boolean | undefined
}

export interface AuthorityRequest {
  readonly step: Step
  readonly reference: string
  /** the bytes to send, or to compare with the authority's copy */
  readonly payload: Buffer | undefined
}

const noted = (answer: string, why: string | null = null, messages: readonly string[] = []): AttemptResult => ({
  answer,
  why,
  // Attempts are never deleted, so their texts are limited: 20 texts of 1,000 characters.
  messages: messages.slice(0, 20).map((text) => text.slice(0, 1000)),
})

const otherDocument = 'another document is registered under this number'
const registered = ({
  transmitted = false,
  delivered = false,
  registeredAs,
}: Partial<DocumentStatus> & Registration): AuthorityAnswer => ({
  kind: 'registered',
  transmitted,
  delivered,
  ...(registeredAs === undefined ? {} : { registeredAs }),
})
const processing: AuthorityReply = {
  answer: { kind: 'processing' },
  noted: noted('processing'),
  isHealthy: true,
}

function fromTrouble(answer: UnclearAnswer | NotSentAnswer | RefusedAnswer): AuthorityReply {
  if (answer.kind === 'refused')
    return {
      answer: { kind: 'refused', messages: answer.messages },
      noted: noted('refused', null, answer.messages),
      isHealthy: true,
    }
  if (answer.kind === 'not_sent')
    return {
      answer: { kind: 'not_sent' },
      noted: noted('not_sent', answer.why),
      isHealthy: answer.countsAgainstHealth ? false : undefined,
    }
  return {
    answer: { kind: 'unclear' },
    noted: noted('unclear', `${answer.reason}: ${answer.why}`, answer.messages),
    isHealthy: answer.countsAgainstHealth ? false : undefined,
  }
}

function fromSign(answer: SignAnswer): AuthorityReply {
  if (answer.kind === 'signed') return { answer: registered(answer), noted: noted('signed'), isHealthy: true }
  return answer.kind === 'processing' ? processing : fromTrouble(answer)
}

const fromTransmit = (answer: TransmitAnswer): AuthorityReply =>
  answer.kind === 'transmitted'
    ? { answer: { kind: 'transmitted' }, noted: noted('transmitted'), isHealthy: true }
    : fromTrouble(answer)

/**
 * A document under our reference may be somebody else's, so its contents are compared with the bytes that we sent.
 */
async function lookUp(
  authority: Authority,
  { isSameDocument }: ReportingRules,
  { reference, payload }: AuthorityRequest,
  signal: AbortSignal,
): Promise<AuthorityReply> {
  const answer = await authority.lookup(reference, signal)
  if (answer.kind === 'absent') return { answer: { kind: 'absent' }, noted: noted('absent'), isHealthy: true }
  if (answer.kind === 'processing') return processing
  if (answer.kind !== 'found') return fromTrouble(answer)
  const found = registered(answer)
  if (payload === undefined) return { answer: found, noted: noted('found'), found: answer, isHealthy: true }
  const copy = await authority.download(reference, signal)
  if (copy.kind === 'absent')
    return {
      answer: { kind: 'unclear' },
      noted: noted('unclear', 'found, but it cannot be downloaded'),
      isHealthy: true,
    }
  if (copy.kind !== 'downloaded') return fromTrouble(copy)
  return isSameDocument(payload, copy.bytes)
    ? { answer: found, noted: noted('found'), found: answer, isHealthy: true }
    : { answer: { kind: 'other_document' }, noted: noted('other_document', otherDocument), isHealthy: true }
}

/** Runs one step. Never throws for anything that the authority does. */
export async function askAuthority(
  authority: Authority,
  rules: ReportingRules,
  request: AuthorityRequest,
  signal: AbortSignal,
): Promise<AuthorityReply> {
  const { step, reference, payload } = request
  if (step === 'sign') {
    if (payload === undefined) throw new Error('nothing to send')
    return fromSign(await authority.sign(payload, signal))
  }
  if (step === 'transmit')
    return fromTransmit((await authority.transmit?.(reference, signal)) ?? { kind: 'refused', messages: [] })
  return await lookUp(authority, rules, step === 'confirm' ? { ...request, payload: undefined } : request, signal)
}
