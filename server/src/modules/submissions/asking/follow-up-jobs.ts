import { systemCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { callInBatches } from '../../../platform/background/call-in-batches.ts'
import { everyMinutes, handler, scheduled } from '../../../platform/background/handlers.ts'
import { inBatches } from '../../../platform/background/in-batches.ts'
import { attemptsAt } from '../../../platform/jobs/failing-items.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { askForFollowUps, askToFollowUp, findToFollowUp, followUp, followUpJob, isMoreToFollowUp } from './follow-up.ts'

const origin = { requestId: 'follow-up-submissions', address: '', userAgent: '' }

/** Every minute, whether or not callbacks arrive. */
export const followUpEverybody = (runner: Runner) =>
  scheduled('sweep-follow-ups', everyMinutes(1), async () => {
    let after: Tenant | undefined
    await inBatches(async () => {
      const asked = await runner.run(askForFollowUps, { caller: systemCaller, origin, input: after })
      after = asked.at(-1)
      return asked.length
    })
  })

/** A document that fails is recorded, and the others continue. */
export const followUpForTenant = (runtime: Runtime, runner: Runner) =>
  handler(followUpJob, async ({ organisationId, mode }) => {
    const tenant = { organisationId, mode }
    const due = await runner.run(findToFollowUp, { caller: systemCaller, origin, input: tenant })
    const attempt = await attemptsAt(runtime, 'submission.not_followed_up')
    let failed = 0
    await callInBatches(due, async (what) => {
      let goesOn = true
      const isDone = await attempt({ ...tenant, id: what.id }, async () => {
        goesOn = await runner.run(followUp, { caller: systemCaller, origin, input: { tenant, what } })
      })
      if (!isDone) failed++
      return goesOn
    })
    if (failed > 0) throw new Error(`${failed} documents could not be followed up`)
    if (isMoreToFollowUp(due)) await runner.run(askToFollowUp, { caller: systemCaller, origin, input: tenant })
  })
