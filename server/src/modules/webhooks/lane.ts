import type { OwnLane } from '../../platform/work/worker.ts'
import { fanOut } from './fan-out.ts'
import { startSender } from './sender.ts'

const name = 'webhooks'

/** Deliveries have a lane of their own: they are many, and each waits for somebody else's server. */
export const webhookLane: OwnLane = {
  name,
  wakesWith: 'webhooks',
  connections: 4,
  start: (machine, runner) => {
    const counts = machine.ownLaneCounts.get(name) ?? { done: 0, failed: 0, retried: 0 }
    machine.ownLaneCounts.set(name, counts)
    const sender = startSender(machine, runner, counts)
    return { wake: () => sender.wake(), stop: () => sender.stop(), consumer: fanOut(sender) }
  },
}
