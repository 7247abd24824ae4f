import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'

const MODULE = join(import.meta.dirname, 'embedded-postgres.ts')
const NOBODY = 65534

let root: string
let shared: string // one data directory for most tests, as creating one is the slow part
const servers: EmbeddedPostgres[] = []
const children: ChildProcess[] = []

beforeAll(() => {
  root = makeRoot()
  shared = join(root, 'shared')
})

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child)
  for (const server of servers.splice(0)) await server.stop()
})

afterAll(async () => {
  for (const name of fs.readdirSync(root)) await endServerOf(join(root, name))
  fs.rmSync(root, { recursive: true, force: true })
})

describe('embedded PostgreSQL', () => {
  it('creates its data on the first start and keeps them over a restart', async () => {
    const first = await start({ dataDir: shared })
    expect(first).toMatchObject({ fresh: true, adopted: false })
    await query(first, `create table kept as select 'kept' as word`)
    await first.stop()
    expect(first.pid()).toBeUndefined()

    const second = await start({ dataDir: shared })
    expect(second).toMatchObject({ fresh: false, adopted: false })
    expect(await query(second, 'select word from kept')).toEqual([{ word: 'kept' }])
  })

  it('is reachable only through a private socket, by connection and by URL', async () => {
    const server = await start({ dataDir: shared })
    const { host } = server.connection
    expect(fs.statSync(host).mode & 0o777).toBe(0o700)
    expect(host.length).toBeLessThan(80)
    expect(server.url).toBe(`postgresql://app@${encodeURIComponent(host)}:5432/postgres`)
    expect(await query(server, 'show listen_addresses', server.connection)).toEqual([{ listen_addresses: '' }])
    expect(await query(server, 'select current_user as me', server.url)).toEqual([{ me: 'app' }])
    await server.stop()
    expect(fs.existsSync(host)).toBe(false)
  })

  it('is durable by default, even if a server without durability is still running', async () => {
    const unsafe = await start({ dataDir: shared, durable: false })
    expect(await safety(unsafe)).toEqual(['off', 'off', 'off'])
    const safe = await start({ dataDir: shared })
    expect(await safety(safe)).toEqual(['on', 'on', 'on'])
    expect(unsafe.pid()).toBeUndefined()
  })

  it('has large shared buffers if it is durable', async () => {
    const server = await start({ dataDir: shared })
    expect(await query(server, 'show shared_buffers')).toEqual([{ shared_buffers: '256MB' }])
  })

  it('does not stop a server with other settings that is in use', async () => {
    const server = await start({ dataDir: shared })
    const client = new Client(server.url)
    await client.connect()
    await expect(start({ dataDir: shared, settings: { work_mem: '8MB' } })).rejects.toThrow(`See ${shared}.log`)
    expect(server.pid()).toBeDefined()
    await client.end()
  })

  it('adopts the server of a process that was killed', async () => {
    const parent = inAnotherProcess(shared, 'await new Promise(() => setInterval(() => {}, 1000))')
    const { pid } = await report(parent)
    await kill(parent)
    const server = await start({ dataDir: shared })
    expect(server.adopted).toBe(true)
    expect(server.pid()).toBe(pid)
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts again after the server itself was killed', async () => {
    const killed = await start({ dataDir: shared })
    await query(killed, 'create table survived (id int)')
    process.kill(killed.pid()!, 'SIGKILL')
    const server = await start({ dataDir: shared })
    expect(server).toMatchObject({ fresh: false, adopted: false })
    expect(await query(server, 'select * from survived')).toEqual([])
    expect(fs.existsSync(killed.connection.host)).toBe(false)
  })

  it('recognises that the process id of a dead server belongs to another program', async () => {
    const killed = await start({ dataDir: shared })
    process.kill(killed.pid()!, 'SIGKILL')
    const lock = join(shared, 'postmaster.pid')
    fs.writeFileSync(lock, fs.readFileSync(lock, 'utf8').replace(/^\d+/, String(process.pid)))
    const server = await start({ dataDir: shared })
    expect(server.adopted).toBe(false)
    expect(server.pid()).not.toBe(process.pid)
  })

  it('starts during a shutdown, at any moment', async () => {
    let server = await start({ dataDir: shared })
    for (let delay = 0; delay < 40; delay += 8) {
      await query(server, 'create table if not exists filler (id int)')
      await query(server, 'insert into filler select generate_series(1, 5000)') // something to write at the end
      const stopping = server.stop()
      await sleep(delay)
      const next = await start({ dataDir: shared })
      await stopping
      await query(next, 'select 1')
      expect(next.pid()).toBeDefined()
      expect(next.pid()).not.toBe(server.pid())
      server = next
    }
  })

  it('can be stopped twice, and never stops a later server', async () => {
    const first = await start({ dataDir: shared })
    await Promise.all([first.stop(), first.stop()])
    const second = await start({ dataDir: shared })
    await first.stop()
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is shared by processes that start concurrently on a new data directory', async () => {
    const dataDir = join(root, 'raced')
    const reports = await Promise.all([1, 2].map(() => report(inAnotherProcess(dataDir))))
    expect(new Set(reports.map(({ pid }) => pid)).size).toBe(1)
    expect(reports.map(({ fresh }) => fresh).sort()).toEqual([false, true])
    expect(reports.filter(({ adopted }) => !adopted)).toHaveLength(1)
    const server = await start({ dataDir })
    expect(server.pid()).toBe(reports[0]?.pid)
  })

  it('recovers from an initdb that was killed halfway', async () => {
    const dataDir = join(root, 'halfway')
    const parent = inAnotherProcess(dataDir)
    const draft = await untilDefined(() => draftsOf(dataDir).find((path) => fs.existsSync(join(path, 'PG_VERSION'))))
    await kill(parent)
    await killGroup(leaderAt(draft))
    expect(fs.existsSync(dataDir)).toBe(false)
    expect(draftsOf(dataDir)).toEqual([draft])
    const longAgo = Date.now() / 1000 - 3600
    fs.utimesSync(draft, longAgo, longAgo)

    const server = await start({ dataDir, durable: false })
    expect(server.fresh).toBe(true)
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(draftsOf(dataDir)).toEqual([])
  })

  it('says in plain words why PostgreSQL does not start', async () => {
    await expect(start({ dataDir: shared, settings: { nonsense: '1' } })).rejects.toThrow(
      `PostgreSQL did not start: unrecognized configuration parameter "nonsense". See ${shared}.log.`,
    )
  })

  const uid = ordinaryUser()
  it(`runs as ${uid === NOBODY ? 'an ordinary user' : 'the current user'} (uid ${uid})`, async () => {
    const home = join(root, 'home')
    fs.mkdirSync(home)
    if (uid === NOBODY) fs.chownSync(home, NOBODY, NOBODY)
    const dataDir = join(home, 'data')
    const child = inAnotherProcess(dataDir, 'await server.stop()', uid === NOBODY ? NOBODY : undefined)
    expect(await report(child)).toMatchObject({ uid, fresh: true, adopted: false })
    expect(await exitCode(child)).toBe(0)
    expect(fs.statSync(dataDir).uid).toBe(uid)
    expect(fs.existsSync(join(dataDir, 'postmaster.pid'))).toBe(false)
  })
})

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(options)
  servers.push(server)
  return server
}

async function query(server: EmbeddedPostgres, sql: string, how: string | EmbeddedPostgres['connection'] = server.url) {
  const client = new Client(how)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function safety(server: EmbeddedPostgres): Promise<string[]> {
  const names = ['fsync', 'synchronous_commit', 'full_page_writes']
  const rows = await Promise.all(names.map((name) => query(server, `show ${name}`)))
  return rows.map(([row], index) => row[names[index]!])
}

/** A process that starts a server, reports it as a line of JSON, and does what is asked then. */
function inAnotherProcess(dataDir: string, andThen = '', user?: number): ChildProcess {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)}
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} })
    const { fresh, adopted } = server
    process.stdout.write(JSON.stringify({ pid: server.pid(), uid: process.getuid(), fresh, adopted }) + '\\n')
    ${andThen}`
  const credentials = user === undefined ? {} : { uid: user, gid: user }
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    ...credentials,
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

async function report(child: ChildProcess): Promise<{ pid: number; uid: number; fresh: boolean; adopted: boolean }> {
  const [line] = await once(child.stdout!, 'data')
  return JSON.parse(String(line))
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await exitCode(child)
}

/** For what a failed test leaves behind. */
async function endServerOf(dataDir: string): Promise<void> {
  const lock = join(dataDir, 'postmaster.pid')
  if (!fs.existsSync(lock)) return
  process.kill(Number.parseInt(fs.readFileSync(lock, 'utf8'), 10), 'SIGINT')
  await untilDefined(() => !fs.existsSync(lock) || undefined)
}

/** The uid that stands for an ordinary user: nobody, if we can switch to it and it can read this checkout. */
function ordinaryUser(): number {
  const uid = process.getuid?.() ?? -1
  if (uid !== 0) return uid
  const place = makeRoot()
  const script = `fs.readFileSync(${JSON.stringify(MODULE)}); fs.accessSync(${JSON.stringify(place)})`
  const { status } = spawnSync(process.execPath, ['--eval', script], { uid: NOBODY, gid: NOBODY, cwd: '/' })
  fs.rmdirSync(place)
  return status === 0 ? NOBODY : uid
}

/** Others may pass through, so that an ordinary user gets to its own directory in there. */
function makeRoot(): string {
  const path = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'embedded-postgres-test-'))
  fs.chmodSync(path, 0o711)
  return path
}

function draftsOf(dataDir: string): string[] {
  const names = fs.readdirSync(root).filter((name) => name.startsWith(`${basename(dataDir)}.initdb-`))
  return names.map((name) => join(root, name))
}

/** The process with this path on its command line, which leads a group of its own. */
function leaderAt(path: string): number {
  const lines = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' }).stdout.split('\n')
  return Number.parseInt(lines.find((line) => line.includes(path)) ?? '', 10)
}

async function killGroup(leader: number): Promise<void> {
  expect(leader).toBeGreaterThan(1) // anything else would address processes that are not ours
  process.kill(-leader, 'SIGKILL')
  await untilDefined(() => !isAlive(-leader) || undefined)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const untilDefined = <T>(look: () => T | undefined): Promise<T> =>
  eventually(async () => {
    const found = look()
    if (found === undefined) throw new Error('It did not happen.')
    return found
  })
