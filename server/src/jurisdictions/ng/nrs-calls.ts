import { AuthorityUnavailable } from '../port.ts'
import { type Refused, readFailure, readHealth, readSuccess } from './nrs-answers.ts'

export interface NrsOptions {
  /** a fixed address, or one that is asked for at every call: that of a simulator is known only when it listens */
  readonly baseUrl: string | (() => string)
  readonly apiKey: string
  readonly apiSecret: string
}

interface Question {
  readonly path: string
  readonly body?: object
  /** a public one: the keys are not sent where nobody asks for them */
  readonly open?: true
  readonly mostBytes?: number
}

/** What the authority gave, or that it said no. */
export type Answer = { readonly data: unknown } | Refused

export interface NrsCalls {
  ask(question: Question, signal: AbortSignal): Promise<Answer>
  isHealthy(signal: AbortSignal): Promise<boolean>
}

const usualBytes = 256 * 1024

/** One request and its answer each. Whatever is neither data nor a refusal in the authority's own form is no answer. */
export function nrsCalls({ baseUrl, apiKey, apiSecret }: NrsOptions): NrsCalls {
  const fetched = ({ path, body, open, mostBytes = usualBytes }: Question, signal: AbortSignal): Promise<Fetched> => {
    const address = typeof baseUrl === 'string' ? baseUrl : baseUrl()
    const init: RequestInit = {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(open ? {} : { 'x-api-key': apiKey, 'x-api-secret': apiSecret }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    }
    return fetchOnce(`${address.replace(/\/+$/, '')}${path}`, init, mostBytes)
  }
  return {
    async ask(question, signal) {
      const { status, text } = await fetched(question, signal)
      return status === 400 || status === 404
        ? readFailure(status, parsed(text))
        : { data: readSuccess(parsed(text)).data }
    },
    async isHealthy(signal) {
      const { status, text } = await fetched({ path: '/api', open: true }, signal)
      if (status !== 200) throw new AuthorityUnavailable(`the authority answered ${status}`)
      return readHealth(parsed(text)).healthy
    },
  }
}

interface Fetched {
  readonly status: number
  readonly text: string
}

/** The others say nothing about the question, so their bodies are not waited for. */
const telling: readonly number[] = [200, 201, 400, 404]

/**
 * Asks once: no redirect is followed, for it would take the keys elsewhere, and no more is read than an answer can need.
 * The errors are our own, without a cause: those of `fetch` may quote the headers, and the keys are in them.
 */
async function fetchOnce(url: string, init: RequestInit, mostBytes: number): Promise<Fetched> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error' })
    const { status } = response
    if (!telling.includes(status)) {
      // Not waited for: the connection may be as broken as its owner.
      response.body?.cancel().catch(() => undefined)
      throw new AuthorityUnavailable(`the authority answered ${status}`)
    }
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > mostBytes) throw new AuthorityUnavailable('the authority answered more than anybody could need')
      chunks.push(chunk)
    }
    return { status, text: Buffer.concat(chunks).toString() }
  } catch (error) {
    if (error instanceof AuthorityUnavailable) throw error
    if (init.signal?.aborted) throw new AuthorityUnavailable('the authority did not answer in time')
    throw new AuthorityUnavailable(`the authority gave no answer${codeOf(error)}`)
  }
}

function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' && /^\w+$/.test(cause.code) ? ` (${cause.code})` : ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AuthorityUnavailable('the authority answered no JSON')
  }
}
