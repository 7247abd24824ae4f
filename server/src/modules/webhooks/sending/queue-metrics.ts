import type { Queryable } from '../../../platform/database/database.ts'
import { metricsText } from '../../../platform/metrics.ts'
import { readQueueLoad } from './dispatch.store.ts'

/** Deliveries that wait for an attempt or are being attempted. */
export async function queueMetrics(db: Queryable): Promise<string> {
  const { waiting, overdueSeconds, batches } = await readQueueLoad(db)
  return await metricsText([
    {
      name: 'risiti_webhook_queue_waiting',
      help: 'Deliveries that wait for an attempt, counted up to 10,000.',
      values: waiting,
    },
    {
      name: 'risiti_webhook_queue_overdue_seconds',
      help: 'How long the oldest waiting delivery has been due.',
      values: overdueSeconds,
    },
    {
      name: 'risiti_webhook_batches',
      help: 'Batches of deliveries that a process has claimed and not finished.',
      values: batches,
    },
  ])
}
