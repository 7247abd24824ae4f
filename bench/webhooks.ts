import type { Row } from './measure.ts'
import { measureDatabase } from './webhook-database-time.ts'
import { measureIdle } from './webhook-latency.ts'
import { measureRate } from './webhook-rate.ts'
import { onStage, type Stage } from './webhook-stage.ts'

const parts = {
  rate: (say: Stage['say']) => onStage(say, measureRate),
  idle: measureIdle,
  database: (say: Stage['say']) => onStage(say, measureDatabase),
}

/** Each figure has its own stage, so that leftover work does not slow the next measurement. */
export async function benchWebhooks(
  say: Stage['say'],
  wanted: readonly (keyof typeof parts)[] = ['rate', 'idle', 'database'],
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const part of wanted) rows.push(...(await parts[part](say)))
  return rows
}
