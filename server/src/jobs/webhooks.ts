import { systemCaller } from '../kernel/callers.ts'
import {
  redeliverFailedJob,
  redeliverFurther,
  replayMissed,
  replayMissedJob,
  stopDeliveriesJob,
  stopOpenDeliveries,
} from '../modules/webhooks/index.ts'
import { handler } from '../platform/background/handlers.ts'
import type { Runner, Runtime } from '../platform/operations/runner.ts'
import { inBatches } from './in-batches.ts'

const atATime = 500
const origin = { requestId: 'replay-missed', address: '', userAgent: '' }

/** Ends waiting deliveries of an endpoint that was disabled or deleted. */
export const stopDeliveries = ({ db, clock }: Runtime) =>
  handler(stopDeliveriesJob, async ({ organisationId, mode, endpointId }) => {
    await inBatches(() => stopOpenDeliveries(db, { organisationId, mode }, endpointId, atATime, clock.now()))
  })

/** Delivers the events of the time in which an endpoint was disabled. */
export const replayMissedEvents = (runner: Runner) =>
  handler(replayMissedJob, async (missed) => {
    await runner.run(replayMissed, { caller: systemCaller, origin, input: missed })
  })

/** Sends the remaining failed deliveries of an endpoint again. */
export const redeliverFailedOnes = (runner: Runner) =>
  handler(redeliverFailedJob, async (failed) => {
    await runner.run(redeliverFurther, {
      caller: systemCaller,
      origin: { ...origin, requestId: 'redeliver-failed' },
      input: failed,
    })
  })
