import { setTimeout as wait } from 'node:timers/promises'
import { neighbourhoodOf } from '../../kernel/addresses.ts'
import { type Caller, noOrganisation } from '../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { insertingAuthChanges } from '../callers/auth-changes.store.ts'
import type { Authentication } from '../callers/authentication.ts'
import type { Clock } from '../clock.ts'
import type { Settings } from '../config.ts'
import { CommitOutcomeUnknown, type Database, isSerializationFailure, type Tx } from '../database/database.ts'
import type { Sql } from '../database/sql.ts'
import type { ConsumerCounts } from '../events/consumer.ts'
import { type EventRow, insertingEmittedEvents } from '../events/events.store.ts'
import type { RateLimit, RateLimiter } from '../limits/rate-limits.ts'
import type { Logger } from '../logger.ts'
import type { Vault } from '../secrets/secrets.ts'
import type { GoneSignal } from '../work/fair-queue.ts'
import type { QueueName } from '../work/jobs.ts'
import type { QueueCounts } from '../work/queues.ts'
import { turnOf } from '../work/turns.ts'
import type { Topic, WakeUp } from '../work/wake-up.ts'
import { insertingJobs, type NewJob } from '../work/work.store.ts'
import { actorOf } from './actors.ts'
import type { Inside, Origin, Outside, Tries } from './operation.ts'
import type { Ports } from './ports.ts'

/** Everything an operation runs on. */
export interface Runtime {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly ports: Ports
  readonly settings: Settings
  readonly limiter: RateLimiter
  /** how often a minute one network may try one account by password or code */
  readonly attemptsPerMinute: number
  readonly authentication: Authentication
  readonly wakeUp: WakeUp
  /** what this process has done in each queue */
  readonly queueCounts: Readonly<Record<QueueName, QueueCounts>>
  /** and in queues with a table of their own */
  readonly ownQueueCounts: Map<string, QueueCounts>
  /** and for each consumer that it has followed the events for */
  readonly consumerCounts: Map<string, ConsumerCounts>
  readonly log: Logger
  /** however patient an exchange is, nobody outside is waited for longer; read at every question */
  readonly longestPatienceMs?: number | undefined
}

export interface Call<C extends Caller, Input> {
  readonly caller: C
  readonly origin: Origin
  readonly input: Input
  /** throws when the client went away: work that has written nothing yet then stops */
  readonly signal?: GoneSignal | undefined
  /** when its transaction is ended, should it still be open */
  readonly deadline?: AbortSignal | undefined
}

export interface Transactions {
  /** what an operation may use without a transaction */
  outside<C extends Caller>(caller: C, origin: Origin, now: Date, gone?: GoneSignal): Outside<C>
  /** one transaction with its events, jobs and auth changes, tried again from the start when it met another */
  inside<C extends Caller, Result>(
    caller: C,
    origin: Origin,
    now: Date,
    signal: GoneSignal | undefined,
    body: (context: Inside<C>) => Promise<Result>,
    deadline?: AbortSignal,
  ): Promise<Result>
}

const mostTries = 4

/**
 * All strange networks together may try this many times as often as one of them: it takes so many to use up what strangers share,
 * and however many they are, they get no more.
 */
const strangersShare = 10
const minuteSeconds = 60
const daySeconds = 86_400

/** What a transaction has to tell beside its own rows, gathered while it runs. */
interface Told {
  readonly events: EventRow[]
  readonly work: NewJob[]
  readonly changed: string[]
  readonly woken: Set<Topic>
}

/** Organisations take turns by it: the one that the work names, or else the one that asked for it. The sandbox has turns of its own. */
function whoseWork(payload: object, caller: Caller): OrganisationId {
  const { organisationId, mode } = payload as { organisationId?: OrganisationId; mode?: Mode | null }
  if (organisationId !== undefined) return turnOf({ organisationId, mode: mode ?? null })
  return 'tenant' in caller ? turnOf(caller.tenant) : noOrganisation
}

function topicsOf({ events, work, woken }: Told): Set<Topic> {
  const topics = new Set<Topic>([...woken, ...work.map(({ lane }) => lane)])
  if (events.length > 0) topics.add('events')
  return topics
}

const tellingStatements = ({ events, work, changed }: Told, now: Date): readonly Sql[] => [
  ...(events.length > 0 ? [insertingEmittedEvents(events, now)] : []),
  ...(work.length > 0 ? [insertingJobs(work)] : []),
  ...(changed.length > 0 ? [insertingAuthChanges(changed)] : []),
]

export function createTransactions(runtime: Runtime): Transactions {
  const { db, vault, ports, settings, log } = runtime

  const throttleFrom =
    ({ address }: Origin) =>
    async (attempt: string, account: string, { known = false, perDay }: Tries = {}): Promise<void> => {
      // Who was tried is told to nobody who has the database but not the key file: an address is easily guessed.
      const everywhere = `${attempt}:${vault.mac(`throttle ${attempt}`, account)}`
      const here = `${attempt}:${vault.mac(`throttle ${attempt} from`, `${account} ${neighbourhoodOf(address)}`)}`
      const within = (subject: string, times: number): RateLimit[] => [
        { subject, perWindow: runtime.attemptsPerMinute * times, windowSeconds: minuteSeconds },
        ...(perDay === undefined ? [] : [{ subject, perWindow: perDay * times, windowSeconds: daySeconds }]),
      ]
      // One after the other: a network that has used up its own tries uses up nobody else's.
      for (const limit of [...within(here, 1), ...(known ? [] : within(everywhere, strangersShare))]) {
        const standing = await runtime.limiter.takeExactly(limit)
        if (!standing.allowed) throw refuse('limit.exceeded', { retryAfterSeconds: standing.resetSeconds })
      }
    }

  function contextOf<C extends Caller>(tx: Tx, caller: C, origin: Origin, now: Date, told: Told): Inside<C> {
    return {
      tx,
      caller,
      origin,
      now,
      vault,
      ports,
      settings,
      log,
      emit: (type, about, data) => {
        const { organisationId, mode = null, objectId, version, actor = actorOf(caller) } = about
        const from = { ...origin, ...about.origin }
        const objectVersion = version === undefined ? null : Number(version)
        told.events.push({ organisationId, id: newId(), mode, type, objectId, objectVersion, data, actor, ...from })
      },
      enqueue: ({ name, queue: lane }, payload, options = {}) => {
        const { dueAt = null, key = null, turn = whoseWork(payload, caller) } = options
        told.work.push({ lane, organisationId: turn, job: name, key, payload, dueAt })
      },
      wake: (topic) => void told.woken.add(topic),
      authChanged: (...subjects) => told.changed.push(...subjects),
    }
  }

  const inside: Transactions['inside'] = async (caller, origin, now, signal, body, deadline) => {
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted()
      const told: Told = { events: [], work: [], changed: [], woken: new Set() }
      const { changed } = told
      try {
        const result = await db.transaction(
          (tx) => {
            // Waiting for a connection may have taken a while.
            signal?.throwIfAborted()
            return body(contextOf(tx, caller, origin, now, told))
          },
          { deadline, lastStatements: () => tellingStatements(told, now) },
        )
        runtime.authentication.forget(changed)
        runtime.wakeUp.send(topicsOf(told))
        return result
      } catch (error) {
        // Forgetting too much costs a query; forgetting too little would keep a revoked token alive.
        if (error instanceof CommitOutcomeUnknown) runtime.authentication.forget(changed)
        if (!isSerializationFailure(error) || attempt === mostTries) throw error
        await wait(Math.random() * 20 * 2 ** attempt)
      }
    }
  }

  return {
    outside: (caller, origin, now, gone) => ({
      db,
      caller,
      origin,
      now,
      vault,
      ports,
      settings,
      log,
      gone,
      throttle: throttleFrom(origin),
    }),
    inside,
  }
}
