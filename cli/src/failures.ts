import { type Io, printable } from './io.ts'
import { NoAnswer, Refused, RisitiError, TimedOut } from './sdk.ts'

/** What each exit code of the command line means. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  rateLimited: 6,
  noAnswer: 7,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A failure that the command line itself found. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

export const usage = (message: string): Failure => new Failure(exitCodes.usage, message)

const byStatus: Readonly<Record<number, ExitCode>> = {
  401: exitCodes.notAllowed,
  403: exitCodes.notAllowed,
  404: exitCodes.notFound,
  412: exitCodes.conflict,
  428: exitCodes.conflict,
  429: exitCodes.rateLimited,
}

/** Many rules of the business answer 409. A conflict is about the version of an object, or about an Idempotency-Key. */
function exitCodeOfRefusal({ status, reason }: Refused): ExitCode {
  if (status === 409 && (reason === undefined || /^(version|idempotency)\./.test(reason))) return exitCodes.conflict
  return byStatus[status] ?? (status >= 500 ? exitCodes.noAnswer : exitCodes.refused)
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Failure) return error.exitCode
  if (error instanceof Refused) return exitCodeOfRefusal(error)
  if (error instanceof NoAnswer || error instanceof TimedOut) return exitCodes.noAnswer
  // The client refuses what it cannot send, such as an empty id.
  if (error instanceof TypeError) return exitCodes.usage
  return exitCodes.refused
}

/** The error as the API writes it. */
function objectOf(error: unknown, exitCode: ExitCode): object {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Refused) {
    const { code, reason, details, status, requestId } = error
    return { error: { code, reason, message, details }, status, exitCode, meta: { requestId } }
  }
  return { error: { message, details: [] }, exitCode, ...keyOf(error) }
}

const keyOf = (error: unknown) =>
  error instanceof RisitiError && error.idempotencyKey !== undefined ? { idempotencyKey: error.idempotencyKey } : {}

/** What a person can do about an unknown outcome. */
function waysToFindOut(error: unknown, exitCode: ExitCode): string[] {
  if (exitCode !== exitCodes.noAnswer || error instanceof Failure) return []
  const { idempotencyKey } = keyOf(error) as { idempotencyKey?: string }
  if (idempotencyKey === undefined) return ['If the command changes something, read the object before you repeat it.']
  return [
    'The outcome is unknown. Repeat the command with the key below: it takes effect once, and you get the reply of the first time.',
    `  --idempotency-key ${idempotencyKey}`,
  ]
}

/** What a person at a terminal can do about a refusal, by its reason. */
const advice: Readonly<Record<string, string>> = {
  'auth.users_only': 'Only a person can do this, in the dashboard: `risiti open`.',
  'auth.capability_missing':
    '`risiti whoami` lists what this sign-in may do. To allow more, sign in again with `risiti login`.',
  'authority.not_connected': 'A person connects it in the dashboard: `risiti open settings/tax`.',
}

const adviceFor = ({ status, reason }: Refused): string | undefined =>
  status === 401
    ? 'Sign in with `risiti login`, or check RISITI_API_KEY.'
    : reason !== undefined && Object.hasOwn(advice, reason)
      ? advice[reason]
      : undefined

function linesOf(error: unknown, exitCode: ExitCode): string[] {
  const message = printable(error instanceof Error ? error.message : String(error))
  if (!(error instanceof Refused)) return [`error: ${message}`, ...waysToFindOut(error, exitCode)]
  const { reason, details, requestId, retryAfterSeconds } = error
  return [
    `error: ${message}`,
    ...details.map(({ path, message: fault }) => `  ${printable(path || 'request')}: ${printable(fault)}`),
    ...(exitCode === exitCodes.rateLimited && retryAfterSeconds !== undefined
      ? [`  Try again in ${Math.ceil(retryAfterSeconds)} seconds.`]
      : []),
    ...(adviceFor(error) === undefined ? [] : [`  ${adviceFor(error)}`]),
    `  ${[`status ${error.status}`, reason && `reason ${reason}`, requestId && `request ${requestId}`].filter(Boolean).join(', ')}`,
    ...waysToFindOut(error, exitCode),
  ]
}

/** Reports a failure on stderr, and returns its exit code. */
export function report(io: Io, error: unknown, asJson: boolean): ExitCode {
  if (io.signal.aborted) return exitCodes.interrupted
  const exitCode = exitCodeOf(error)
  if (asJson) io.note(`${JSON.stringify(objectOf(error, exitCode))}\n`)
  else io.note(`${linesOf(error, exitCode).join('\n')}\n`)
  return exitCode
}
