import { systemCaller } from '../../kernel/callers.ts'
import { handler } from '../../platform/background/handlers.ts'
import { inBatches } from '../../platform/background/in-batches.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days } from '../../platform/background/purge-expired.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import { purgeDeliveries } from './deliveries/purge-deliveries.ts'
import { redeliverFurther } from './deliveries/redeliver-failed.ts'
import { redeliverFailedJob } from './deliveries/redeliver-failed-job.ts'
import { replayMissed } from './deliveries/replay-missed.ts'
import { replayMissedJob, stopDeliveriesJob } from './endpoints/endpoint-jobs.ts'
import { webhookSealedColumns } from './endpoints/sealed-columns.ts'
import { stopOpenDeliveries } from './endpoints/stopping.store.ts'
import { webhookQueue } from './sending/queue.ts'
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
