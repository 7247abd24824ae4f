import { deliverMessage, sendMessageJob } from '../modules/messages/index.ts'
import { handler } from '../platform/queue.ts'
import type { Machine } from '../platform/runner.ts'

export const sendMessage = ({ db, vault, ports, clock }: Machine) =>
  handler(sendMessageJob, ({ messageId }) =>
    deliverMessage({ db, vault, clock, carrier: ports.messageCarrier }, messageId),
  )
