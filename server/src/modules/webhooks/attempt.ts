import type { Runtime } from '../../platform/operations/runner.ts'
import { type Answer, OutboundFailure } from '../../platform/outbound/outbound-http.ts'
import type { Attempt, AttemptError } from './delivery.ts'
import { delayAfter, retryAfterMs, usualPlan } from './retry-plan.ts'
import type { Ending, Piece } from './sending.store.ts'
import type { SigningKeys } from './signing-keys.ts'

export interface Outcome {
  readonly ending: Ending
  /** True if the reply shows that the endpoint works. */
  readonly isWorking: boolean
}

const keptCharacters = 1_024

/** Beginning of a reply, as text that the database accepts. */
const textOf = (body: Buffer): string | null =>
  body.length === 0 ? null : body.subarray(0, keptCharacters).toString('utf8').replaceAll('\0', '\uFFFD')

/** The error must reveal nothing about our own network, such as which address was refused. */
function errorOf({ outcome }: OutboundFailure): AttemptError {
  switch (outcome) {
    case 'deadline_headers':
    case 'deadline_body':
    case 'deadline_overall':
      return 'timeout'
    case 'broken_answer':
    case 'too_large':
      return 'broken_answer'
    default:
      return 'connection_failed'
  }
}

let lastWritten = { ms: Number.NaN, text: '' }
/** Cached, because many attempts begin within one millisecond. */
function written(at: Date): string {
  const ms = at.getTime()
  if (ms !== lastWritten.ms) lastWritten = { ms, text: at.toISOString() }
  return lastWritten.text
}

/** The reply, or why there was none. */
interface Heard {
  readonly statusCode: number | null
  readonly error: AttemptError | null
  readonly response: string | null
  /** One value for each header line. */
  readonly retryAfter: string | readonly string[] | undefined
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const answered = ({ status, body, headers }: Answer): Heard => ({
  statusCode: status,
  error: isSuccess(status) ? null : 'status',
  response: textOf(body),
  retryAfter: headers['retry-after'],
})

const unanswered = (error: AttemptError): Heard => ({
  statusCode: null,
  error,
  response: null,
  retryAfter: undefined,
})

function post({ ports }: Runtime, keys: SigningKeys, piece: Piece, now: Date): Promise<Answer> {
  const { dialect: name, endpointId, url, mode, type, body, plan } = piece
  const dialect = ports.webhookDialects[name]
  const headers = dialect.headersOf({
    eventId: piece.eventId,
    name: dialect.nameOf(type) ?? type,
    body,
    attempt: piece.attempt,
    unixSeconds: Math.floor(now.getTime() / 1_000),
    secrets: keys.of(piece, now),
  })
  const { timeoutMs } = plan ?? usualPlan
  return ports.webhookDoor.post({ url, mode, endpointId, headers, body, timeoutMs })
}

/** Sends one delivery and returns the result. An exception here counts as a failed attempt. */
export function attemptDelivery(
  runtime: Runtime,
  keys: SigningKeys,
  piece: Piece,
  ended: (outcome: Outcome) => void,
): void {
  const beganAt = performance.now()
  const at = runtime.clock.now()
  const hear = (heard: Heard) => ended(outcomeOf(runtime, piece, at, Math.round(performance.now() - beganAt), heard))
  const fail = (error: unknown) => {
    if (!(error instanceof OutboundFailure)) runtime.log.error('webhooks.attempt_failed', { error })
    hear(unanswered(error instanceof OutboundFailure ? errorOf(error) : 'connection_failed'))
  }
  let sent: Promise<Answer>
  try {
    sent = post(runtime, keys, piece, at)
  } catch (error) {
    sent = Promise.reject(error)
  }
  sent.then((answer) => hear(answered(answer)), fail)
}

function outcomeOf(runtime: Runtime, piece: Piece, at: Date, latencyMs: number, heard: Heard): Outcome {
  const { statusCode, error, response, retryAfter } = heard
  const entry: Attempt = { number: piece.attempt, at: written(at), latencyMs, statusCode, error, response }
  if (error === null) {
    const ending: Ending = {
      piece: piece.failed === 0 ? piece : { ...piece, failed: 0 },
      entry,
      status: 'delivered',
      reason: null,
      waitMs: null,
      clearsFailures: !piece.isTest,
    }
    return { ending, isWorking: true }
  }
  const failed = piece.failed + 1
  const isGone = statusCode === 410
  const asked = retryAfterMs(retryAfter, runtime.clock.now())
  // A manual delivery or a test is attempted once, because a person is watching the result.
  const isLast = isGone || piece.isManual
  const waitMs = isLast ? undefined : delayAfter(piece.plan ?? usualPlan, failed, asked)
  return {
    ending: {
      piece: { ...piece, failed },
      entry,
      status: waitMs === undefined ? 'failed' : 'retrying',
      reason: waitMs === undefined ? (isGone ? 'gone' : 'attempts_exhausted') : null,
      waitMs: waitMs ?? null,
      clearsFailures: false,
      countsAsFailure: !piece.isTest,
    },
    isWorking: statusCode !== null && statusCode < 500 && statusCode !== 429,
  }
}
