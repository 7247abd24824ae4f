import { systemCaller } from '../kernel/callers.ts'
import { followProfile, followProfileJob } from '../modules/sellers/index.ts'
import { handler } from '../platform/background/handlers.ts'
import type { Runner } from '../platform/operations/runner.ts'

const origin = { requestId: 'follow-profile', address: '', userAgent: '' }

/** Keeps an organisation's primary seller equal to its profile. */
export const followOwnProfile = (runner: Runner) =>
  handler(followProfileJob, ({ organisationId }) =>
    runner.run(followProfile, { caller: systemCaller, origin, input: { organisationId } }),
  )
