import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { simulatorKeys } from '../server/src/bin/simulators.ts'
import { ownQueues } from '../server/src/jobs/index.ts'
import { startWorker } from '../server/src/platform/background/worker.ts'
import { isPassingFailure } from '../server/src/platform/database/database.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { loadKeyRing } from '../server/src/platform/secrets/key-file.ts'
import { distribute } from '../server/src/platform/sharding/distribution.store.ts'
import { startAuthoritySimulator } from '../simulators/src/authority/index.ts'
import { seeded } from '../test/harness/chance.ts'
import { createClusterDatabase, findCluster, runOnEach } from '../test/harness/citus-cluster.ts'
import { brokenInvariants } from '../test/harness/submission-invariants.ts'
import { fillQueue } from './submission-data.ts'

/**
 * Fault programme of submissions. The authority loses 30 % of its replies and fails after the effect in 10 %. Workers
 * are killed every few seconds. `npm run faults:submissions [documents] [seed]`. With `CITUS_URL`, the programme runs in a new distributed
 * database of that cluster.
 */
const [documents = 20_000, seed = 20_261_115] = process.argv.slice(2).map(Number)
const organisations = 8
const workers = 2
const lifeMs = { least: 2_000, more: 4_000 }
const say = (text: string) => process.stdout.write(`${text}\n`)

async function beWorker(): Promise<void> {
  process.on('disconnect', () => process.exit(0))
  const open = await openRuntime(readServiceConfig(process.env, []), silentLogger)
  startWorker(open.runtime, open.access, { handlers: () => [], consumers: [], ownQueues })
  process.send?.('at work')
}

/** Creates a distributed database if `CITUS_URL` is set. Otherwise the service starts its own. */
async function openCluster(home: string) {
  const { CITUS_URL: coordinator } = process.env
  if (!coordinator) return { env: {}, drop: async () => {} }
  const { user, nodes } = await findCluster(coordinator)
  const name = `faults_${process.pid}`
  await createClusterDatabase(nodes, user, name)
  const { host, port } = nodes[0] as (typeof nodes)[0]
  const url = `postgresql://${user}@${host}:${port}/${name}`
  const SECRETS_FILE = join(home, 'secrets.json')
  await loadKeyRing(SECRETS_FILE, { createIfMissing: true })
  const env = { DATABASE_URL: url, SECRETS_FILE }
  // The first start migrates.
  const making = await openRuntime(readServiceConfig({ ...process.env, ...env, DATA_DIR: home }, []), silentLogger)
  await making.close()
  await distribute(url, () => {})
  return { env, drop: () => runOnEach(nodes, user, 'postgres', [`drop database ${name} with (force)`]) }
}

async function beProgramme(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-faults-'))
  const cluster = await openCluster(home)
  try {
    await submitUnderKills(home, cluster.env)
  } finally {
    await cluster.drop()
    await rm(home, { recursive: true, force: true })
  }
}

async function submitUnderKills(home: string, database: Readonly<Record<string, string>>): Promise<void> {
  const chance = seeded(seed)
  const authority = await startAuthoritySimulator({ apiKey: simulatorKeys.nrs, apiSecret: simulatorKeys.nrsSecret })
  // The authority transmits only for businesses that have a callback address. No server listens at this address.
  authority.notifyAt('http://127.0.0.1:9/')
  const env = {
    ...process.env,
    ...database,
    DATA_DIR: home,
    NRS_SANDBOX_BASE_URL: authority.url,
    NRS_SANDBOX_API_KEY: simulatorKeys.nrs,
    NRS_SANDBOX_API_SECRET: simulatorKeys.nrsSecret,
  }
  const open = await openRuntime(readServiceConfig(env, []), silentLogger)
  const { db } = open.runtime
  say(`${documents} documents of ${organisations} organisations, seed ${seed}: filling the queue …`)
  const tenants = await fillQueue(open, organisations, documents / organisations)
  // The queue is filled at once, and autovacuum would update the statistics too late.
  const statistics = await db.dedicatedClient('statistics')
  await statistics.query('set statement_timeout = 0; analyze submissions; analyze invoices; analyze credit_moves')
  await statistics.end()
  authority.control.behave({ lostReplies: 0.3, appliedThen500: 0.1, callbacks: 'never' })
  const alive: { readonly worker: ChildProcess; readonly atWork: Promise<unknown> }[] = []
  const startOne = () => {
    const worker = fork(import.meta.filename, ['worker'], { env, stdio: 'ignore' })
    alive.push({ worker, atWork: Promise.race([once(worker, 'message'), once(worker, 'exit')]) })
  }
  for (let started = 0; started < workers; started++) startOne()
  const began = performance.now()
  let kills = 0
  let retries = 0
  const counts = () =>
    db.one<{ open: number; failed: number; accepted: number }>(sql`
      select (count(*) filter (where due_at is not null))::int as open, (count(*) filter (where failed_at is not null))::int as failed,
             (count(*) filter (where state = 'accepted'))::int as accepted from submissions`)
  /** Retries each failed submission, at most five times, as its owner would. One statement names one organisation, as Citus wants it. */
  const retryFailed = async () => {
    let retried = 0
    for (const { organisationId } of tenants)
      retried += await db.run(sql`
        with again as (
          update submissions set failed_at = null, tries = 0, tried_since = null, retries = retries + 1, due_at = now(), next_cause = 'retried'
           where organisation_id = ${organisationId} and failed_at is not null and retries < 5
          returning organisation_id, mode, invoice_id, state)
        update invoices i set status = case when a.state in ('queued', 'unknown') then 'queued' else a.state end, version = version + 1
          from again a
         where i.organisation_id = ${organisationId} and a.organisation_id = i.organisation_id and i.mode = a.mode and i.id = a.invoice_id`)
    return retried
  }
  /**
   * If the machine is too busy for a check in time, the next kill is followed by another check. The last check must
   * succeed.
   */
  const heldNow = () =>
    brokenInvariants(db).catch((error: unknown) => {
      if (!isPassingFailure(error)) throw error
      say('too busy to look at all invariants')
      return {}
    })
  const deadline = performance.now() + 3_600_000
  for (let now = await counts(); now.open + now.failed > 0 && performance.now() < deadline; now = await counts()) {
    const victim = alive.shift()
    // Waits until the worker has begun a job. On a busy machine it would otherwise be killed before its first job.
    await victim?.atWork
    await wait(lifeMs.least + chance() * lifeMs.more)
    victim?.worker.kill('SIGKILL')
    kills++
    startOne()
    retries += await retryFailed()
    const broken = await heldNow()
    if (Object.keys(broken).length > 0) say(`BROKEN after ${kills} kills: ${JSON.stringify(broken)}`)
    if (kills % 10 === 0) say(`${kills} kills: ${JSON.stringify(await counts())}`)
  }
  const seconds = Math.round((performance.now() - began) / 1000)
  for (const { worker } of alive) {
    const ended = once(worker, 'exit')
    worker.kill('SIGKILL')
    await ended
  }
  const end = await counts()
  const broken = await brokenInvariants(db)
  const answers = await db.rows<{ told: string; count: number }>(sql`
    select step || ' ' || coalesce(answer, 'never noted') as told, count(*)::int from submission_attempts group by 1 order by 1`)
  say(`\nin ${seconds} s: ${kills} workers killed, ${retries} retries asked for`)
  say(`submissions: ${JSON.stringify(end)}; broken invariants: ${JSON.stringify(broken)}`)
  say(`the authority: ${JSON.stringify(authority.control.acceptances())}`)
  for (const { told, count } of answers) say(`  ${told}: ${count}`)
  const { mostOfOne, documents: registered } = authority.control.acceptances()
  const isWell =
    mostOfOne === 1 && registered === end.accepted && end.open + end.failed === 0 && Object.keys(broken).length === 0
  say(isWell ? 'HELD' : 'NOT HELD')
  await open.close()
  await authority.close()
  process.exitCode = isWell ? 0 : 1
}

await (process.argv[2] === 'worker' ? beWorker() : beProgramme())
