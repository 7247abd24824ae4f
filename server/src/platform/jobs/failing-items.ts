import type { Database } from '../database/database.ts'
import { failureReason } from '../failure-reason.ts'
import type { Logger } from '../logger.ts'
import { metricsText } from '../metrics.ts'
import { countFailing, listFailing, removeFailing, saveFailing } from './failing-items.store.ts'

/** The identity of an item of background work, and its owner. */
export interface Item {
  readonly organisationId?: string | undefined
  readonly mode?: string | null | undefined
  readonly id?: string | undefined
}

export interface Watch {
  readonly db: Database
  readonly log: Logger
}

const nameOf = ({ id, organisationId = '', mode }: Item): string =>
  id ?? (mode ? `${organisationId} ${mode}` : organisationId)

/**
 * Records the failure of one item in the log, the metrics and a table. Throws if the database is unreachable: then no item is at fault, and
 * continuing is useless.
 */
export async function noteFailing({ db, log }: Watch, problem: string, item: Item, error: unknown): Promise<void> {
  const { organisationId, mode, id } = item
  log.error(problem, { organisationId, mode: mode ?? undefined, reference: id, error })
  await saveFailing(db, {
    problem,
    item: nameOf(item),
    organisationId: organisationId ?? null,
    mode: mode ?? null,
    reason: failureReason(error),
  })
}

type Attempt = <One extends Item>(item: One, work: (item: One) => Promise<unknown>) => Promise<boolean>

/** Attempts at items that may fail. An attempt records a failure and returns false. A success deletes the record of an earlier failure. */
export async function attemptsAt(watch: Watch, problem: string): Promise<Attempt> {
  const failedBefore = await listFailing(watch.db, problem)
  return async (item, work) => {
    try {
      await work(item)
    } catch (error) {
      await noteFailing(watch, problem, item, error)
      return false
    }
    if (failedBefore.has(nameOf(item))) await removeFailing(watch.db, problem, nameOf(item))
    return true
  }
}

/** Runs one item after the other. A failure is recorded and does not stop the others. Returns how many failed. */
export async function oneByOne<One extends Item>(
  watch: Watch,
  problem: string,
  items: readonly One[],
  work: (item: One) => Promise<unknown>,
): Promise<number> {
  if (items.length === 0) return 0
  const attempt = await attemptsAt(watch, problem)
  let failed = 0
  for (const item of items) if (!(await attempt(item, work))) failed++
  return failed
}

export interface FailingOnes {
  /** never throws: a failure that cannot be recorded is in the log */
  note(item: Item, error: unknown): Promise<void>
  done(items: readonly Item[]): Promise<void>
}

/** The most items that a process remembers. Records of the others are deleted after a week without a failure. */
const mostRemembered = 10_000

/** Failures of loops that never end, such as a queue. The record is deleted once this process has done the item. */
export function failingOnes(watch: Watch, problem: string): FailingOnes {
  const failed = new Set<string>()
  const notNoted = (error: unknown) => watch.log.warn('failing_item.save_failed', { reason: problem, error })
  return {
    async note(item, error) {
      if (failed.size < mostRemembered) failed.add(nameOf(item))
      await noteFailing(watch, problem, item, error).catch(notNoted)
    },
    async done(items) {
      if (failed.size === 0) return
      for (const item of items)
        if (failed.delete(nameOf(item))) await removeFailing(watch.db, problem, nameOf(item)).catch(notNoted)
    },
  }
}

/** How many items fail at present. */
export async function failingMetrics(db: Database): Promise<string> {
  return await metricsText([
    {
      name: 'risiti_failing_items',
      help: 'Items that background work fails on at present, by the log name of the failure. The table failing_items lists them.',
      values: (await countFailing(db)).map(({ problem, count }) => [{ problem }, count]),
    },
  ])
}
