import type { Runtime } from '../../../platform/operations/runner.ts'
import { OutboundFailure } from '../../../platform/outbound/failures.ts'
import type { Answer } from '../../../platform/outbound/one-request.ts'
import type { Attempt, AttemptError } from '../deliveries/delivery.ts'
import { delayAfter, retryAfterMs, usualPlan } from '../endpoints/retry-plan.ts'
import type { SigningKeys } from '../endpoints/signing-keys.ts'
import type { AttemptResult, OutgoingDelivery } from './dispatch.store.ts'

export interface AttemptOutcome {
  readonly result: AttemptResult
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
interface ReceiverAnswer {
  readonly statusCode: number | null
  readonly error: AttemptError | null
  readonly response: string | null
  /** One value for each header line. */
  readonly retryAfter: string | readonly string[] | undefined
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const fromAnswer = ({ status, body, headers }: Answer): ReceiverAnswer => ({
  statusCode: status,
  error: isSuccess(status) ? null : 'status',
  response: textOf(body),
  retryAfter: headers['retry-after'],
})

const fromError = (error: AttemptError): ReceiverAnswer => ({
  statusCode: null,
  error,
  response: null,
  retryAfter: undefined,
})

function post({ ports }: Runtime, keys: SigningKeys, delivery: OutgoingDelivery, now: Date): Promise<Answer> {
  const { format: name, endpointId, url, mode, type, body, plan } = delivery
  const format = ports.webhookFormats.of(name)
  const headers = format.headersOf({
    eventId: delivery.eventId,
    name: format.nameOf(type) ?? type,
    body,
    attempt: delivery.attempt,
    unixSeconds: Math.floor(now.getTime() / 1_000),
    secrets: keys.of(delivery, now),
  })
  const { timeoutMs } = plan ?? usualPlan
  return ports.webhookHttp.post({ url, mode, endpointId, headers, body, timeoutMs })
}

/** Sends one delivery and returns the result. An exception here counts as a failed attempt. */
export function attemptDelivery(
  runtime: Runtime,
  keys: SigningKeys,
  delivery: OutgoingDelivery,
  ended: (outcome: AttemptOutcome) => void,
): void {
  const beganAt = performance.now()
  const at = runtime.clock.now()
  const finish = (answer: ReceiverAnswer) =>
    ended(outcomeOf(runtime, delivery, at, Math.round(performance.now() - beganAt), answer))
  const fail = (error: unknown) => {
    if (!(error instanceof OutboundFailure)) runtime.log.error('webhooks.attempt_failed', { error })
    finish(fromError(error instanceof OutboundFailure ? errorOf(error) : 'connection_failed'))
  }
  let sent: Promise<Answer>
  try {
    sent = post(runtime, keys, delivery, at)
  } catch (error) {
    sent = Promise.reject(error)
  }
  sent.then((answer) => finish(fromAnswer(answer)), fail)
}

function outcomeOf(
  runtime: Runtime,
  delivery: OutgoingDelivery,
  at: Date,
  latencyMs: number,
  answer: ReceiverAnswer,
): AttemptOutcome {
  const { statusCode, error, response, retryAfter } = answer
  const entry: Attempt = { number: delivery.attempt, at: written(at), latencyMs, statusCode, error, response }
  if (error === null) {
    const result: AttemptResult = {
      delivery: delivery.failed === 0 ? delivery : { ...delivery, failed: 0 },
      entry,
      status: 'delivered',
      reason: null,
      waitMs: null,
      clearsFailures: !delivery.isTest,
    }
    return { result, isWorking: true }
  }
  const failed = delivery.failed + 1
  const isGone = statusCode === 410
  const retryAfterDelayMs = retryAfterMs(retryAfter, runtime.clock.now())
  // A manual delivery or a test is attempted once, because a person is watching the result.
  const isLast = isGone || delivery.isManual
  const waitMs = isLast ? undefined : delayAfter(delivery.plan ?? usualPlan, failed, retryAfterDelayMs)
  return {
    result: {
      delivery: { ...delivery, failed },
      entry,
      status: waitMs === undefined ? 'failed' : 'retrying',
      reason: waitMs === undefined ? (isGone ? 'gone' : 'attempts_exhausted') : null,
      waitMs: waitMs ?? null,
      clearsFailures: false,
      countsAsFailure: !delivery.isTest,
    },
    isWorking: statusCode !== null && statusCode < 500 && statusCode !== 429,
  }
}
