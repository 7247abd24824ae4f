import { deliverMessage, sendMessageJob } from '../modules/messages/index.ts'
import type { Machine } from '../platform/operations/runner.ts'
import { handler } from '../platform/work/jobs.ts'

export const sendMessage = ({ db, vault, ports, clock }: Machine) =>
  handler(sendMessageJob, ({ messageId }) =>
    deliverMessage({ db, vault, clock, carrier: ports.messageCarrier }, messageId),
  )
