import type { OwnLane } from '../../platform/work/worker.ts'
import { fanOut } from './fan-out.ts'
import { startSender } from './sender.ts'

/** Deliveries have a lane of their own: they are many, and each waits for somebody else's server. */
export const webhookLane: OwnLane = {
  name: 'webhooks',
  wakesWith: 'webhooks',
  connections: 4,
  start: (machine, runner) => {
    const sender = startSender(machine, runner)
    return { wake: () => sender.wake(), stop: () => sender.stop(), consumer: fanOut(sender) }
  },
}
