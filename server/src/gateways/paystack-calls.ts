import { ProviderRefusal } from '../modules/billing/index.ts'
import type { Party } from '../platform/outbound/outbound-http.ts'
import { readNo, readYes } from './paystack-answers.ts'
import { parsed, withoutSecrets } from './provider-answers.ts'

/** With Paystack's own code for why, where it gives one. */
export class PaystackRefusal extends ProviderRefusal {
  readonly code: string | undefined
  readonly status: number

  constructor(message: string, code: string | undefined, status: number) {
    super(message)
    this.code = code
    this.status = status
  }
}

export type Ask = <T>(
  request: {
    readonly path: string
    readonly method?: 'DELETE'
    readonly body?: object
    /** statuses that judge this request, although they are usually about our key or our pace */
    readonly refusalAt?: readonly number[]
  },
  /** `meta` says which part of a list it is */
  read: (data: unknown, meta: unknown) => T,
  signal: AbortSignal,
) => Promise<T>

/** One request and its answer. A refusal is thrown only where Paystack itself said that our request is at fault. */
export function paystackCalls(secretKey: string, party: Party): Ask {
  return async ({ path, method, body, refusalAt = [] }, read, signal) => {
    const asked = party.send({
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      path,
      headers: {
        authorization: `Bearer ${secretKey}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      signal,
    })
    const answer = await asked.catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
    const told = parsed(answer.body.toString())
    if (answer.status === 200 || answer.status === 201) {
      const { data, meta } = readYes(told)
      return read(data, meta)
    }
    throw refusalOf(answer.status, told, secretKey, refusalAt)
  }
}

/** About our key, our pace or Paystack's own trouble: nobody's request was judged. */
const notJudged: readonly number[] = [401, 403, 408, 429]

function refusalOf(status: number, told: unknown, secretKey: string, refusalAt: readonly number[]): Error {
  const isNotJudged = notJudged.includes(status) && !refusalAt.includes(status)
  if (status < 400 || status >= 500 || isNotJudged) return new Error(`Paystack answered ${status}`)
  const { message, code } = readNo(told)
  // Its documentation shows this one as a 400.
  if (/^invalid key/i.test(message)) return new Error('Paystack does not accept our key')
  return new PaystackRefusal(withoutSecrets(message, secretKey), code ?? undefined, status)
}
