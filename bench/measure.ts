import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import { listLags } from '../server/src/platform/background/consumer-states.store.ts'
import type { Queryable } from '../server/src/platform/database/database.ts'
import { sql } from '../server/src/platform/database/sql.ts'

export interface Row {
  readonly name: string
  readonly unit: string
  readonly ours: number
  /** undefined if the yardstick is not installed */
  readonly yardstick: number | undefined
  readonly yardstickName: string
  /** limit for ours / yardstick; `goalIs` says whether it is a minimum or a maximum */
  readonly goal: number
  readonly goalIs?: 'at most'
}

/** Whether a figure reaches its goal. `undefined` if there is no yardstick. */
export function reached({ ours, yardstick, goal, goalIs }: Row): boolean | undefined {
  if (yardstick === undefined) return undefined
  return goalIs === 'at most' ? ours / yardstick <= goal : ours / yardstick >= goal
}

export interface Target {
  readonly url: string
  readonly headers?: Record<string, string>
}

export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] as number

/**
 * Returns the round whose ratio is the median. A disturbance of some seconds affects both figures of a round, or spoils
 * one ratio of several. Separate medians would compare figures of different moments.
 */
export function medianRound(
  ours: readonly number[],
  yardstick: readonly number[],
): { readonly ours: number; readonly yardstick: number } {
  const rounds = ours.map((figure, at) => ({ ours: figure, yardstick: yardstick[at] as number }))
  rounds.sort((one, other) => one.ours / one.yardstick - other.ours / other.yardstick)
  return rounds[Math.floor(rounds.length / 2)] as (typeof rounds)[number]
}

export const percentile = (figures: readonly number[], percent: number): number =>
  figures.toSorted((a, b) => a - b)[Math.ceil((figures.length * percent) / 100) - 1] as number

/**
 * Requests per second from this process, on the same cores. Ten connections with ten requests in flight each keep the
 * generator awake, because waking it for every reply would cost more than the reply. Throws on any reply outside 2xx.
 */
export async function requestsPerSecond({ url, headers = {} }: Target, seconds: number): Promise<number> {
  const result = await autocannon({ url, headers, connections: 10, pipelining: 10, duration: seconds })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} of the requests to ${url} failed`)
  return result.requests.average
}

/** Warms up both targets, measures them in turns and returns the figures of the median round. */
export async function inTurns(
  ours: Target,
  yardstick: Target,
  { rounds = 5, seconds = 4 } = {},
): Promise<[number, number]> {
  for (const target of [ours, yardstick]) await requestsPerSecond(target, 2)
  const figures: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    figures[0].push(await requestsPerSecond(ours, seconds))
    figures[1].push(await requestsPerSecond(yardstick, seconds))
  }
  const middle = medianRound(...figures)
  return [middle.ours, middle.yardstick]
}

const mostLooks = 1_200

/** Waits until all consumers have read the event log, so that their work does not slow the next measurement. */
export async function followed(db: Queryable): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks++) {
    if ((await listLags(db)).every(({ unread }) => unread === 0)) return
    await wait(100)
  }
  throw new Error('the consumers do not come to the end of what happened')
}

/** Waits for autovacuum, which starts at an unpredictable time and takes half a core for some seconds. */
export async function tidied(db: Queryable): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks++) {
    const { underWay } = await db.one<{ underWay: number }>(sql`
      select (select count(*) from pg_stat_progress_vacuum)::int + (select count(*) from pg_stat_progress_analyze)::int as under_way`)
    if (underWay === 0) return
    await wait(100)
  }
  throw new Error('PostgreSQL does not come to the end of tidying up')
}
