import { systemCaller } from '../kernel/callers.ts'
import { announceEndedKeys, findOrganisationsWithEndedKeys } from '../modules/api-keys/index.ts'
import { expireInvitations, findOrganisationsWithLapsedInvitations } from '../modules/organisations/index.ts'
import { everyMinutes, scheduled } from '../platform/background/handlers.ts'
import type { Runner, Runtime } from '../platform/operations/runner.ts'
import { inTurns } from './in-turns.ts'

const caller = systemCaller
const origin = { requestId: 'announce-ended', address: '', userAgent: '' }

const sweeps = [
  { problem: 'api_key.end_notify_failed', find: findOrganisationsWithEndedKeys, tell: announceEndedKeys },
  { problem: 'invitation.end_notify_failed', find: findOrganisationsWithLapsedInvitations, tell: expireInvitations },
]

/** Keys and invitations expire by themselves; this job only emits the events. */
export const announceEnded = (runtime: Runtime, runner: Runner) =>
  scheduled('announce-ended', everyMinutes(1), async () => {
    let failed = 0
    for (const { problem, find, tell } of sweeps)
      failed += await inTurns(runtime, {
        problem,
        findAfter: (last) => runner.run(find, { caller, origin, input: last }),
        takeBatch: (owner) => runner.run(tell, { caller, origin, input: owner }),
      })
    if (failed > 0) throw new Error(`what ended was not told for ${failed} organisations`)
  })
