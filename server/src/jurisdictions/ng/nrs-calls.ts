import { OutboundFailure } from '../../platform/outbound/failures.ts'
import type { Answer as HttpAnswer } from '../../platform/outbound/one-request.ts'
import type { OutboundHttp, PartyOptions } from '../../platform/outbound/outbound-http.ts'
import { type NrsFailure, readFailure, readHealth, readSuccess } from './nrs-answers.ts'
import { notProtocol, UnansweredRequest, unclear } from './unanswered.ts'

export interface NrsAccess {
  readonly outbound: OutboundHttp
  readonly baseUrl: PartyOptions['baseUrl']
  /** name in metrics, if there are several */
  readonly name?: string
  /** longest time of a request; the common limit by default */
  readonly overallMs?: number
}

export interface NrsKeys {
  readonly apiKey: string
  readonly apiSecret: string
}

export interface NrsOptions extends NrsAccess, NrsKeys {}

interface Question {
  /** default: GET without a body and POST with one */
  readonly method?: 'POST' | 'PATCH'
  readonly path: string
  /** bytes are sent unchanged */
  readonly body?: object | Buffer
  /** a public route: keys are not sent */
  readonly open?: true
  readonly mostBytes?: number
  /** uses its own connection, so that it is known whether the request left */
  readonly fresh?: true
}

/** The authority's data, or a refusal. */
export type Answer = { readonly data: unknown } | NrsFailure

export interface NrsCalls {
  readonly credentials: NrsKeys
  /** Rejects with `UnansweredRequest` if there is no clear answer. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>
  isHealthy(signal: AbortSignal): Promise<boolean>
}

/** The connections to the authority, shared by all keys. */
export function nrsWay({ outbound, baseUrl, name = 'nrs', overallMs }: NrsAccess): (credentials: NrsKeys) => NrsCalls {
  const party = outbound.party(name, { baseUrl, ...(overallMs === undefined ? {} : { overallMs }) })

  return (credentials) => {
    async function send(question: Question, signal: AbortSignal): Promise<HttpAnswer> {
      const { method, path, body, open, mostBytes, fresh } = question
      const headers = {
        accept: 'application/json',
        ...(open ? {} : { 'x-api-key': credentials.apiKey, 'x-api-secret': credentials.apiSecret }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const asked = {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        path,
        headers,
        mostBytes,
        signal,
      } as const
      const text = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      const answer = await party
        .send({ ...asked, body: text, ...(fresh ? { fresh } : {}) })
        .catch((error: unknown) => Promise.reject(unanswered(error, signal)))
      if (!meaningful.includes(answer.status)) throw oddStatus(answer.status)
      return answer
    }

    return {
      credentials,
      async ask(question, signal) {
        const { status, body } = await send(question, signal)
        return status === 400 || status === 404
          ? readFailure(status, parsed(body))
          : { data: readSuccess(parsed(body)).data }
      },
      async isHealthy(signal) {
        const { status, body } = await send({ path: '/api', open: true }, signal)
        if (status !== 200) throw oddStatus(status)
        return readHealth(parsed(body)).healthy
      },
    }
  }
}

/** Other statuses say nothing about the request. */
const meaningful: readonly number[] = [200, 201, 400, 404]

function oddStatus(status: number): UnansweredRequest {
  const why = `the authority answered ${status}`
  if (status >= 500) return unclear('server_error', why)
  if (status === 401 || status === 403) return unclear('keys_refused', why)
  return status === 429 ? unclear('too_many', why) : notProtocol(why)
}

/** Our own failures: too many waiting requests, or a request that could not be written. */
const own: readonly string[] = ['overloaded', 'unsendable', 'refused_address']

function unanswered(error: unknown, signal: AbortSignal): unknown {
  if (!(error instanceof OutboundFailure)) return error
  const { outcome, status, why: reason, mayHaveArrived } = error
  if (status !== undefined && !meaningful.includes(status)) return oddStatus(status)
  const isLate = outcome === 'given_up' || outcome.startsWith('deadline_')
  const why = isLate ? 'the authority did not answer in time' : `the authority gave no answer: ${reason}`
  // A timeout is a deadline; an abort, for example at the end of the process, is not.
  const isGivenUp = outcome === 'given_up' && (signal.reason as Error | undefined)?.name !== 'TimeoutError'
  if (!mayHaveArrived)
    return new UnansweredRequest({ kind: 'not_sent', why, countsAgainstHealth: !isGivenUp && !own.includes(outcome) })
  if (isGivenUp) return unclear('given_up', why)
  return outcome === 'too_large' ? notProtocol(why) : unclear('no_answer', why)
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw notProtocol('the authority answered no JSON')
  }
}
