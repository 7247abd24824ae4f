import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** `npm run faults:failover` and `npm run faults:restore` run their test in namespaces of its own. */
const [which = 'failover'] = process.argv.slice(2)
const needed = [
  { package: 'postgresql-15', program: '/usr/lib/postgresql/15/bin/postgres' },
  { package: 'patroni', program: '/usr/bin/patroni' },
  { package: 'etcd-server', program: '/usr/bin/etcd' },
  { package: 'haproxy', program: '/usr/sbin/haproxy' },
  { package: 'pgbouncer', program: '/usr/sbin/pgbouncer' },
  { package: 'pgbackrest', program: '/usr/bin/pgbackrest' },
  { package: 'iproute2', program: '/usr/sbin/ip' },
  { package: 'util-linux', program: '/usr/bin/unshare' },
]

const fail = (text: string): never => {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

const missing = needed.filter(({ program }) => !existsSync(program)).map((one) => one.package)
if (missing.length > 0) fail(`Missing: ${missing.join(', ')}. On Debian 12: apt-get install ${missing.join(' ')}`)
if (process.getuid?.() !== 0) fail('This test makes network namespaces. Run it as root.')

const checkout = join(import.meta.dirname, '../..')
const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
// The first process of the namespace has to collect processes that ended. A shell does that, and Node does not.
const shell = ['sh', '-c', 'ip link set lo up && "$@"; exit $?', 'sh']
// Each file has the ports and the processors for itself.
const files = ['--no-file-parallelism', `test/failover/${which}`]
const vitest = [join(checkout, 'node_modules/.bin/vitest'), 'run', ...files]
const { status } = spawnSync('unshare', [...namespaces, ...shell, ...vitest], {
  cwd: checkout,
  stdio: 'inherit',
  env: { ...process.env, FAILOVER: '1' },
})
process.exit(status ?? 1)
