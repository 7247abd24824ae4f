import type { Row } from './measure.ts'
import { databaseMs, Statements } from './statement-times.ts'
import { prepare, received, type Stage } from './webhook-stage.ts'

const events = 5_000

/** Measures database time: first one event in its own transaction, as requests emit it, then the complete delivery. */
export async function measureDatabase({ open, receiver, start, emit, until, say }: Stage): Promise<Row[]> {
  const single = await prepare(open, receiver, ['/single'])
  let worker = await start()
  await emit(single, 1)
  await until(1)
  await worker.stop()
  const statements = new Statements(open, events)
  const before = await databaseMs(open)
  await statements.begin()
  for (let nth = 0; nth < events; nth++) await emit(single, 1)
  const told = await databaseMs(open)
  for (const line of await statements.heaviest()) say(`  ${line}`)
  const arrived = await received(receiver)
  worker = await start()
  await until(arrived + events)
  await worker.stop()
  const delivered = await databaseMs(open)
  for (const line of await statements.heaviest()) say(`  ${line}`)
  const [inserting, delivering] = [(told - before) / events, (delivered - told) / events]
  say(
    `  database time: ${(inserting * 1000).toFixed(0)} µs to insert an event, ${(delivering * 1000).toFixed(0)} µs to deliver it`,
  )
  return [
    {
      name: 'webhooks: database time of a delivery',
      unit: 'ms',
      ours: delivering,
      yardstick: inserting,
      yardstickName: 'inserting the event',
      goal: 1.5,
      goalIs: 'at most',
    },
  ]
}
