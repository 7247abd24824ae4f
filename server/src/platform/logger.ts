import { pino } from 'pino'

/** The only fields that a log line may contain. Other fields are never printed, so no password, token, code or body can reach a log. */
const printable = [
  'requestId',
  'method',
  'route',
  'status',
  'ms',
  'refusal',
  'organisationId',
  'mode',
  'userId',
  'keyId',
  'address',
  'job',
  'jobId',
  'eventId',
  'attempt',
  'count',
  'channel',
  'messageId',
  'migration',
  'port',
  'url',
  'role',
  'version',
  'signal',
  'reason',
  'error',
  'seed',
  'path',
  'provider',
  'reference',
] as const

type Printable = (typeof printable)[number]
export type LogFields = Partial<Record<Exclude<Printable, 'error'>, string | number | boolean | undefined>> & {
  error?: unknown
}

export interface Logger {
  debug(event: string, fields?: LogFields | (() => LogFields)): void
  /** expensive fields are given as a function, which is called only if the line is printed */
  info(event: string, fields?: LogFields | (() => LogFields)): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** Second line of defence: patterns of our secrets in free text, such as the message of an unexpected error. */
const secretShapes = [
  /sk_(test|live)_[0-9A-Za-z]+/g,
  /whsec_[0-9A-Za-z+/=_-]+/g,
  /rt_[0-9A-Za-z_-]{20,}/g,
  /eyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  /\b(postgres(?:ql)?|smtps?|https?):\/\/[^\s/@:]+:[^\s/@]+@/g,
  /Bearer\s+\S+/gi,
]

export const redact = (text: string): string =>
  secretShapes.reduce((rest, shape) => rest.replace(shape, '[redacted]'), text)

/** The name, code, redacted message and stack of an error. Never its other properties. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  // The stack begins with the message, whose own lines may look like stack frames.
  const frames = error.stack
    ?.replace(error.message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => redact(line.trim()))
  return {
    name: error.name,
    code,
    message: redact(error.message),
    at: frames,
    ...(error.cause ? { cause: describeError(error.cause) } : {}),
  }
}

export function namedFields(fields: LogFields): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const key of printable) {
    const value: unknown = fields[key]
    if (value === undefined) continue
    if (key === 'error') named.error = describeError(value)
    else if (typeof value === 'string') named[key] = redact(value)
    else if (typeof value === 'number' || typeof value === 'boolean') named[key] = value
  }
  return named
}

export interface LoggerOptions {
  readonly level: string
  /** JSON lines for machines, or lines for people */
  readonly style: 'json' | 'readable'
  /** fields of every JSON line: which program wrote it */
  readonly program?: { readonly version: string; readonly role: string }
  readonly destination?: NodeJS.WritableStream
}

export function createLogger({ level, style, program, destination }: LoggerOptions): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  const asJson = { ...options, base: program ?? null, formatters: { level: (label: string) => ({ level: label }) } }
  const sink = destination
    ? pino(asJson, destination)
    : style === 'json'
      ? pino(asJson)
      : pino({
          ...options,
          transport: {
            target: 'pino-pretty',
            options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname', singleLine: true },
          },
        })
  const write =
    (severity: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields: LogFields | (() => LogFields) = {}) => {
      // The fields are not computed for a line that is not printed.
      if (sink.isLevelEnabled(severity))
        sink[severity](namedFields(typeof fields === 'function' ? fields() : fields), event)
    }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }
