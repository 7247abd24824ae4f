import { type Database, type DatabaseOptions, openDatabase } from '../database/database.ts'
import { type Consumer, type ConsumerLane, consumerLanes } from '../events/consumer.ts'
import { type ReaderLane, startReaders } from '../events/readers.ts'
import { createRunner, type Runner, type Runtime } from '../operations/runner.ts'
import type { Topic } from './bell.ts'
import { type JobHandler, type LaneName, laneNames } from './jobs.ts'
import { type Lane, lanePlans, startLane } from './lanes.ts'
import { startSchedule } from './schedule.ts'

/** Everything that works in the background. */
export interface Work {
  readonly handlers: (runtime: Runtime, runner: Runner) => readonly JobHandler[]
  readonly consumers: readonly Consumer[]
  readonly ownLanes?: readonly OwnLane[]
}

/** A lane that may bring along the consumer which fills its table. */
export interface OpenLane extends Lane {
  readonly consumer?: Consumer
}

/** High-volume work that is taken from a table of its own, in batches. */
export interface OwnLane {
  readonly name: string
  /** whose bell it hears */
  readonly wakesWith: Topic
  readonly connections: number
  readonly start: (runtime: Runtime, runner: Runner) => OpenLane
}

export interface Worker {
  /** whether it takes work now; one that lost the database does not until it has found it again */
  isWorking(): boolean
  stop(): Promise<void>
}

/** Consumers of one lane take turns on its few connections: each needs one for a moment. */
const readerPlans: Readonly<Record<ConsumerLane, { readonly connections: number; readonly deadlineMs: number }>> = {
  lists: { connections: 2, deadlineMs: 30_000 },
  webhooks: { connections: 2, deadlineMs: 30_000 },
  work: { connections: 2, deadlineMs: 30_000 },
}

/** Starts lanes, readers of events and the schedule. Each lane has connections of its own, so that none waits for another's. */
export async function startWorker(
  runtime: Runtime,
  access: Pick<DatabaseOptions, 'connection' | 'prepares'>,
  { handlers, consumers, ownLanes = [] }: Work,
): Promise<Worker> {
  const { log, bell } = runtime
  const opened: Database[] = []
  const heard: { end(): void }[] = []
  function runtimeOn(poolSize: number, part: string): Runtime {
    const db = openDatabase({
      ...access,
      poolSize,
      applicationName: `risiti ${part}`,
      onIdleError: (error) => log.warn('database.connection_lost', { error }),
    })
    opened.push(db)
    return { ...runtime, db }
  }
  function openLane(name: LaneName): Lane {
    const plan = lanePlans[name]
    const own = runtimeOn(plan.connections, `lane ${name}`)
    const lane = startLane(name, plan, own.db, handlers(own, createRunner(own)), log, runtime.laneCounts[name])
    heard.push(bell.listen(name, () => lane.wake()))
    return lane
  }

  function openOwnLane({ name, wakesWith, connections, start }: OwnLane): OpenLane {
    const own = runtimeOn(connections, `lane ${name}`)
    const lane = start(own, createRunner(own))
    heard.push(bell.listen(wakesWith, () => lane.wake()))
    return lane
  }

  const owned = ownLanes.map(openOwnLane)
  const lanes = [...laneNames.map(openLane), ...owned]
  const readerLanes = Object.fromEntries(
    consumerLanes.map((name): [ConsumerLane, ReaderLane] => {
      const { connections, deadlineMs } = readerPlans[name]
      const own = runtimeOn(connections, `readers ${name}`)
      return [name, { runtime: own, runner: createRunner(own), deadlineMs }]
    }),
  ) as Record<ConsumerLane, ReaderLane>
  const followed = [...consumers, ...owned.flatMap(({ consumer }) => consumer ?? [])]
  const readers = startReaders(followed, runtimeOn(1, 'tail'), (name) => readerLanes[name])
  heard.push(bell.listen('events', () => readers.wake()))
  const timed = runtimeOn(lanePlans.upkeep.connections, 'schedule')
  const schedule = await startSchedule(access, handlers(timed, createRunner(timed)), log)
  bell.start()

  return {
    isWorking: () => schedule.isWorking(),
    async stop() {
      for (const one of heard) one.end()
      await schedule.stop()
      await readers.stop()
      await Promise.all(lanes.map((lane) => lane.stop()))
      for (const db of opened) await db.end()
    },
  }
}
