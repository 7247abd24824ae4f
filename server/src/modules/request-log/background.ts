import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days } from '../../platform/background/purge-expired.ts'
import { purgeRequestLog } from './purge-request-log.ts'

export const background: ModuleBackground = {
  purges: [
    {
      name: 'request log',
      run: (runtime) => purgeRequestLog(runtime, new Date(runtime.clock.now().getTime() - 7 * days)),
    },
  ],
  metrics: ({ ports }) => ports.requestLog.metrics(),
}
