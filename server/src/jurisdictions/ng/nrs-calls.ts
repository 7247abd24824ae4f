import {
  type Answer as HttpAnswer,
  OutboundFailure,
  type OutboundHttp,
  type PartyOptions,
} from '../../platform/outbound/outbound-http.ts'
import { AuthorityUnavailable } from '../port.ts'
import { type Refused, readFailure, readHealth, readSuccess } from './nrs-answers.ts'

export interface NrsOptions {
  readonly outbound: OutboundHttp
  readonly baseUrl: PartyOptions['baseUrl']
  readonly apiKey: string
  readonly apiSecret: string
  /** how metrics call it, where there are several */
  readonly name?: string
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

/** One request and its answer each. Whatever is neither data nor a refusal in the authority's own form is no answer. */
export function nrsCalls({ outbound, baseUrl, apiKey, apiSecret, name = 'nrs' }: NrsOptions): NrsCalls {
  const party = outbound.party(name, { baseUrl })

  async function told({ path, body, open, mostBytes }: Question, signal: AbortSignal): Promise<HttpAnswer> {
    const headers = {
      accept: 'application/json',
      ...(open ? {} : { 'x-api-key': apiKey, 'x-api-secret': apiSecret }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const asked = { method: body === undefined ? 'GET' : 'POST', path, headers, mostBytes, signal } as const
    const answer = await party
      .send({ ...asked, body: body && JSON.stringify(body) })
      .catch((error: unknown) => Promise.reject(unavailable(error)))
    if (!telling.includes(answer.status)) throw new AuthorityUnavailable(`the authority answered ${answer.status}`)
    return answer
  }

  return {
    async ask(question, signal) {
      const { status, body } = await told(question, signal)
      return status === 400 || status === 404
        ? readFailure(status, parsed(body))
        : { data: readSuccess(parsed(body)).data }
    },
    async isHealthy(signal) {
      const { status, body } = await told({ path: '/api', open: true }, signal)
      if (status !== 200) throw new AuthorityUnavailable(`the authority answered ${status}`)
      return readHealth(parsed(body)).healthy
    },
  }
}

/** The others say nothing about the question. */
const telling: readonly number[] = [200, 201, 400, 404]

function unavailable(error: unknown): unknown {
  if (!(error instanceof OutboundFailure)) return error
  const { outcome, status, why } = error
  if (status !== undefined && !telling.includes(status))
    return new AuthorityUnavailable(`the authority answered ${status}`)
  if (outcome === 'given_up' || outcome.startsWith('deadline_'))
    return new AuthorityUnavailable('the authority did not answer in time')
  return new AuthorityUnavailable(`the authority gave no answer: ${why}`)
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new AuthorityUnavailable('the authority answered no JSON')
  }
}
