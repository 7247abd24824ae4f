import type { Queryable } from '../../platform/database/database.ts'
import { readQueueLoad } from './sending.store.ts'

const gauge = (name: string, help: string, value: number): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}`

/** Waiting deliveries and those under way, for Prometheus. */
export async function queueMetrics(db: Queryable): Promise<string> {
  const { waiting, overdueSeconds, batches } = await readQueueLoad(db)
  return [
    gauge('risiti_webhook_queue_waiting', 'Deliveries that wait for an attempt, counted up to 10,000', waiting),
    gauge('risiti_webhook_queue_overdue_seconds', 'For how long the oldest of them has been due', overdueSeconds),
    gauge('risiti_webhook_batches', 'Batches of deliveries that processes have taken and not ended', batches),
  ].join('\n')
}
