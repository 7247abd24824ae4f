import { setTimeout as wait } from 'node:timers/promises'
import type { OpenRuntime } from '../server/src/bin/runtime.ts'
import { sql } from '../server/src/platform/database/sql.ts'

/** The database's own total of statement time. Connections report their share with a short delay. */
export async function databaseMs({ runtime }: OpenRuntime): Promise<number> {
  await wait(2_500)
  const { ms } = await runtime.db.one<{ ms: number }>(
    sql`select active_time as ms from pg_stat_database where datname = current_database()`,
  )
  return ms
}

/** Statement times since the previous call. */
export class Statements {
  readonly #db: OpenRuntime['runtime']['db']
  readonly #events: number

  constructor({ runtime }: OpenRuntime, count: number) {
    this.#db = runtime.db
    this.#events = count
  }

  async begin(): Promise<void> {
    await this.#db.pool.query('create extension if not exists pg_stat_statements')
    await this.#db.pool.query('select pg_stat_statements_reset()')
  }

  async heaviest(): Promise<string[]> {
    const { rows } = await this.#db.pool.query<{ query: string; calls: number; ms: number; planning: number }>(`
      select query, calls::int, total_exec_time + total_plan_time as ms, total_plan_time as planning
        from pg_stat_statements order by ms desc limit 8`)
    await this.#db.pool.query('select pg_stat_statements_reset()')
    return rows.map(({ query, calls, ms, planning }) => {
      const text = query.replace(/\s+/g, ' ').trim().slice(0, 90)
      const [all, planned] = [ms, planning].map((time) => ((time * 1000) / this.#events).toFixed(0))
      return `${all} µs (${planned} for planning) in ${calls} calls: ${text}`
    })
  }
}
