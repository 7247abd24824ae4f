import { systemCaller } from '../kernel/callers.ts'
import { Refusal } from '../kernel/refusals.ts'
import {
  allocateMonth,
  chargeCard,
  chargeCardJob,
  findMonthsToAllocate,
  findSubscriptionsToStep,
  returnMoney,
  returnMoneyJob,
  stepSubscription,
} from '../modules/billing/index.ts'
import type { Logger } from '../platform/logger.ts'
import type { Machine, Runner } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'

export const runSubscriptionsJob = job<object>('run-subscriptions', 'upkeep', { maxAttempts: 1 })
const caller = systemCaller
const origin = { requestId: 'run-subscriptions', address: '', userAgent: '' }

/** Whatever is wrong with one does not hold up the others; at the end the job fails for it. */
async function each<Item extends { organisationId: string; id: string }>(
  log: Logger,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const errors: unknown[] = []
  for (const item of items)
    await work(item).catch((error: unknown) => {
      log.error('subscription.not_brought_on', { organisationId: item.organisationId, reference: item.id, error })
      errors.push(error)
    })
  return errors
}

/** Periods end, attempts fall due, months begin: whatever time has called for since the last time. */
export const runSubscriptions = ({ log }: Machine, runner: Runner) =>
  handler(
    runSubscriptionsJob,
    async () => {
      const nothing = { caller, origin, input: undefined }
      const errors = [
        ...(await each(log, await runner.run(findSubscriptionsToStep, nothing), (input) =>
          runner.run(stepSubscription, { caller, origin, input }),
        )),
        ...(await each(log, await runner.run(findMonthsToAllocate, nothing), (input) =>
          runner.run(allocateMonth, { caller, origin, input }),
        )),
      ]
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} subscriptions could not be brought on`)
    },
    '* * * * *',
  )

/** A payment that nobody waits for any more is no failure of the job. */
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
