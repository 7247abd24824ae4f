import { handler } from '../../platform/background/handlers.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, purgeAfter } from '../../platform/background/purge-expired.ts'
import type { Runtime } from '../../platform/operations/runner.ts'
import { purgeMailbox, purgeMessages } from './messages.store.ts'
import { messageSealedColumns } from './sealed-columns.ts'
import { deliverMessage, sendMessageJob } from './send-message.ts'

const sendMessage = ({ db, vault, ports, clock }: Runtime) =>
  handler(sendMessageJob, ({ messageId }) =>
    deliverMessage({ db, vault, clock, carrier: ports.messageCarrier }, messageId),
  )

export const background: ModuleBackground = {
  jobs: (runtime) => [sendMessage(runtime)],
  purges: [purgeAfter(90 * days, 'messages', purgeMessages), purgeAfter(90 * days, 'mailbox', purgeMailbox)],
  sealedColumns: messageSealedColumns,
}
