import { systemCaller } from '../../../kernel/callers.ts'
import { Refusal } from '../../../kernel/refusals.ts'
import { everyMinutes, handler, scheduled } from '../../../platform/background/handlers.ts'
import { walk } from '../../../platform/background/walk.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { returnMoney, returnMoneyJob } from '../payments/return-money.ts'
import { allocateMonth, findMonthsToAllocate } from '../subscriptions/allocate.ts'
import { chargeCardJob, findSubscriptionsToStep, stepSubscription } from '../subscriptions/step-subscription.ts'
import type { DueSubscription } from '../subscriptions/subscriptions.store.ts'
import { chargeCard } from './charge-card.ts'

const caller = systemCaller
const origin = { requestId: 'run-subscriptions', address: '', userAgent: '' }

/** Ends periods, makes due payment attempts and allocates monthly credits since the last run. */
export const runSubscriptions = (runtime: Runtime, runner: Runner) =>
  scheduled('run-subscriptions', everyMinutes(1), async () => {
    const problem = 'subscription.not_brought_on'
    const failed =
      (await walk<DueSubscription>(runtime, {
        problem,
        findAfter: (last) => runner.run(findSubscriptionsToStep, { caller, origin, input: last }),
        work: (input) => runner.run(stepSubscription, { caller, origin, input }),
      })) +
      (await walk<DueSubscription>(runtime, {
        problem: 'subscription.month_not_allocated',
        findAfter: (last) => runner.run(findMonthsToAllocate, { caller, origin, input: last }),
        work: (input) => runner.run(allocateMonth, { caller, origin, input }),
      }))
    if (failed > 0) throw new Error(`${failed} subscriptions could not be brought on`)
  })

/** A payment that is no longer awaited is not a failure of the job. */
const unlessUnwanted = (error: unknown): undefined => {
  if (error instanceof Refusal && error.refusal === 'resource.not_found') return undefined
  throw error
}

export const chargeKeptCard = (runner: Runner) =>
  handler(chargeCardJob, async (input) => {
    const charged = await runner.run(chargeCard, { caller, origin, input }).catch(unlessUnwanted)
    if (charged && !charged.answered) throw new Error('the provider did not answer')
  })

export const giveMoneyBack = (runner: Runner) =>
  handler(returnMoneyJob, async (input) => {
    const given = await runner.run(returnMoney, { caller, origin, input }).catch(unlessUnwanted)
    if (given && !given.returned) throw new Error('the provider did not answer')
  })
