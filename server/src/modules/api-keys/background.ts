import { systemCaller } from '../../kernel/callers.ts'
import { everyMinutes, scheduled } from '../../platform/background/handlers.ts'
import { inTurns } from '../../platform/background/in-turns.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import { announceEndedKeys, findOrganisationsWithEndedKeys } from './announce-ended-keys.ts'

const caller = systemCaller
const origin = { requestId: 'announce-ended-keys', address: '', userAgent: '' }

/** Keys expire by themselves; this job only emits the events. */
export const announceEnded = (runtime: Runtime, runner: Runner) =>
  scheduled('announce-ended-keys', everyMinutes(1), async () => {
    const failed = await inTurns(runtime, {
      problem: 'api_key.end_notify_failed',
      findAfter: (last) => runner.run(findOrganisationsWithEndedKeys, { caller, origin, input: last }),
      takeBatch: (owner) => runner.run(announceEndedKeys, { caller, origin, input: owner }),
    })
    if (failed > 0) throw new Error(`ended keys were not announced for ${failed} organisations`)
  })

export const background: ModuleBackground = { jobs: (runtime, runner) => [announceEnded(runtime, runner)] }
