import { systemCaller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { everyMinutes, handler, scheduled } from '../../../platform/background/handlers.ts'
import { walk } from '../../../platform/background/walk.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { grantFreeCredits, grantFreeCreditsJob } from './free-credits.ts'
import { findWithoutAccount, openAccount, openAccountJob } from './open-account.ts'

const caller = systemCaller
const origin = { requestId: 'open-accounts', address: '', userAgent: '' }

export const openAccountOfNewcomer = (runner: Runner) =>
  handler(openAccountJob, async ({ organisationId }) => {
    await runner.run(openAccount, { caller, origin, input: { organisationId } })
  })

/** An organisation with a confirmed tax number may still lack the credits of the free plan. */
export const grantFreeCreditsOfBusiness = (runner: Runner) =>
  handler(grantFreeCreditsJob, async (notice) => {
    await runner.run(openAccount, { caller, origin, input: notice })
    await runner.run(grantFreeCredits, { caller, origin, input: notice })
  })

/** Finds organisations without a billing account. */
export const openMissingAccounts = (runtime: Runtime, runner: Runner) =>
  scheduled('open-missing-accounts', everyMinutes(1), async () => {
    const failed = await walk<{ readonly organisationId: OrganisationId }>(runtime, {
      problem: 'billing.account_not_opened',
      findAfter: (last) => runner.run(findWithoutAccount, { caller, origin, input: last }),
      work: (input) => runner.run(openAccount, { caller, origin, input }),
    })
    if (failed > 0) throw new Error(`${failed} billing accounts could not be opened`)
  })
