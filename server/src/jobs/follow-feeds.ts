import { systemCaller } from '../kernel/callers.ts'
import {
  acknowledgeReceived,
  askForFeed,
  askForFeeds,
  askToReceive,
  dropArrivals,
  fetchReference,
  findArrivals,
  findOpenReferences,
  followFeedJob,
  followNewcomerJob,
  isFull,
  keepArrival,
  pollFeed,
  receiveInvoicesJob,
  welcomeReceiver,
} from '../modules/received-invoices/index.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'
import { afewAtATime } from './a-few-at-a-time.ts'

const caller = systemCaller
const origin = { requestId: 'follow-feeds', address: '', userAgent: '' }
const acting =
  (runner: Runner) =>
  <Input, Output>(operation: AnyOperation<typeof systemCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller, origin, input })

export const followFeedsJob = job<object>('follow-feeds', 'upkeep', { maxAttempts: 1 })

/** Every minute, whatever callbacks say or do not say. */
export const followEveryFeed = (runner: Runner) =>
  handler(followFeedsJob, () => acting(runner)(askForFeeds, undefined), '* * * * *')

export const followOneFeed = (runner: Runner) =>
  handler(followFeedJob, async (feed) => {
    const act = acting(runner)
    const { isRead } = await act(pollFeed, feed)
    if (!isRead) return
    const open = await act(findOpenReferences, feed)
    await afewAtATime(open, async (reference) => !(await act(fetchReference, { feed, ...reference })).isAway)
    const left = await act(findOpenReferences, feed)
    if (left.length > 0 && open.length > 0) await act(askForFeed, feed)
  })

export const followNewcomer = (runner: Runner) =>
  handler(followNewcomerJob, async ({ organisationId, mode }) => {
    if (mode !== null) await acting(runner)(welcomeReceiver, { organisationId, mode })
  })

export const receiveForTenant = (runner: Runner) =>
  handler(receiveInvoicesJob, async ({ organisationId, mode }) => {
    const act = acting(runner)
    const tenant = { organisationId, mode }
    const waiting = await act(findArrivals, tenant)
    const { feed } = waiting
    if (!feed) return await act(dropArrivals, tenant)
    const always = async (work: Promise<void>): Promise<boolean> => {
      await work
      return true
    }
    await afewAtATime(waiting.arrivals, (what) => always(act(keepArrival, { tenant, feed, what })))
    const { toAcknowledge } = await act(findArrivals, tenant)
    await afewAtATime(toAcknowledge, (what) => always(act(acknowledgeReceived, { tenant, feed, what })))
    if (isFull(waiting)) await act(askToReceive, tenant)
  })
