import type { JobHandler } from '../platform/queue.ts'
import type { Machine, Runner } from '../platform/runner.ts'
import { announceEnded } from './announce-ended.ts'
import { purgeExpired } from './purge-expired.ts'
import { resealSecrets } from './reseal-secrets.ts'
import { sendMessage } from './send-message.ts'
import { settleExchanges } from './settle-exchanges.ts'

/** All background work, in one list. */
export const jobHandlers = (machine: Machine, runner: Runner): readonly JobHandler[] => [
  sendMessage(machine),
  announceEnded(runner),
  purgeExpired(machine),
  settleExchanges(runner, []),
  resealSecrets(machine),
]
