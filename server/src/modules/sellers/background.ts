import { systemCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { consumerFor, handler } from '../../platform/background/handlers.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import type { Runner } from '../../platform/operations/runner.ts'
import { followProfile, followProfileJob } from './follow-profile.ts'
import { verifyOwnTaxNumber } from './verify-own-tax-number.ts'
import { checkSellerJob, settleSellerCheck } from './verify-seller.ts'

/** A check that was ended before is not a failure of the job. */
const unlessEnded = (error: unknown): undefined => {
  if (error instanceof Refusal && error.refusal === 'resource.not_found') return undefined
  throw error
}

const origin = { requestId: 'follow-profile', address: '', userAgent: '' }

/** Keeps an organisation's primary seller equal to its profile. */
const followOwnProfile = (runner: Runner) =>
  handler(followProfileJob, ({ organisationId }) =>
    runner.run(followProfile, { caller: systemCaller, origin, input: { organisationId } }),
  )

const checkSeller = (runner: Runner) =>
  handler(checkSellerJob, async (input) => {
    await runner
      .run(settleSellerCheck, { caller: systemCaller, origin: { ...origin, requestId: 'check-seller' }, input })
      .catch(unlessEnded)
  })

export const background: ModuleBackground = {
  jobs: (_, runner) => [followOwnProfile(runner), checkSeller(runner)],
  consumers: [consumerFor(followProfileJob)],
  exchanges: [settleSellerCheck, verifyOwnTaxNumber],
}
