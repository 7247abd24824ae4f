import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, open, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Addresses in the namespaces that `run.ts` makes. The range is reserved for tests of networks, and no route leads out
 * of the namespaces.
 */
const networkOf = (host: number) => `198.18.0.${host}`
const site = networkOf(1)
const etcdPort = 2379
const patroniPort = 8008
const postgresPort = 5432
const haproxyPort = 5000
const pgbouncerPort = 6432
const binaries = '/usr/lib/postgresql/15/bin'

export const patroniTimes = { ttlSeconds: 20, loopSeconds: 5 }

export type MemberName = 'one' | 'two'

/** One PostgreSQL server under Patroni, in its own network namespace and on its own small disk. */
export interface Member {
  readonly name: MemberName
  readonly address: string
  /** whether Patroni says that this member is the primary */
  isPrimary(): Promise<boolean>
  /** whether Patroni says that this member is a standby that receives the log */
  isStandby(): Promise<boolean>
  start(): Promise<void>
  /** kills Patroni and every PostgreSQL process without a warning */
  kill(): Promise<void>
  /** cuts the member off from everybody, or connects it again */
  isolate(isCut: boolean): Promise<void>
  /** cuts the member off from the other one only, or connects them again */
  part(from: Member, isCut: boolean): Promise<void>
  /** fills the disk to the last byte, or makes room again */
  fillDisk(isFull: boolean): Promise<void>
}

export interface Cluster {
  readonly members: Readonly<Record<MemberName, Member>>
  /** leads to the primary through HAProxy */
  readonly url: (user: string) => string
  /** leads to the primary through PgBouncer and HAProxy */
  readonly pooledUrl: (user: string) => string
  primary(): Promise<Member | undefined>
  /** waits until there is a primary with a standby that confirms every commit */
  untilHealthy(): Promise<void>
  /** waits until Patroni lets the primary go on without its standby */
  untilAlone(primary: Member): Promise<void>
  /** asks Patroni to make the standby the primary */
  switchOver(): Promise<void>
}

const roles = { owner: 'risiti_owner', app: 'risiti_app' }
export const clusterRoles = roles

/** Runs a program as the user that owns the data, because PostgreSQL refuses to run as root. */
const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']

const started = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

/** Starts a program whose output goes to a file in the folder of the run. */
async function startProgram(folder: string, name: string, command: readonly string[]): Promise<ChildProcess> {
  const log = await open(join(folder, `${name}.log`), 'a')
  const [program, ...args] = command as [string, ...string[]]
  const child = spawn(program, args, { stdio: ['ignore', log.fd, log.fd], cwd: folder })
  await log.close()
  started.add(child)
  child.once('exit', () => started.delete(child))
  return child
}

export async function untilTrue(what: string, ask: () => Promise<boolean>, seconds = 120): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  while (performance.now() < deadline) {
    if (await ask().catch(() => false)) return
    await wait(100)
  }
  throw new Error(`${what} did not come about within ${seconds} seconds`)
}

async function answers(url: string): Promise<boolean> {
  const { ok, body } = await fetch(url, { signal: AbortSignal.timeout(1_000) })
  await body?.cancel()
  return ok
}

function patroniConfig(folder: string, name: MemberName, address: string, data: string): string {
  return `
scope: risiti
name: ${name}
restapi: { listen: '${address}:${patroniPort}', connect_address: '${address}:${patroniPort}' }
etcd3: { host: '${site}:${etcdPort}' }
bootstrap:
  dcs:
    ttl: ${patroniTimes.ttlSeconds}
    loop_wait: ${patroniTimes.loopSeconds}
    retry_timeout: 5
    primary_start_timeout: 0
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 200
        shared_buffers: 64MB
        max_wal_size: 128MB
        min_wal_size: 64MB
        wal_keep_size: 96MB
        # How long a commit waits for a standby that does not answer.
        wal_sender_timeout: 5s
        wal_receiver_timeout: 5s
  initdb: [{ encoding: UTF8 }, { locale: C.UTF-8 }, data-checksums]
  pg_hba:
    - local all all trust
    - host all all 198.18.0.0/24 trust
    - host replication all 198.18.0.0/24 trust
postgresql:
  listen: '${address}:${postgresPort}'
  connect_address: '${address}:${postgresPort}'
  data_dir: ${data}
  bin_dir: ${binaries}
  pgpass: ${join(folder, `pgpass-${name}`)}
  authentication:
    superuser: { username: postgres }
    replication: { username: replicator }
    rewind: { username: postgres }
  parameters: { unix_socket_directories: '${data}-sockets' }
`
}

function haproxyConfig(members: readonly Member[]): string {
  const servers = members.map(
    ({ name, address }) => `  server ${name} ${address}:${postgresPort} check port ${patroniPort}`,
  )
  return `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen postgres
  bind 127.0.0.1:${haproxyPort}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}

const pgbouncerConfig = (folder: string): string => `
[databases]
risiti = host=127.0.0.1 port=${haproxyPort} dbname=risiti
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pgbouncerPort}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 10
ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout, options
pidfile = ${join(folder, 'pgbouncer.pid')}
`

/** A process that does nothing but hold a network namespace open. */
async function newNamespace(folder: string, name: string): Promise<number> {
  const holder = await startProgram(folder, `namespace-${name}`, ['unshare', '--net', 'sleep', 'infinity'])
  const pid = holder.pid as number
  const own = (await run('readlink', ['/proc/self/ns/net'])).stdout
  await untilTrue('a namespace', async () => (await run('readlink', [`/proc/${pid}/ns/net`])).stdout !== own)
  return pid
}

async function newMember(folder: string, name: MemberName, host: number): Promise<Member> {
  const address = networkOf(host)
  const namespace = await newNamespace(folder, name)
  const link = `to-${name}`
  const inside = ['nsenter', `--net=/proc/${namespace}/ns/net`]
  const within = (...command: string[]) => run('nsenter', [...inside.slice(1), ...command])
  await run('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'to-site', 'netns', String(namespace)])
  await run('ip', ['link', 'set', link, 'master', 'site', 'up'])
  await within('ip', 'address', 'add', `${address}/24`, 'dev', 'to-site')
  await within('ip', 'link', 'set', 'to-site', 'up')
  await within('ip', 'link', 'set', 'lo', 'up')

  const disk = join(folder, `disk-${name}`)
  const data = join(disk, 'data')
  const ballast = join(disk, 'ballast')
  await mkdir(disk)
  await run('mount', ['-t', 'tmpfs', '-o', 'size=1200m,mode=755', 'tmpfs', disk])
  await mkdir(`${data}-sockets`)
  await run('chown', ['postgres:postgres', disk, `${data}-sockets`])
  const config = join(folder, `patroni-${name}.yaml`)
  await writeFile(config, patroniConfig(folder, name, address, data))

  const says = (role: string) => answers(`http://${address}:${patroniPort}/${role}`).catch(() => false)
  return {
    name,
    address,
    isPrimary: () => says('primary'),
    isStandby: () => says('replica'),
    async start() {
      await startProgram(folder, `patroni-${name}`, [...inside, ...asPostgres, '/usr/bin/patroni', config])
    },
    async kill() {
      // Everything in the member's network namespace, except the process that holds the namespace.
      const { stdout } = await run('sh', [
        '-c',
        `for p in /proc/[0-9]*; do [ "$(readlink $p/ns/net)" = "$(readlink /proc/${namespace}/ns/net)" ] && echo "\${p#/proc/}"; done; true`,
      ])
      const pids = stdout
        .split('\n')
        .map(Number)
        .filter((pid) => pid > 1 && pid !== namespace)
      for (const pid of pids)
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // The process ended by itself.
        }
    },
    async isolate(isCut) {
      await run('ip', ['link', 'set', link, isCut ? 'down' : 'up'])
    },
    async part(from, isCut) {
      await within('ip', 'route', isCut ? 'add' : 'del', 'blackhole', `${from.address}/32`)
    },
    async fillDisk(isFull) {
      // `fallocate` fails at the end of the disk, so `dd` writes the rest.
      if (isFull) await run('sh', ['-c', `dd if=/dev/zero of=${ballast} bs=64k 2>/dev/null; true`])
      else await run('rm', ['-f', ballast])
    },
  }
}

/** Starts etcd, both members, HAProxy and PgBouncer, and creates the roles and the database. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'risiti-failover-'))
  await run('chown', ['postgres:postgres', folder])
  await run('chmod', ['755', folder])
  process.stdout.write(`the logs of the cluster are in ${folder}\n`)
  await run('mount', ['--make-rprivate', '/'])
  await run('ip', ['link', 'add', 'site', 'type', 'bridge'])
  await run('ip', ['address', 'add', `${site}/24`, 'dev', 'site'])
  await run('ip', ['link', 'set', 'site', 'up'])

  const etcdUrl = `http://${site}:${etcdPort}`
  await startProgram(folder, 'etcd', [
    'etcd',
    '--data-dir',
    join(folder, 'etcd'),
    '--listen-client-urls',
    etcdUrl,
    '--advertise-client-urls',
    etcdUrl,
    '--listen-peer-urls',
    'http://127.0.0.1:2380',
  ])
  await untilTrue('etcd', () => answers(`${etcdUrl}/health`))

  const one = await newMember(folder, 'one', 11)
  const two = await newMember(folder, 'two', 12)
  const both = [one, two]
  await one.start()
  await untilTrue('the first primary', () => one.isPrimary())
  await two.start()

  await writeFile(join(folder, 'haproxy.cfg'), haproxyConfig(both))
  await startProgram(folder, 'haproxy', ['haproxy', '-f', join(folder, 'haproxy.cfg'), '-db'])
  await writeFile(
    join(folder, 'users.txt'),
    Object.values(roles)
      .map((role) => `"${role}" ""\n`)
      .join(''),
  )
  await writeFile(join(folder, 'pgbouncer.ini'), pgbouncerConfig(folder))
  await startProgram(folder, 'pgbouncer', [...asPostgres, 'pgbouncer', join(folder, 'pgbouncer.ini')])

  const primary = async () => {
    for (const member of both) if (await member.isPrimary()) return member
    return undefined
  }
  const psql = (address: string, statement: string) =>
    run(`${binaries}/psql`, ['-X', '-A', '-t', '-h', address, '-U', 'postgres', '-d', 'postgres', '-c', statement])
  const healthy = () =>
    untilTrue(
      'a primary with a standby that confirms every commit',
      async () => {
        const leader = await primary()
        if (!leader) return false
        const { stdout } = await psql(
          leader.address,
          `select count(*) from pg_stat_replication where sync_state = 'sync'`,
        )
        return Number(stdout) === 1
      },
      180,
    )
  await healthy()
  for (const statement of [
    `create role ${roles.owner} login`,
    `create role ${roles.app} login`,
    `create database risiti owner ${roles.owner}`,
    ...[
      `statement_timeout = '10s'`,
      `lock_timeout = '8s'`,
      `idle_in_transaction_session_timeout = '15s'`,
      'plan_cache_mode = force_generic_plan',
      'jit = off',
    ].map((setting) => `alter role ${roles.app} set ${setting}`),
  ])
    await psql(one.address, statement)
  const urlAt = (port: number) => (user: string) => `postgresql://${user}@127.0.0.1:${port}/risiti`
  return {
    members: { one, two },
    url: urlAt(haproxyPort),
    pooledUrl: urlAt(pgbouncerPort),
    primary,
    untilHealthy: healthy,
    untilAlone: ({ address }) =>
      untilTrue('a primary that waits for no standby', async () => {
        const { stdout } = await psql(address, 'show synchronous_standby_names')
        return stdout.trim() === ''
      }),
    async switchOver() {
      const leader = await primary()
      if (!leader) throw new Error('there is no primary')
      const { ok, status } = await fetch(`http://${leader.address}:${patroniPort}/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader: leader.name }),
      })
      if (!ok) throw new Error(`Patroni refused the switchover with ${status}`)
    },
  }
}
