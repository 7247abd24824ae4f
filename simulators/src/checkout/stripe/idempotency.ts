import { createHash } from 'node:crypto'
import type { Reply, Request } from '../../shared/http.ts'
import type { Store } from '../../shared/json-store.ts'
import type { State } from '../state.ts'
import { StripeError } from './errors.ts'

/** Runs the request once for each `Idempotency-Key`; repetitions get the same answer again. */
export function onceForKey(store: Store<State>, request: Request, run: () => Reply): Reply {
  const key = request.headers['idempotency-key']
  if (request.method !== 'POST' || typeof key !== 'string') return run()
  const fingerprint = createHash('sha256').update(`${request.path}\n${request.body}`).digest('hex')
  const kept = store.state.replies[key]
  if (kept !== undefined) {
    if (kept.fingerprint !== fingerprint)
      throw new StripeError(
        400,
        'Keys for idempotent requests can only be used with the parameters of the first one.',
        {
          type: 'idempotency_error',
        },
      )
    const headers = { 'content-type': 'application/json; charset=utf-8', 'idempotent-replayed': 'true' }
    return { status: kept.status, headers, body: kept.body }
  }
  const reply = run()
  // what was refused before anything was done may be asked again with better parameters
  if (reply.status === 200 || reply.status === 402) {
    store.state.replies[key] = { fingerprint, status: reply.status, body: reply.body }
    store.save()
  }
  return reply
}
