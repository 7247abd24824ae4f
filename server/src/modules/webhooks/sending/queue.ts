import type { OwnQueue } from '../../../platform/background/worker.ts'
import { startDispatcher } from './dispatcher.ts'
import { fanOut } from './fan-out.ts'

const name = 'webhooks'

/** Deliveries have a queue of their own, because they are many and wait for other people's servers. */
export const webhookQueue: OwnQueue = {
  name,
  wakesWith: 'webhooks',
  connections: 4,
  start: (runtime, runner) => {
    const counts = runtime.ownQueueCounts.get(name) ?? { done: 0, failed: 0, retried: 0 }
    runtime.ownQueueCounts.set(name, counts)
    const dispatcher = startDispatcher(runtime, runner, counts)
    return { wake: () => dispatcher.wake(), stop: () => dispatcher.stop(), consumer: fanOut(dispatcher) }
  },
}
