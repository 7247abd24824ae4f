import { deliverMessage, sendMessageJob } from '../modules/messages/index.ts'
import { handler } from '../platform/background/handlers.ts'
import type { Runtime } from '../platform/operations/runner.ts'

export const sendMessage = ({ db, vault, ports, clock }: Runtime) =>
  handler(sendMessageJob, ({ messageId }) =>
    deliverMessage({ db, vault, clock, carrier: ports.messageCarrier }, messageId),
  )
