/** All results of a request except an answer. Callers and metrics use only these names. */
const words = {
  refused_address: 'it would have gone to an address that is not allowed',
  no_connection: 'no connection',
  overloaded: 'too many requests are waiting already',
  deadline_connect: 'no connection in time',
  deadline_headers: 'no answer in time',
  deadline_body: 'the answer did not end in time',
  deadline_overall: 'it took too long as a whole',
  too_large: 'the answer is larger than anybody could need',
  broken_answer: 'the answer broke off, or was none',
  unsendable: 'the request cannot be written as HTTP',
  given_up: 'whoever asked has stopped waiting',
} as const

export type FailureName = keyof typeof words

interface FailureFacts {
  /** false: no byte of the request was sent, so it may be sent again without a second effect */
  readonly mayHaveArrived: boolean
  /** the status that arrived before the failure */
  readonly status?: number | undefined
  /** the short code of the system or library, such as ECONNREFUSED */
  readonly reason?: string | undefined
}

/**
 * Why there is no answer. The message is our own and there is no `cause`: the underlying errors may quote the request, which contains keys.
 * The property is not named `code`, because some libraries resend requests for certain codes.
 */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
  readonly outcome: FailureName
  /** the message without the party's name */
  readonly why: string
  readonly mayHaveArrived: boolean
  readonly status: number | undefined
  readonly reason: string | undefined

  constructor(party: string, outcome: FailureName, { mayHaveArrived, status, reason }: FailureFacts) {
    const why = reason === undefined ? words[outcome] : `${words[outcome]} (${reason})`
    super(`${party} gave no answer: ${why}`)
    this.outcome = outcome
    this.why = why
    this.mayHaveArrived = mayHaveArrived
    this.status = status
    this.reason = reason
  }
}

/** Thrown while connecting: a name resolves to a forbidden address. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

const named: Readonly<Record<string, FailureName>> = {
  UND_ERR_CONNECT_TIMEOUT: 'deadline_connect',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  UND_ERR_INVALID_ARG: 'unsendable',
  UND_ERR_NOT_SUPPORTED: 'unsendable',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'unsendable',
}

/** The failure for an error of the library or the system. `begun`: the connection existed and writing had begun. */
export function failureFrom(error: unknown, begun: boolean): { outcome: FailureName; reason: string | undefined } {
  if (error instanceof RefusedAddress) return { outcome: 'refused_address', reason: undefined }
  const code = (error as { code?: unknown } | null)?.code
  const reason = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : undefined
  const outcome = reason === undefined ? undefined : named[reason]
  return { outcome: outcome ?? (begun ? 'broken_answer' : 'no_connection'), reason: outcome ? undefined : reason }
}
