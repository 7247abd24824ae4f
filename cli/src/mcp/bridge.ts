import { setTimeout as pauseFor } from 'node:timers/promises'
import { boundedFetch } from '../bounded-fetch.ts'
import { linesIn } from './lines.ts'

/** The credential of a request, and how to get a new one after a 401. */
export interface Bearer {
  token(): string | Promise<string>
  renew?(): Promise<boolean>
}

export interface BridgeOptions {
  /** address of `/mcp` */
  readonly url: string
  readonly bearer: Bearer
  readonly input: AsyncIterable<string>
  /** writes one message of the protocol */
  write(line: string): void
  readonly signal: AbortSignal
  readonly times?: BridgeTimes
}

export interface BridgeTimes {
  /** how long one call may take */
  readonly callMs: number
  /** pause before a call that got no answer is sent again */
  readonly pauseMs: number
}

const usualTimes: BridgeTimes = { callMs: 120_000, pauseMs: 500 }

/** What the service takes in one request. */
const longestLine = 2 * 1024 * 1024
const mostAtOnce = 16
const mostTries = 3

type Id = string | number | null
interface Message {
  readonly id?: Id
  readonly method?: unknown
  readonly params?: Readonly<Record<string, unknown>>
}

/** Of JSON-RPC: the text is no JSON; the message is none; and the first code that a server may use as it likes. */
const codes = { notJson: -32_700, notAMessage: -32_600, failed: -32_000 }
const failure = (id: Id, code: number, message: string, data?: unknown) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data },
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The field that the header `Mcp-Name` repeats. */
const named: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** A header has printable ASCII only, so any other text is written as Base64. */
const headerText = (text: string): string =>
  /^[!-~]([ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`

/**
 * Carries messages of the Model Context Protocol between two streams and the service. It knows nothing of the tools: every rule is on the
 * server. Ends with the input, after the last answer.
 */
export async function bridge(options: BridgeOptions): Promise<void> {
  const { input, write, signal } = options
  const exchange = new Exchange(options)
  const running = new Set<Promise<void>>()
  for await (const line of linesIn(input, longestLine)) {
    if ('isTooLong' in line) {
      write(JSON.stringify(failure(null, codes.notAMessage, `A message has at most ${longestLine} characters.`)))
      continue
    }
    if (line.text.trim() === '') continue
    const work = exchange.take(line.text).finally(() => running.delete(work))
    running.add(work)
    // While too many calls wait, the client waits too: its messages stay in the stream.
    if (running.size >= mostAtOnce) await Promise.race(running)
  }
  await Promise.all(running)
  signal.throwIfAborted()
}

class Exchange {
  readonly #options: BridgeOptions
  readonly #times: BridgeTimes
  readonly #calls = new Map<unknown, AbortController>()
  /** the version that `initialize` agreed on; later versions are in each message */
  #version: string | undefined

  constructor(options: BridgeOptions) {
    this.#options = options
    this.#times = options.times ?? usualTimes
  }

  async take(text: string): Promise<void> {
    const { write } = this.#options
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      return write(JSON.stringify(failure(null, codes.notJson, 'The line is not JSON.')))
    }
    if (!isRecord(message)) {
      const fault = 'Send one message as an object in each line.'
      return write(JSON.stringify(failure(null, codes.notAMessage, fault)))
    }
    const { id, method, params } = message as Message
    // Over HTTP, a call is cancelled by closing its connection.
    if (method === 'notifications/cancelled') return this.#calls.get(params?.requestId)?.abort()
    if (id === undefined || typeof method !== 'string') {
      // Nobody waits for an answer to a notification.
      await this.#send(text, message, this.#options.signal).catch(() => undefined)
      return
    }
    const cancelling = new AbortController()
    this.#calls.set(id, cancelling)
    try {
      for (const answer of await this.#answers(text, message, id, cancelling.signal))
        if (!cancelling.signal.aborted) write(JSON.stringify(answer))
    } finally {
      if (this.#calls.get(id) === cancelling) this.#calls.delete(id)
    }
  }

  async #answers(text: string, message: Message, id: Id, cancelled: AbortSignal): Promise<readonly object[]> {
    const { signal } = this.#options
    try {
      const response = await this.#sendUntilAnswered(text, message, AbortSignal.any([signal, cancelled]))
      const answers = messagesIn(response).map((answer) => (answer.id == null ? { ...answer, id } : answer))
      if (answers.length === 0) return [refused(id, response)]
      const [{ result }] = answers as [Record<string, unknown>]
      if (message.method === 'initialize' && isRecord(result) && typeof result.protocolVersion === 'string')
        this.#version = result.protocolVersion
      return answers
    } catch (error) {
      if (signal.aborted || cancelled.aborted) return []
      return [failure(id, codes.failed, wordsFor(error))]
    }
  }

  /**
   * Sends again what got no answer, such as over a connection that broke while the machine slept. Nothing happens twice: preparing changes
   * nothing, and a confirmation counts once.
   */
  async #sendUntilAnswered(text: string, message: Message, signal: AbortSignal): Promise<Answer> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(this.#times.callMs)])
    for (let tries = 1; ; tries++)
      try {
        return await this.#send(text, message, within)
      } catch (error) {
        if (!(error instanceof TypeError) || tries >= mostTries || within.aborted) throw error
        await pauseFor(this.#times.pauseMs, undefined, { signal: within })
      }
  }

  async #send(text: string, message: Message, signal: AbortSignal): Promise<Answer> {
    const { bearer } = this.#options
    const answer = await this.#sendOnce(text, message, signal)
    if (answer.status !== 401 || !(await bearer.renew?.())) return answer
    return await this.#sendOnce(text, message, signal)
  }

  async #sendOnce(text: string, message: Message, signal: AbortSignal): Promise<Answer> {
    const { url, bearer } = this.#options
    const headers = { ...this.#headersOf(message), authorization: `Bearer ${await bearer.token()}` }
    // The text passes as it is, so numbers keep their digits.
    const response = await boundedFetch(url, { method: 'POST', headers, body: text, signal })
    const type = response.headers.get('content-type') ?? ''
    return { status: response.status, isStream: type.startsWith('text/event-stream'), text: await response.text() }
  }

  #headersOf({ method, params }: Message): Record<string, string> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'user-agent': 'risiti-cli/1.0.0 mcp',
    }
    const meta = params?._meta
    const own = isRecord(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined
    if (typeof own !== 'string' || typeof method !== 'string') {
      if (this.#version !== undefined && method !== 'initialize') headers['mcp-protocol-version'] = this.#version
      return headers
    }
    headers['mcp-protocol-version'] = headerText(own)
    headers['mcp-method'] = headerText(method)
    const name = Object.hasOwn(named, method) ? params?.[named[method] as string] : undefined
    if (typeof name === 'string') headers['mcp-name'] = headerText(name)
    return headers
  }
}

interface Answer {
  readonly status: number
  readonly isStream: boolean
  readonly text: string
}

/** The messages of an answer; none if it is no answer of the protocol, such as a refused token. */
function messagesIn({ isStream, text }: Answer): Record<string, unknown>[] {
  const texts = isStream ? text.split(/\r?\n\r?\n/).map(dataOf) : [text]
  return texts.flatMap((one) => {
    const parsed = jsonIn(one)
    return isRecord(parsed) && parsed.jsonrpc === '2.0' ? [parsed] : []
  })
}

const dataOf = (event: string): string =>
  event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n')

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A refusal of the service as an error of the protocol. */
function refused(id: Id, { status, text }: Answer): object {
  const parsed = jsonIn(text)
  const error = isRecord(parsed) && isRecord(parsed.error) ? parsed.error : {}
  const message = typeof error.message === 'string' ? error.message : `The service replied with status ${status}.`
  const advice = status === 401 ? ' Sign in again with `risiti login`, then restart this program.' : ''
  return failure(id, codes.failed, `${message}${advice}`, { status, ...error })
}

function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError')
    return 'The service did not answer in time. Repeat the call: nothing happens twice.'
  // `fetch` hides what went wrong in its cause.
  if (error instanceof TypeError) {
    const { cause } = error
    const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : error.message
    return `The service cannot be reached (${reason}). Repeat the call: nothing happens twice.`
  }
  return error.message
}
