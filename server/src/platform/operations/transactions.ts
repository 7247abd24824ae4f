import { setTimeout as wait } from 'node:timers/promises'
import { type Caller, noOrganisation } from '../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import { insertingAuthChanges } from '../callers/auth-changes.store.ts'
import type { Authentication } from '../callers/authentication.ts'
import type { Clock } from '../clock.ts'
import type { TenantClocks } from '../clocks/tenant-clocks.ts'
import type { Settings } from '../config.ts'
import { CommitOutcomeUnknown, type Database, isSerializationFailure, type Tx } from '../database/database.ts'
import type { Replicas } from '../database/replicas.ts'
import type { Sql } from '../database/sql.ts'
import { actorOf } from '../events/actors.ts'
import { type EventRow, insertingEmittedEvents } from '../events/events.store.ts'
import { insertingJobs, type NewJob } from '../jobs/jobs.store.ts'
import type { AttemptCounts, QueueName } from '../jobs/jobs.ts'
import { turnOf } from '../jobs/turns.ts'
import type { Topic, WakeUp } from '../jobs/wake-up.ts'
import type { RateLimiter } from '../limits/rate-limits.ts'
import { throttleFrom } from '../limits/throttle.ts'
import type { Logger } from '../logger.ts'
import type { Vault } from '../secrets/secrets.ts'
import type { GoneSignal } from '../threads/task-queue.ts'
import type { Inside, Origin, Outside } from './operation.ts'
import type { Ports } from './ports.ts'
import type { Times } from './times.ts'

/** What the runner of operations needs. */
export interface Runtime {
  readonly db: Database
  /** undefined without DATABASE_REPLICA_URL */
  readonly replicas?: Replicas | undefined
  /** the real time; `clocks` has the business time of each tenant */
  readonly clock: Clock
  readonly clocks: TenantClocks
  readonly vault: Vault
  readonly ports: Ports
  readonly settings: Settings
  readonly limiter: RateLimiter
  /** tries per minute of one network at one account, by password or code */
  readonly attemptsPerMinute: number
  readonly authentication: Authentication
  readonly wakeUp: WakeUp
  /** counts what this process has done in each queue */
  readonly queueCounts: Readonly<Record<QueueName, AttemptCounts>>
  /** the same for queues with a table of their own */
  readonly ownQueueCounts: Map<string, AttemptCounts>
  /** the same for each consumer that this process runs */
  readonly consumerCounts: Map<string, AttemptCounts>
  readonly log: Logger
  /** the longest wait for an outside party, whatever the exchange asks for; read before every call */
  readonly longestPatienceMs?: number | undefined
}

/** Who calls an operation, and until when. */
interface CalledBy<C extends Caller> {
  readonly caller: C
  readonly origin: Origin
  /** throws if the client has disconnected; an operation that has written nothing then stops */
  readonly signal?: GoneSignal | undefined
  /** when a transaction that is still open is ended */
  readonly deadline?: AbortSignal | undefined
}

export interface Call<C extends Caller, Input> extends CalledBy<C> {
  readonly input: Input
}

/** One run of an operation. */
export type Run<C extends Caller> = CalledBy<C> & Times

export interface Transactions {
  /** what an operation may use without a transaction */
  outside<C extends Caller>(run: Run<C>): Outside<C>
  /** one transaction with its events, jobs and auth changes; run again from the start if another change came between */
  inside<C extends Caller, Result>(run: Run<C>, body: (context: Inside<C>) => Promise<Result>): Promise<Result>
}

const mostTries = 4

/** Another change came between: a serialisation failure, a deadlock, or a body that found its object changed. */
const mayRepeat = (error: unknown): boolean =>
  isSerializationFailure(error) || (error instanceof Refusal && error.refusal === 'state.changed')

/** Events, jobs and auth changes, collected while a transaction runs. */
interface Pending {
  readonly events: EventRow[]
  readonly jobs: NewJob[]
  readonly changed: string[]
  readonly woken: Set<Topic>
}

/** The organisation whose turn a job takes: the one in the payload, otherwise the caller's. The sandbox has turns of its own. */
function turnOfJob(payload: object, caller: Caller): OrganisationId {
  const { organisationId, mode } = payload as { organisationId?: OrganisationId; mode?: Mode | null }
  if (organisationId !== undefined) return turnOf({ organisationId, mode: mode ?? null })
  return 'tenant' in caller ? turnOf(caller.tenant) : noOrganisation
}

function topicsOf({ events, jobs, woken }: Pending): Set<Topic> {
  const topics = new Set<Topic>([...woken, ...jobs.map(({ queue }) => queue)])
  if (events.length > 0) topics.add('events')
  return topics
}

/** Events come last: they lock the heads of their organisations until the commit. They have the real time, as proof of what was done when. */
const statementsOf = ({ events, jobs, changed }: Pending, realNow: Date): readonly Sql[] => [
  ...(jobs.length > 0 ? [insertingJobs(jobs)] : []),
  ...(changed.length > 0 ? [insertingAuthChanges(changed)] : []),
  ...(events.length > 0 ? [insertingEmittedEvents(events, realNow)] : []),
]

export function createTransactions(runtime: Runtime): Transactions {
  const { db, vault, ports, settings, log } = runtime
  const shared = {
    vault,
    ports,
    settings,
    log,
    nowOf: async (tenant: Tenant): Promise<Date> => await runtime.clocks.nowOf(tenant),
  }

  function contextOf<C extends Caller>(tx: Tx, { caller, origin, now, realNow }: Run<C>, pending: Pending): Inside<C> {
    return {
      tx,
      caller,
      origin,
      now,
      realNow,
      ...shared,
      emit: (type, about, data) => {
        const { organisationId, mode = null, objectId, version, actor = actorOf(caller) } = about
        const from = { ...origin, ...about.origin }
        const objectVersion = version === undefined ? null : Number(version)
        pending.events.push({ organisationId, id: newId(), mode, type, objectId, objectVersion, data, actor, ...from })
      },
      enqueue: ({ name, queue }, payload, options = {}) => {
        const { dueAt = null, key = null, turn = turnOfJob(payload, caller) } = options
        pending.jobs.push({ queue, organisationId: turn, job: name, key, payload, dueAt })
      },
      wake: (topic) => void pending.woken.add(topic),
      authChanged: (...subjects) => pending.changed.push(...subjects),
    }
  }

  const inside: Transactions['inside'] = async (run, body) => {
    const { signal, deadline, realNow } = run
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted()
      const pending: Pending = { events: [], jobs: [], changed: [], woken: new Set() }
      const { changed } = pending
      try {
        const result = await db.transaction(
          (tx) => {
            // The wait for a connection may have taken long.
            signal?.throwIfAborted()
            return body(contextOf(tx, run, pending))
          },
          { deadline, lastStatements: () => statementsOf(pending, realNow) },
        )
        runtime.authentication.forget(changed)
        runtime.wakeUp.send(topicsOf(pending))
        return result
      } catch (error) {
        // Forgetting too many tokens costs a query; forgetting too few would keep a revoked token valid.
        if (error instanceof CommitOutcomeUnknown) runtime.authentication.forget(changed)
        if (!mayRepeat(error) || tries === mostTries) throw error
        await wait(Math.random() * 20 * 2 ** tries)
      }
    }
  }

  return {
    outside: ({ caller, origin, now, realNow, signal }) => {
      return {
        db,
        caller,
        origin,
        now,
        realNow,
        ...shared,
        gone: signal,
        throttle: throttleFrom(runtime, origin.address),
      }
    },
    inside,
  }
}
