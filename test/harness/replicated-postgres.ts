import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { bringUpToDate } from '../../server/src/platform/database/bring-up-to-date.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { silentLogger } from '../../server/src/platform/logger.ts'
import type { DatabaseLogin, TestDatabase } from './database.ts'
import { homePrefix, placeForDatabases } from './place-for-databases.ts'

const run = promisify(execFile)
const serviceRole = 'risiti_app'

export interface ReplicatedPostgres {
  readonly primary: TestDatabase
  /** the standby, as the service and as the owner; the address stays the same when it is started again */
  readonly standby: TestDatabase
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
  killStandby(): void
  startStandby(): Promise<void>
  /** starts a second standby, which follows the first one */
  startFollower(): Promise<TestDatabase>
  /** makes the first standby a primary */
  promoteStandby(): Promise<void>
  /** the log of the standby */
  standbyLog(): Promise<string>
  stop(): Promise<void>
}

/** A primary with a streaming standby, both from the embedded PostgreSQL. Commits wait for their flush, as in production. */
export async function startReplicatedPostgres(more: Record<string, string> = {}): Promise<ReplicatedPostgres> {
  const home = await mkdtemp(join(await placeForDatabases(), homePrefix))
  const [primaryDir, standbyDir, followerDir, standbySockets] = [
    join(home, 'postgres'),
    join(home, 'standby'),
    join(home, 'follower'),
    join(home, 'sockets'),
  ]
  const settings = { max_connections: '250', synchronous_commit: 'on', ...more }
  const startPrimary = () => startEmbeddedPostgres({ dataDir: primaryDir, durable: false, settings })

  const first = await startPrimary()
  const urls = { owner: first.url, service: first.urlOf(serviceRole), serviceRole }
  await bringUpToDate(urls, silentLogger)
  await first.stop()
  // A copy of a server that was shut down needs no backup mode.
  for (const copy of [standbyDir, followerDir]) {
    await run('cp', ['-a', primaryDir, copy])
    await writeFile(join(copy, 'standby.signal'), '')
  }

  const primary = await startPrimary()
  const { host, port, user, database } = primary.connection
  const follow = (server: string, dataDir: string) => {
    const primary_conninfo = `host=${server} port=${port} user=${user}`
    return startEmbeddedPostgres({ dataDir, durable: false, settings: { ...settings, primary_conninfo } })
  }
  const startStandby = async () => {
    const started = await follow(host, standbyDir)
    await unlink(standbySockets).catch(() => {})
    await symlink(started.connection.host, standbySockets)
    return started
  }
  let standby = await startStandby()
  let follower: EmbeddedPostgres | undefined

  const login = (at: string, as: string): DatabaseLogin => ({
    host: at,
    port,
    user: as,
    database,
    url: `postgresql://${as}@${encodeURIComponent(at)}:${port}/${database}`,
  })
  const onStandby = async (statement: string) => {
    const client = new pg.Client({ host: standbySockets, port, user, database })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  return {
    primary: { ...login(host, serviceRole), owner: login(host, user) },
    standby: { ...login(standbySockets, serviceRole), owner: login(standbySockets, user) },
    pauseReplay: () => onStandby('select pg_wal_replay_pause()'),
    resumeReplay: () => onStandby('select pg_wal_replay_resume()'),
    killStandby() {
      const pid = standby.pid()
      if (pid === undefined) throw new Error('the standby does not run')
      process.kill(pid, 'SIGKILL')
    },
    async startStandby() {
      standby = await startStandby()
    },
    async startFollower() {
      follower = await follow(standby.connection.host, followerDir)
      return { ...login(follower.connection.host, serviceRole), owner: login(follower.connection.host, user) }
    },
    promoteStandby: () => onStandby('select pg_promote()'),
    standbyLog: () => readFile(`${standbyDir}.log`, 'utf8'),
    async stop() {
      await follower?.stop()
      await standby.stop()
      await primary.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
