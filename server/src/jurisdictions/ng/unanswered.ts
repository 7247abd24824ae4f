import { AuthorityUnavailable, type NotSent, type Unclear, type UnclearReason } from '../port.ts'

/** Thrown where there is no clear answer; carries what those say who answer with values. */
export class Unanswered extends AuthorityUnavailable {
  readonly answer: Unclear | NotSent

  constructor(answer: Unclear | NotSent) {
    const { why, countsAgainstHealth } = answer
    super(why, { countsAgainstHealth, keysRefused: answer.kind === 'unclear' && answer.reason === 'keys_refused' })
    this.answer = answer
  }
}

/** These are about the authority as a whole. All others are about one question, our keys or ourselves. */
const troubles: readonly UnclearReason[] = ['no_answer', 'server_error', 'not_protocol', 'other_document']

export const unclear = (reason: UnclearReason, why: string, told: readonly string[] = []): Unanswered =>
  new Unanswered({ kind: 'unclear', reason, why, told, countsAgainstHealth: troubles.includes(reason) })

export const notProtocol = (why: string): Unanswered => unclear('not_protocol', why)

/** What a call came to, where whoever asked wants an answer in any case. */
export async function settled<Answer>(call: Promise<Answer>): Promise<Answer | Unclear | NotSent> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Unanswered) return error.answer
    throw error
  }
}

/** The same for questions that change nothing: whether they left makes no difference. */
export async function learnt<Answer>(call: Promise<Answer>): Promise<Answer | Unclear> {
  const answer = await settled<Answer | NotSent>(call)
  if (!isNotSent(answer)) return answer as Answer | Unclear
  const { why, countsAgainstHealth } = answer
  const reason = countsAgainstHealth ? 'no_answer' : 'given_up'
  return { kind: 'unclear', reason, why, told: [], countsAgainstHealth }
}

const isNotSent = (answer: unknown): answer is NotSent => (answer as NotSent).kind === 'not_sent'
