import type { UserCaller } from '../kernel/callers.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointId,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
  usualPlan,
} from '../modules/webhooks/index.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

const once = { ...usualPlan, maxAttempts: 1 }
const patient = { ...usualPlan, maxAttempts: 10, initialDelayMs: 900_000 }
const hasty = { ...usualPlan, maxAttempts: 2, timeoutMs: 1_000 }

/**
 * Endpoints in every state they can be in, at the playground's own receiver. They are made before the rest of the demo, so that it is told
 * to them; what is then given back brings the last of them where they belong.
 */
export async function seedWebhooks(
  runner: Runner,
  owner: UserCaller,
  receiverUrl: string,
): Promise<() => Promise<void>> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })

  type New = Parameters<typeof createEndpoint.prepare>[1]
  const make = async (path: string, description: string, more: Pick<New, 'dialect' | 'patterns'> & Partial<New>) => {
    const { id } = await act(createEndpoint, { url: `${receiverUrl}${path}`, description, plan: null, ...more })
    return id
  }
  await make('/orders', 'Order book', { dialect: 'a', patterns: ['invoice.*', 'buyer.*'] })
  await make('/stock', 'Stock keeping', { dialect: 'b', patterns: ['*'], plan: { ...usualPlan, maxAttempts: 5 } })
  const rotating = await make('/ledger', 'Accounting, its secret being changed', { dialect: 'a', patterns: ['*'] })
  await make('/refuses/for-now', 'A shop that is down: attempts wait', {
    dialect: 'b',
    patterns: ['buyer.created'],
    plan: patient,
  })
  await make('/refuses/too-often', 'Down for so long that it was disabled', {
    dialect: 'a',
    patterns: ['*'],
    plan: once,
  })
  await make('/asleep', 'Never answers in time', { dialect: 'b', patterns: ['invoice.created'], plan: hasty })
  await make('/gone', 'Says that it is gone', { dialect: 'a', patterns: ['invoice.created'] })
  const paused = await make('/paused', 'Switched off by hand', { dialect: 'a', patterns: ['invoice.*'] })
  const former = await make('/former', 'Deleted; its log stays', { dialect: 'a', patterns: ['buyer.*'] })
  await act(rotateSecret, { id: rotating, overlapSeconds: 604_800 })
  const ping = (id: EndpointId) => act(testEndpoint, { id })
  await ping(rotating)

  return async () => {
    await ping(paused)
    await act(updateEndpoint, { id: paused, edit: { enabled: false } })
    await act(deleteEndpoint, { id: former })
  }
}
