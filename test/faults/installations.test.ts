import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { migrate, migrationsDir } from '../../server/src/platform/database/migrations.store.ts'
import { queueNames } from '../../server/src/platform/jobs/jobs.ts'
import { silentLogger } from '../../server/src/platform/logger.ts'
import { createTestDatabase } from '../harness/database.ts'
import { registration, sqlOn, statusOf } from '../harness/installations.ts'
import { openLink } from '../harness/link.ts'
import { freePort, launch, makeHome, makeKeyFile, startNode, until, withoutDemo } from '../harness/processes.ts'

/** A database without migrations. */
const createEmptyDatabase = async (): Promise<string> => (await createTestDatabase({ isEmpty: true })).owner.url

const migrationFiles = async () => (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).sort()
const appliedTo = async (sql: pg.Client): Promise<string[]> =>
  (await sql.query('select name from schema_migrations order by name')).rows.map((row) => row.name)

describe('migrations', () => {
  const waitingToMigrate = async (sql: pg.Client) => {
    const { rows } = await sql.query(
      `select from pg_stat_activity
        where datname = current_database() and application_name = 'risiti migrate' and wait_event_type = 'Lock'`,
    )
    return rows.length
  }

  /** Blocks the creation of a table with this name until `work` is done. */
  async function whileTableIsTaken(sql: pg.Client, table: string, work: () => Promise<void>): Promise<void> {
    await sql.query('begin')
    await sql.query(`create table ${table} ()`)
    await work()
    await sql.query('rollback')
  }

  test('three nodes that start at once on an empty database all start, and each migration runs once', async () => {
    const DATABASE_URL = await createEmptyDatabase()
    const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), LOG_LEVEL: 'info' }
    const [sql, watcher] = [await sqlOn(DATABASE_URL), await sqlOn(DATABASE_URL)]
    const starting = Array.from({ length: 3 }, () => startNode({ env }))
    await whileTableIsTaken(sql, 'schema_migrations', () =>
      until(async () => (await waitingToMigrate(watcher)) === 3, 'three at the starting line'),
    )
    const nodes = await Promise.all(starting)
    for (const { url } of nodes) expect(await statusOf(`${url}/ready`)).toBe(200)
    const steps = nodes.flatMap((node) => node.output().match(/"migration":"[^"]+"/g) ?? [])
    const files = await migrationFiles()
    expect(steps.sort()).toEqual(files.map((name) => `"migration":"${name}"`))
    expect(await appliedTo(sql)).toEqual(files)
    const count = (table: string) => sql.query(`select count(*)::int as count from ${table}`)
    expect((await count(`users where email = 'demo@risiti.test'`)).rows).toEqual([{ count: 1 }])
    expect((await count('organisations where parent_id is null')).rows).toEqual([{ count: 1 }])
    expect((await Promise.all(nodes.map((node) => node.stop()))).map(({ code }) => code)).toEqual([0, 0, 0])
  })

  test('a start that was killed during a migration is completed by the next start', async () => {
    const DATABASE_URL = await createEmptyDatabase()
    const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), ...withoutDemo }
    const [sql, watcher] = [await sqlOn(DATABASE_URL), await sqlOn(DATABASE_URL)]
    await whileTableIsTaken(sql, 'users', async () => {
      const killed = await launch({ env })
      await until(async () => (await waitingToMigrate(watcher)) === 1, 'a migration that waits')
      await killed.kill()
    })
    const node = await startNode({ env })
    expect(await appliedTo(watcher)).toEqual(await migrationFiles())
    expect(await statusOf(`${node.url}/ready`)).toBe(200)
    expect((await node.stop()).code).toBe(0)
  })

  test('a changed migration file is refused, and no later migration runs', async () => {
    const url = await createEmptyDatabase()
    const dir = await makeHome()
    await cp(migrationsDir, dir, { recursive: true })
    expect(await migrate(url, silentLogger, dir)).toBe((await migrationFiles()).length)
    expect(await migrate(url, silentLogger, dir)).toBe(0)
    await writeFile(join(dir, '9998_new.sql'), 'create table added (id int)')
    await writeFile(join(dir, '0001_schema.sql'), 'select 1')
    await expect(migrate(url, silentLogger, dir)).rejects.toThrow('0001_schema.sql was changed after it was applied')
    expect(await appliedTo(await sqlOn(url))).toEqual(await migrationFiles())
  })

  test('an owner role without other rights creates the tables, and a service role that owns nothing uses them', async () => {
    const { url: DATABASE_URL, owner, database } = await createTestDatabase({ isEmpty: true })
    const ownerRole = `owner_of_${database}`
    const ruler = await sqlOn(owner.url)
    await ruler.query(`create role ${ownerRole} login`)
    await ruler.query(`alter database ${database} owner to ${ownerRole}`)
    const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), ...withoutDemo }

    const early = await launch({ env })
    expect((await early.ended).code).toBe(1)
    expect(early.output()).toContain('may not make them.\nSet MIGRATION_DATABASE_URL')
    expect(early.output()).toContain('npm run migrate')
    expect(early.output()).not.toMatch(/^\s+at /m)

    const MIGRATION_DATABASE_URL = owner.url.replace(`//${owner.user}@`, `//${ownerRole}@`)
    for (const times of ['once', 'again']) {
      const migrating = await launch({ env: { ...env, MIGRATION_DATABASE_URL }, command: 'migrate' })
      expect([times, await migrating.ended]).toEqual([times, { code: 0, signal: null }])
    }
    const node = await startNode({ env })
    expect((await node.a.post('/a/v1/auth/register', { body: registration('roles@example.test') })).status).toBe(201)
    const sql = await sqlOn(DATABASE_URL)
    await until(async () => (await sql.query('select from mailbox')).rowCount === 1, 'a mail, which the worker carried')
    await expect(sql.query('delete from users')).rejects.toThrow('permission denied')
    expect((await node.stop()).code).toBe(0)
  })

  test('a failed migration is rolled back, and the earlier ones stay', async () => {
    const url = await createEmptyDatabase()
    const dir = await makeHome()
    await writeFile(join(dir, '0001_good.sql'), 'create table good (id int)')
    await writeFile(join(dir, '0002_bad.sql'), 'create table half (id int); select 1 / 0')
    await expect(migrate(url, silentLogger, dir)).rejects.toThrow('0002_bad.sql failed and was rolled back')
    const sql = await sqlOn(url)
    expect(await appliedTo(sql)).toEqual(['0001_good.sql'])
    expect((await sql.query(`select to_regclass('half') as half`)).rows).toEqual([{ half: null }])
    await writeFile(join(dir, '0002_bad.sql'), 'create table half (id int)')
    expect(await migrate(url, silentLogger, dir)).toBe(1)
  })
})

test.concurrent('an API node serves requests and sends nothing, and a worker node sends and serves only its health', async () => {
  const { url: DATABASE_URL } = await createTestDatabase()
  const METRICS_TOKEN = 'a-token-of-many-letters'
  const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), METRICS_TOKEN, ...withoutDemo }
  const sql = await sqlOn(DATABASE_URL)
  const jobs = async () => (await sql.query(`select attempts from jobs where job = 'send-message'`)).rows
  const mails = async () => (await sql.query('select recipient from mailbox')).rows

  const api = await startNode({ env, args: ['--role=api'] })
  const email = 'roles@example.test'
  expect((await api.a.post('/a/v1/auth/register', { body: registration(email) })).status).toBe(201)
  await until(async () => (await jobs()).length === 1, 'a job in the queue')
  // Below, the metrics of the worker show that it was the one that made the attempt.
  expect(await jobs()).toEqual([{ attempts: 0 }])
  expect(await mails()).toEqual([])
  const waiting = await fetch(`${api.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const whileWaiting = await waiting.text()
  expect(whileWaiting).toContain('risiti_queue_waiting{queue="mail"} 1')
  expect(whileWaiting).toMatch(/^risiti_queue_oldest_seconds\{queue="mail"\} (?!0$)[\d.]+$/m)

  const PORT = String(await freePort())
  const worker = await launch({ env: { ...env, PORT }, args: ['--role=worker'] })
  await worker.said(/Risiti worker is running/)
  await until(async () => (await mails()).length === 1, 'the mail')
  expect(await mails()).toEqual([{ recipient: email }])
  // The health page shows its state to monitoring, and no other information.
  const page = `http://127.0.0.1:${PORT}`
  expect(await (await fetch(`${page}/health`)).json()).toEqual({ status: 'ok' })
  expect(await (await fetch(`${page}/ready`)).json()).toEqual({
    status: 'ready',
    checks: { database: 'ok', queue: 'ok', worker: 'ok', consumers: 'ok' },
  })
  expect(await statusOf(`${page}/metrics`)).toBe(404)
  const metrics = await fetch(`${page}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const figures = await metrics.text()
  for (const figure of [
    'risiti_consumer_behind_seconds{consumer="invoice-lists"}',
    'risiti_consumer_waiting{consumer="invoice-lists"}',
    'risiti_consumer_events_total{consumer="invoice-lists",outcome="failed"} 0',
    'risiti_queue_attempts_total{queue="mail",outcome="done"} 1',
    'risiti_queue_attempts_total{queue="webhooks",outcome="done"} 0',
    'risiti_queue_attempts_total{queue="collection",outcome="done"} 0',
    'risiti_collection_waiting 0',
    'risiti_collection_oldest_seconds 0',
    ...queueNames.flatMap((queue) => [
      `risiti_queue_waiting{queue="${queue}"}`,
      `risiti_queue_oldest_seconds{queue="${queue}"}`,
    ]),
    'risiti_webhook_queue_waiting 0',
    'risiti_webhook_queue_overdue_seconds 0',
    'risiti_webhook_batches 0',
  ])
    expect(figures).toContain(figure)
  for (const path of ['/docs', '/openapi.json', '/a/v1/auth/me', '/form-b/a/v1/auth/me', '/dev/mailbox', '/s/x']) {
    const response = await fetch(`${page}${path}`)
    expect([path, response.status, await response.json()]).toMatchObject([path, 404, { error: { code: 'RES001' } }])
  }
  expect([(await worker.stop()).code, (await api.stop()).code]).toEqual([0, 0])
})

test.concurrent('a node without its database keeps running, reports why it is not ready, and becomes ready again', async () => {
  const link = await openLink(await createTestDatabase())
  const node = await startNode({ env: { DATABASE_URL: link.url, SECRETS_FILE: await makeKeyFile(), ...withoutDemo } })
  const ready = async () => {
    const response = await fetch(`${node.url}/ready`)
    return { status: response.status, ...((await response.json()) as { checks: object; error?: object }) }
  }
  expect(await ready()).toMatchObject({ status: 'ready' })
  for (const fault of ['cut', 'blackhole'] as const) {
    link[fault]()
    expect(await ready()).toMatchObject({
      checks: { database: 'cannot be reached', queue: 'cannot be reached', 'start-up': 'ok' },
      error: { code: 'DEP001', message: 'Not ready: database cannot be reached, queue cannot be reached.' },
    })
    expect(await statusOf(`${node.url}/ready`)).toBe(503)
    expect(await statusOf(`${node.url}/health`)).toBe(200)
    link.pass()
    await until(async () => (await statusOf(`${node.url}/ready`)) === 200, 'readiness')
  }
  expect((await node.stop()).code).toBe(0)
})

test.concurrent('a stuck consumer is reported, and continues after the operator skips the event', async () => {
  const { url: DATABASE_URL } = await createTestDatabase()
  const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), ...withoutDemo }
  const sql = await sqlOn(DATABASE_URL)
  const node = await startNode({ env })
  const [organisation, event] = ['01933e2b-7b1e-7000-8000-000000000000', '01933e2b-7b1e-7000-8000-000000000001']
  const known = `select from consumers where consumer = 'mail-invoice'`
  await until(async () => (await sql.query(known)).rowCount === 1, 'the consumer')
  await sql.query(`
    insert into events (organisation_id, id, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
    values ('${organisation}', '${event}', 'invoice.sent', gen_random_uuid(), '{}', 'system', 'test', '', '', 'test', now());
    insert into consumer_cursors (organisation_id, consumer, position, failures, failing_event, reason, retry_at)
    values ('${organisation}', 'mail-invoice', 0, 3, '${event}', 'TypeError', now() + interval '1 hour')`)
  const standing = `mail-invoice stands at event ${event}`
  await until(async () => {
    // A frequent caller is limited, and the reply may be some seconds old.
    await wait(1_500)
    const ready = (await (await fetch(`${node.url}/ready`)).json()) as { checks: { consumers: string } }
    return ready.checks.consumers === standing
  }, 'word of the consumer that stands still')
  const skip = async (...args: string[]) => {
    const command = await launch({ env, args, command: 'skip-event' })
    return [(await command.ended).code, command.output()]
  }
  expect(await skip('mail-invoice', event)).toEqual([
    1,
    expect.stringContaining('npm run events:skip -- CONSUMER EVENT WHY'),
  ])
  expect(await skip('nobody', event, 'why')).toEqual([1, expect.stringContaining('no consumer is called nobody')])
  expect(await skip('mail-invoice', event, 'its', 'object', 'is', 'gone')).toEqual([
    0,
    expect.stringContaining(`mail-invoice goes on behind ${event}`),
  ])
  expect((await sql.query('select consumer, event_id, reason, failure from skipped_events')).rows).toEqual([
    { consumer: 'mail-invoice', event_id: event, reason: 'its object is gone', failure: 'TypeError' },
  ])
  expect((await node.stop()).code).toBe(0)
})
