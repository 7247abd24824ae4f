import { type Database, type DatabaseOptions, openDatabase } from '../database/database.ts'
import { type AttemptCounts, newAttemptCounts, type QueueName, queueNames } from '../jobs/jobs.ts'
import type { Topic } from '../jobs/wake-up.ts'
import { createRunner, type Runner, type Runtime } from '../operations/runner.ts'
import { type Consumer, type ConsumerPool, consumerPools } from './consumer.ts'
import { type ConsumerRuntime, startConsumers } from './consumers.ts'
import type { RunningQueue } from './fair-queue.ts'
import type { JobHandler } from './handlers.ts'
import { queuePlans, startQueue } from './queues.ts'
import { startSchedule } from './schedule.ts'
import { untilCommitted } from './until-committed.ts'

/** All background work of a process. */
export interface Work {
  readonly handlers: (runtime: Runtime, runner: Runner) => readonly JobHandler[]
  readonly consumers: readonly Consumer[]
  readonly ownQueues?: readonly OwnQueue[]
}

/** A queue that may bring along the consumer which fills its table. */
export interface OpenQueue extends RunningQueue {
  readonly consumer?: Consumer
}

/** A high-volume queue with a table of its own, taken in batches. */
export interface OwnQueue {
  readonly name: string
  /** the topic that wakes it up */
  readonly wakesWith: Topic
  readonly connections: number
  /** counts what the queue does in `counts` */
  readonly start: (runtime: Runtime, runner: Runner, counts: AttemptCounts) => OpenQueue
}

export interface Worker {
  /** whether it takes jobs now; false after losing the database until it is back */
  isWorking(): boolean
  stop(): Promise<void>
}

/** Consumers of one pool share its few connections: each needs one for a moment. */
const consumerPoolPlans: Readonly<Record<ConsumerPool, { readonly connections: number; readonly deadlineMs: number }>> =
  {
    lists: { connections: 2, deadlineMs: 30_000 },
    webhooks: { connections: 2, deadlineMs: 30_000 },
    work: { connections: 2, deadlineMs: 30_000 },
  }

/** Starts queues, consumers and the schedule. Each queue has its own connections, so that no queue waits for another. */
export function startWorker(
  runtime: Runtime,
  access: Pick<DatabaseOptions, 'connection' | 'prepares' | 'connectWithinMs' | 'tracer'>,
  { handlers, consumers, ownQueues = [] }: Work,
): Worker {
  const { log, wakeUp } = runtime
  const opened: Database[] = []
  const listeners: { end(): void }[] = []
  function runtimeOn(poolSize: number, part: string): Runtime {
    const db = openDatabase({
      ...access,
      poolSize,
      applicationName: `risiti ${part}`,
      onIdleError: (error) => log.warn('database.connection_lost', { error }),
    })
    opened.push(db)
    return { ...runtime, db, clocks: runtime.clocks.forWork(db) }
  }
  function openQueue(name: QueueName): RunningQueue {
    const plan = queuePlans[name]
    const own = runtimeOn(plan.connections, `queue ${name}`)
    const counts = runtime.queueCounts[name]
    const afterCommit = handlers(own, createRunner(own)).map(
      (one): JobHandler => ({
        ...one,
        handle: async (payload, attempt) => {
          await untilCommitted(own.db, payload)
          await one.handle(payload, attempt)
        },
      }),
    )
    const queue = startQueue(name, plan, own.db, afterCommit, log, counts, access.tracer)
    listeners.push(wakeUp.listen(name, () => queue.wake()))
    return queue
  }

  function openOwnQueue({ name, wakesWith, connections, start }: OwnQueue): OpenQueue {
    const own = runtimeOn(connections, `queue ${name}`)
    const counts = runtime.ownQueueCounts.get(name) ?? newAttemptCounts()
    runtime.ownQueueCounts.set(name, counts)
    const queue = start(own, createRunner(own), counts)
    listeners.push(wakeUp.listen(wakesWith, () => queue.wake()))
    return queue
  }

  const owned = ownQueues.map(openOwnQueue)
  const queues = [...queueNames.map(openQueue), ...owned]
  const consumerRuntimes = Object.fromEntries(
    consumerPools.map((name): [ConsumerPool, ConsumerRuntime] => {
      const { connections, deadlineMs } = consumerPoolPlans[name]
      const own = runtimeOn(connections, `consumers ${name}`)
      return [name, { runtime: own, runner: createRunner(own), deadlineMs }]
    }),
  ) as Record<ConsumerPool, ConsumerRuntime>
  const followed = [...consumers, ...owned.flatMap(({ consumer }) => consumer ?? [])]
  const consumerLoops = startConsumers(followed, runtimeOn(1, 'tail'), (name) => consumerRuntimes[name])
  listeners.push(wakeUp.listen('events', () => consumerLoops.wake()))
  const timed = runtimeOn(1, 'schedule')
  const schedule = startSchedule(timed.db, handlers(timed, createRunner(timed)), log, wakeUp)
  wakeUp.start()

  return {
    isWorking: () => schedule.isWorking(),
    async stop() {
      for (const one of listeners) one.end()
      await schedule.stop()
      await consumerLoops.stop()
      await Promise.all(queues.map((queue) => queue.stop()))
      for (const db of opened) await db.end()
    },
  }
}
