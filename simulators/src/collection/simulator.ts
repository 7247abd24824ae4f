import { type RequestRecord, readRequest, writeReply } from '../shared/http.ts'
import { listen } from '../shared/listen.ts'
import { MonnifyApi } from './monnify.ts'
import { PaystackAccountsApi } from './paystack.ts'

export interface CollectionSimulatorOptions {
  readonly monnify: { readonly apiKey: string; readonly secretKey: string; readonly contractCode: string }
  readonly paystackKey: string
  readonly now?: () => Date
}

/**
 * `down`: connections are reset, and nothing is carried out. `lost_reply`: what changes something is carried out, and its answer never
 * arrives. `nonsense`: a page of somebody in between.
 */
export type Fault = 'down' | 'lost_reply' | 'nonsense'

export interface CollectionSimulator {
  /** Monnify is below `/monnify`, Paystack below `/paystack` */
  readonly url: string
  readonly monnify: MonnifyApi
  readonly paystack: PaystackAccountsApi
  misbehave(fault: Fault | undefined): void
  /** what was sent to them, oldest first, with bodies */
  readonly requests: readonly RequestRecord[]
  close(): Promise<void>
}

const mostBytes = 64 * 1024

/** Those who keep accounts that buyers pay into, on loopback. */
export async function startCollectionSimulator(options: CollectionSimulatorOptions): Promise<CollectionSimulator> {
  const { now = () => new Date() } = options
  const monnify = new MonnifyApi({ ...options.monnify, now })
  const paystack = new PaystackAccountsApi(options.paystackKey, now)
  const requests: RequestRecord[] = []
  let fault: Fault | undefined

  const { url, close } = await listen(0, async (message, response) => {
    const request = await readRequest(message, mostBytes)
    const { method, path, body } = request
    const query = request.query.toString()
    const [, party, rest = '/'] = /^\/(monnify|paystack)(\/.*)$/.exec(path) ?? []
    const isLost = fault === 'lost_reply' && method !== 'GET' && !path.endsWith('/auth/login')
    if (fault === 'down') {
      requests.push({ method, path, query, body, status: 0 })
      response.socket?.resetAndDestroy()
      return
    }
    const answer = party === 'monnify' ? monnify.answer(request, rest) : paystack.answer(request, rest)
    const reply = fault === 'nonsense' ? { status: 200, headers: {}, body: '<html>maintenance</html>' } : answer
    requests.push({ method, path, query, body, status: isLost ? 0 : reply.status })
    if (isLost) response.socket?.resetAndDestroy()
    else writeReply(response, reply)
  })

  return {
    url,
    monnify,
    paystack,
    misbehave: (next) => {
      fault = next
    },
    requests,
    close,
  }
}
