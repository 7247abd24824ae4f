import { systemCaller } from '../../kernel/callers.ts'
import { everyMinutes, scheduled } from '../../platform/background/handlers.ts'
import { inTurns } from '../../platform/background/in-turns.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, purgeAfter } from '../../platform/background/purge-expired.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import { expireInvitations, findOrganisationsWithLapsedInvitations } from './invitations/expire-invitations.ts'
import { purgeAskedChanges } from './members/requested-changes.store.ts'
import { purgeLogos } from './profile/purge-logos.ts'

const caller = systemCaller
const origin = { requestId: 'expire-invitations', address: '', userAgent: '' }
/** organisations per statement */
const logoBatch = 1_000

/** Invitations expire by themselves; this job only emits the events. */
export const announceExpired = (runtime: Runtime, runner: Runner) =>
  scheduled('expire-invitations', everyMinutes(1), async () => {
    const failed = await inTurns(runtime, {
      problem: 'invitation.end_notify_failed',
      findAfter: (last) => runner.run(findOrganisationsWithLapsedInvitations, { caller, origin, input: last }),
      takeBatch: (owner) => runner.run(expireInvitations, { caller, origin, input: owner }),
    })
    if (failed > 0) throw new Error(`expired invitations were not announced for ${failed} organisations`)
  })

export const background: ModuleBackground = {
  jobs: (runtime, runner) => [announceExpired(runtime, runner)],
  purges: [
    purgeAfter(30 * days, 'requested changes', purgeAskedChanges),
    { name: 'logos', run: ({ db }) => purgeLogos(db, logoBatch) },
  ],
}
