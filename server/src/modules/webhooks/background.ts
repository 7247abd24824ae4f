import { systemCaller } from '../../kernel/callers.ts'
import { handler } from '../../platform/background/handlers.ts'
import { inBatches } from '../../platform/background/in-batches.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days } from '../../platform/background/purge-expired.ts'
import type { OwnQueue } from '../../platform/background/worker.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import { purgeDeliveries } from './deliveries/purge-deliveries.ts'
import { redeliverFurther } from './deliveries/redeliver-failed.ts'
import { redeliverFailedJob } from './deliveries/redeliver-failed-job.ts'
import { replayMissed } from './deliveries/replay-missed.ts'
import { stopDeliveriesJob } from './endpoints/disable-endpoint.ts'
import { replayMissedJob } from './endpoints/replay-missed-job.ts'
import { webhookSealedColumns } from './endpoints/sealed-columns.ts'
import { stopOpenDeliveries } from './endpoints/stopping.store.ts'
import { startDispatcher } from './sending/dispatcher.ts'
import { fanOut } from './sending/fan-out.ts'
import { queueMetrics } from './sending/queue-metrics.ts'

const atATime = 500
const origin = { requestId: 'replay-missed', address: '', userAgent: '' }

/** Ends waiting deliveries of an endpoint that was disabled or deleted. */
const stopDeliveries = ({ db, clock }: Runtime) =>
  handler(stopDeliveriesJob, async ({ organisationId, mode, endpointId }) => {
    await inBatches(() => stopOpenDeliveries(db, { organisationId, mode }, endpointId, atATime, clock.now()))
  })

/** Delivers the events of the time in which an endpoint was disabled. */
const replayMissedEvents = (runner: Runner) =>
  handler(replayMissedJob, async (missed) => {
    await runner.run(replayMissed, { caller: systemCaller, origin, input: missed })
  })

/** Sends the remaining failed deliveries of an endpoint again. */
const redeliverFailedOnes = (runner: Runner) =>
  handler(redeliverFailedJob, async (failed) => {
    await runner.run(redeliverFurther, {
      caller: systemCaller,
      origin: { ...origin, requestId: 'redeliver-failed' },
      input: failed,
    })
  })

/** Deliveries have a queue of their own, because they are many and wait for other people's servers. */
export const webhookQueue: OwnQueue = {
  name: 'webhooks',
  wakesWith: 'webhooks',
  connections: 4,
  start: (runtime, runner, counts) => {
    const dispatcher = startDispatcher(runtime, runner, counts)
    return { ...dispatcher, consumer: fanOut(dispatcher) }
  },
}

export const background: ModuleBackground = {
  jobs: (runtime, runner) => [stopDeliveries(runtime), replayMissedEvents(runner), redeliverFailedOnes(runner)],
  queues: [webhookQueue],
  purges: [
    {
      name: 'webhook deliveries',
      run: ({ db, clock }) => purgeDeliveries(db, new Date(clock.now().getTime() - 31 * days)),
    },
  ],
  metrics: ({ db }) => queueMetrics(db),
  sealedColumns: webhookSealedColumns,
}
