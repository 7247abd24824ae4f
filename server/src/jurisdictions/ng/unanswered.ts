import { AuthorityUnavailable, type NotSentAnswer, type UnclearAnswer, type UnclearReason } from '../port.ts'

/** Thrown if there is no clear answer. Carries the answer for methods that return values. */
export class UnansweredRequest extends AuthorityUnavailable {
  readonly answer: UnclearAnswer | NotSentAnswer

  constructor(answer: UnclearAnswer | NotSentAnswer) {
    const { why, countsAgainstHealth } = answer
    super(why, { countsAgainstHealth, keysRefused: answer.kind === 'unclear' && answer.reason === 'keys_refused' })
    this.answer = answer
  }
}

/** Reasons that concern the authority as a whole. All others concern one request, our keys or ourselves. */
const troubles: readonly UnclearReason[] = ['no_answer', 'server_error', 'not_protocol', 'other_document']

export const unclear = (reason: UnclearReason, why: string, messages: readonly string[] = []): UnansweredRequest =>
  new UnansweredRequest({ kind: 'unclear', reason, why, messages, countsAgainstHealth: troubles.includes(reason) })

export const notProtocol = (why: string): UnansweredRequest => unclear('not_protocol', why)

/** Turns a thrown `UnansweredRequest` into an answer. */
export async function settled<Answer>(call: Promise<Answer>): Promise<Answer | UnclearAnswer | NotSentAnswer> {
  try {
    return await call
  } catch (error) {
    if (error instanceof UnansweredRequest) return error.answer
    throw error
  }
}

/** The same for requests that change nothing: it does not matter whether they left. */
export async function learnt<Answer>(call: Promise<Answer>): Promise<Answer | UnclearAnswer> {
  const answer = await settled<Answer | NotSentAnswer>(call)
  if (!isNotSent(answer)) return answer as Answer | UnclearAnswer
  const { why, countsAgainstHealth } = answer
  const reason = countsAgainstHealth ? 'no_answer' : 'given_up'
  return { kind: 'unclear', reason, why, messages: [], countsAgainstHealth }
}

const isNotSent = (answer: unknown): answer is NotSentAnswer => (answer as NotSentAnswer).kind === 'not_sent'
