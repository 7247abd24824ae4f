import { setTimeout as wait } from 'node:timers/promises'
import type { OrganisationId } from '../server/src/kernel/ids.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { medianRound, percentile, type Row } from './measure.ts'
import { profiled } from './profiled.ts'
import { onStage, prepare, type Stage } from './webhook-stage.ts'

/** With 100 or 200 events, one disturbance on the machine would decide the 99th percentile. */
const idleEvents = 400
const idleTurns = 3
const warmUpEvents = 200
/**
 * Enough events before the measured ones that unanswered attempts reach their deadline of ten seconds during the
 * measurement.
 */
const eventsBeforeDeadlines = 300

/** Milliseconds from commit to receiver, one event at a time. */
async function idleTimes(
  { open, receiver, emit }: Stage,
  organisationId: OrganisationId,
  path: string,
  count = idleEvents,
) {
  const committed = new Map<string, number>()
  for (let nth = 0; nth < count; nth++) {
    await emit(organisationId, 1)
    const at = performance.timeOrigin + performance.now()
    const { id } = await open.runtime.db.one<{ id: string }>(
      sql`select id from events where organisation_id = ${organisationId} order by id desc limit 1`,
    )
    committed.set(`${path} ${id}`, at)
    await wait(20)
  }
  await wait(500)
  const { times } = await receiver.ask<{ times: [string, number][] }>('times')
  const came = new Map(times)
  return [...committed].map(([id, at]) => (came.get(id) ?? Number.POSITIVE_INFINITY) - at)
}

const told99 = (times: readonly number[]): string =>
  [50, 95, 99, 100].map((percent) => percentile(times, percent).toFixed(1)).join(' / ')

/** One turn on its own stage, after a warm-up that compiles code, plans statements and opens connections. */
async function idleTurn(stage: Stage, paths: readonly string[], eventsBefore: number): Promise<number[]> {
  const { open, receiver, start, emit, until } = stage
  const watched = paths.at(-1) as string
  await receiver.ask('watch')
  const organisationId = await prepare(open, receiver, paths)
  const worker = await start()
  await emit(organisationId, 1)
  await until(1)
  await idleTimes(stage, organisationId, watched, eventsBefore)
  const times = await profiled(`webhooks${watched.replace('/', '-')}`, () => idleTimes(stage, organisationId, watched))
  await worker.stop()
  return times
}

/**
 * Measures the idle state and a slow endpoint in turns, so that a disturbance affects both, or spoils one turn of
 * several.
 */
export async function measureIdle(say: Stage['say']): Promise<Row[]> {
  const alone: number[][] = []
  const beside: number[][] = []
  for (let nth = 0; nth < idleTurns; nth++) {
    alone.push(await onStage(say, (stage) => idleTurn(stage, ['/single'], warmUpEvents)))
    beside.push(await onStage(say, (stage) => idleTurn(stage, ['/slow', '/beside'], eventsBeforeDeadlines)))
    say(
      `  commit to receiver, ms (50, 95, 99, 100 %): ${told99(alone[nth] as number[])} at idle, ${told99(beside[nth] as number[])} beside one that takes 10 s`,
    )
  }
  const p99 = (times: readonly number[]) => percentile(times, 99)
  return [
    {
      name: 'webhooks: commit to receiver at idle, p99',
      unit: 'ms',
      ours: p99(alone.flat()),
      yardstick: 50,
      yardstickName: 'ms',
      goal: 1,
      goalIs: 'at most',
    },
    {
      name: 'webhooks: the same beside an endpoint that takes 10 s',
      unit: 'ms',
      ...medianRound(beside.map(p99), alone.map(p99)),
      yardstickName: 'without it',
      goal: 2,
      goalIs: 'at most',
    },
  ]
}
