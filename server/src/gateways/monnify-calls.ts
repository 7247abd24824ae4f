import { collectionPort } from '../modules/collection/index.ts'
import type { Answer } from '../platform/outbound/one-request.ts'
import type { Party } from '../platform/outbound/outbound-http.ts'
import { readEnvelope, readToken } from './monnify-answers.ts'
import { parsed, withoutSecrets } from './provider-answers.ts'

/** Carries the HTTP status, because some refusals only mean "not found". */
export class MonnifyRefusal extends collectionPort.CollectionRefusal {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface MonnifyKeys {
  readonly apiKey: string
  readonly secretKey: string
}

export type Ask = <T>(
  request: {
    readonly path: string
    readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
    readonly body?: object
    readonly mostBytes?: number
    /** Statuses that judge this request, although they usually concern our keys or our rate. */
    readonly refusalAt?: readonly number[]
  },
  read: (body: unknown) => T,
  signal: AbortSignal,
) => Promise<T>

/** A token is not used in its last minute: the request may arrive after the token ended. */
const tokenRestMs = 60_000
const loginMs = 8_000
/** Statuses about our keys, our rate or Monnify's own trouble: the request itself was not judged. */
const notJudged: readonly number[] = [401, 403, 408, 429]

/** Sends a request with a token. Concurrent calls share one token and one request for it. */
export function monnifyCalls({ apiKey, secretKey }: MonnifyKeys, party: Party): Ask {
  let token: { readonly text: string; readonly endsAt: number } | undefined
  let loggingIn: Promise<string> | undefined

  async function login(): Promise<string> {
    const answer = await party.send({
      method: 'POST',
      path: '/api/v1/auth/login',
      headers: {
        authorization: `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: '{}',
      signal: AbortSignal.timeout(loginMs),
    })
    // Without a token nothing was requested, so this is never a refusal.
    if (answer.status !== 200) throw new Error(`Monnify answered ${answer.status} to our keys`)
    const envelope = readEnvelope(parsed(answer.body.toString()))
    if (!envelope.requestSuccessful) throw new Error('Monnify does not accept our keys')
    const { accessToken, expiresIn } = readToken(envelope.responseBody)
    token = { text: accessToken, endsAt: performance.now() + expiresIn * 1000 - tokenRestMs }
    return accessToken
  }

  /** Concurrent callers wait for the same token. */
  function ownToken(): Promise<string> {
    if (token && performance.now() < token.endsAt) return Promise.resolve(token.text)
    loggingIn ??= login().finally(() => {
      loggingIn = undefined
    })
    return loggingIn
  }

  async function send({ path, method, body, mostBytes }: Parameters<Ask>[0], signal: AbortSignal): Promise<Answer> {
    const text = await ownToken()
    signal.throwIfAborted()
    const answer = await party
      .send({
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        path,
        headers: {
          authorization: `Bearer ${text}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
        mostBytes,
        signal,
      })
      .catch((error: unknown) => {
        signal.throwIfAborted()
        throw error
      })
    if (answer.status === 401 && token?.text === text) token = undefined
    return answer
  }

  const messageIn = (body: unknown): string | null => {
    try {
      return readEnvelope(body).responseMessage ?? null
    } catch {
      return null
    }
  }

  return async (request, read, signal) => {
    let answer = await send(request, signal)
    // Monnify may end a token early. A 401 changed nothing, so a retry is safe.
    if (answer.status === 401) answer = await send(request, signal)
    const reply = parsed(answer.body.toString())
    if (answer.status === 200 || answer.status === 201) {
      const { requestSuccessful, responseBody, responseMessage } = readEnvelope(reply)
      if (requestSuccessful) return read(responseBody)
      throw refusal(422, responseMessage)
    }
    if (request.refusalAt?.includes(answer.status)) throw refusal(answer.status, messageIn(reply))
    if (answer.status < 400 || answer.status >= 500 || notJudged.includes(answer.status))
      throw new Error(`Monnify answered ${answer.status}`)
    const { requestSuccessful, responseMessage } = readEnvelope(reply)
    if (requestSuccessful) throw new Error(`Monnify answered ${answer.status}, and that it worked`)
    throw refusal(answer.status, responseMessage)
  }

  function refusal(status: number, message: string | null | undefined): MonnifyRefusal {
    return new MonnifyRefusal(status, withoutSecrets(message || 'it gave no reason', apiKey, secretKey))
  }
}
