import { checkoutPort } from '../modules/billing/index.ts'
import type { Party } from '../platform/outbound/outbound-http.ts'
import { readNo, readYes } from './paystack-answers.ts'
import { parsed, withoutSecrets } from './provider-answers.ts'

/** Carries Paystack's own reason code, if any. */
export class PaystackRefusal extends checkoutPort.ProviderRefusal {
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
    /** Statuses that judge this request, although they usually concern our key or our rate. */
    readonly refusalAt?: readonly number[]
  },
  /** `meta` has the paging of a list. */
  read: (data: unknown, meta: unknown) => T,
  signal: AbortSignal,
) => Promise<T>

/** Sends one request. Throws a refusal only if Paystack itself judged the request. */
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
    const reply = parsed(answer.body.toString())
    if (answer.status === 200 || answer.status === 201) {
      const { data, meta } = readYes(reply)
      return read(data, meta)
    }
    throw refusalOf(answer.status, reply, secretKey, refusalAt)
  }
}

/** Statuses about our key, our rate or Paystack's own trouble: the request itself was not judged. */
const notJudged: readonly number[] = [401, 403, 408, 429]

function refusalOf(status: number, reply: unknown, secretKey: string, refusalAt: readonly number[]): Error {
  const isNotJudged = notJudged.includes(status) && !refusalAt.includes(status)
  if (status < 400 || status >= 500 || isNotJudged) return new Error(`Paystack answered ${status}`)
  const { message, code } = readNo(reply)
  // Paystack's documentation shows this error with status 400.
  if (/^invalid key/i.test(message)) return new Error('Paystack does not accept our key')
  return new PaystackRefusal(withoutSecrets(message, secretKey), code ?? undefined, status)
}
