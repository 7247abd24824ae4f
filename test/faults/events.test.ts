import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import { startTestApp } from '../harness/app.ts'
import { seeded } from '../harness/chance.ts'
import { createTestDatabase } from '../harness/database.ts'
import { launch, makeKeyFile, type ServerProcess, withoutDemo } from '../harness/processes.ts'

/** A few in the ordinary run; `npm run faults:events` has twenty thousand, and a process killed every few seconds. */
const size = Number(process.env.STORM_EVENTS ?? 300)
const seed = Number(process.env.STORM_SEED ?? 20_261_115)
const isLong = size > 1_000
const boundMs = isLong ? 600_000 : 60_000
if (isLong) vi.setConfig({ testTimeout: boundMs + 60_000 })
const lifeMs = isLong ? { least: 1_500, more: 2_500 } : { least: 2_000, more: 500 }
const falls = isLong ? 0.01 : 0.2
const leastKills = isLong ? 10 : 2
const names = ['storm-1', 'storm-2', 'storm-3']

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.reverse()) await end()
})

test(`${size} events have their effect on three consumers exactly once, though processes are killed (seed ${seed})`, async () => {
  const chance = seeded(seed)
  const database = await createTestDatabase()
  const app = await startTestApp({ database })
  endings.push(() => app.close())
  await app.stopWork()
  const { db } = app.machine
  const { organisationId } = await app.person()
  await app.owner.run(sql`create table seen (consumer text, event_id uuid, nth bigint generated always as identity)`)

  const env = {
    DATABASE_URL: database.url,
    SECRETS_FILE: await makeKeyFile(),
    STORM_ORGANISATION: organisationId,
    STORM_EVENTS: String(size),
    ...withoutDemo,
  }
  let started = 0
  const start = async (likelyToFall = falls): Promise<ServerProcess> => {
    const program = join(import.meta.dirname, '../harness/event-followers.ts')
    const own = { STORM_SEED: String(seed + ++started), STORM_FALLS: String(likelyToFall) }
    const one = await launch({ program, env: { ...env, ...own } })
    await one.said(/tells and follows/)
    return one
  }
  const counts = () =>
    db.one<{ told: number; seen: number; counted: number }>(sql`
      select (select count(*)::int from events where organisation_id = ${organisationId} and type = 'buyer.updated') as told,
             (select count(*)::int from seen) as seen,
             (select coalesce(sum(n), 0)::int from event_counts
               where organisation_id = ${organisationId} and span = 'day' and type = 'buyer.updated') as counted`)
  const isOver = async () => {
    const { told, seen, counted } = await counts()
    return told >= size && seen >= told * names.length && counted >= told
  }

  const began = performance.now()
  const isInTime = () => performance.now() - began < boundMs
  const alive = [start(), start()]
  let kills = 0
  while (isInTime() && (kills < leastKills || (isLong && (await counts()).told < size))) {
    const victim = await (alive.shift() as Promise<ServerProcess>)
    // Some die by themselves, between an effect and its place; whoever has not is killed wherever it is.
    await Promise.race([victim.ended, wait(lifeMs.least + chance() * lifeMs.more)])
    await victim.kill()
    kills++
    if (isLong) alive.push(start())
  }
  for (const one of alive.splice(0)) await (await one).kill()
  const last = await start(0)
  while (isInTime() && !(await isOver())) await wait(100)
  // Whatever would still come a second time has time to.
  await wait(isLong ? 3_000 : 300)
  await last.kill()

  const { told, counted } = await counts()
  const seconds = Math.round((performance.now() - began) / 1000)
  const effects = await db.rows(sql`
    with told as (
      select id, row_number() over (order by era, xid, seq) as place from events
       where organisation_id = ${organisationId} and type = 'buyer.updated'),
    noted as (
      select s.consumer, s.event_id, t.place, lag(t.place) over (partition by s.consumer order by s.nth) as before
        from seen s left join told t on t.id = s.event_id)
    select consumer, count(*)::int as seen, count(distinct event_id)::int as different, (count(*) filter (where place is null))::int as unknown,
           (count(*) filter (where place < before))::int as disordered
      from noted group by consumer order by consumer`)
  process.stdout.write(
    `seed ${seed}: ${told} events in ${seconds} s, ${kills} processes killed, counted ${counted}, ${JSON.stringify(effects)}\n`,
  )
  expect(told).toBeGreaterThanOrEqual(size)
  expect(kills).toBeGreaterThanOrEqual(leastKills)
  expect(effects).toEqual(
    names.map((consumer) => ({ consumer, seen: told, different: told, unknown: 0, disordered: 0 })),
  )
  // What the service itself keeps of them is a sum, in which a second time would show as well.
  expect(counted).toBe(told)
})
