import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const binaries = '/usr/lib/postgresql/15/bin'
const port = 5434
const asPostgres = ['--reuid=postgres', '--regid=postgres', '--clear-groups']

/** A PostgreSQL server whose log pgBackRest archives. */
export interface ArchivedServer {
  readonly url: (user: string) => string
  readonly port: number
  /** the server's time, to which it can be restored */
  now(): Promise<string>
  psql(statement: string): Promise<string>
  backUp(): Promise<void>
  /** stops the server, restores it to a moment, and starts it again */
  restoreTo(moment: string): Promise<void>
  stop(): Promise<void>
}

export async function startArchivedServer(): Promise<ArchivedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'risiti-restore-'))
  const data = join(folder, 'data')
  const config = join(folder, 'pgbackrest.conf')
  const log = join(folder, 'postgres.log')
  process.stdout.write(`the logs of the server are in ${folder}\n`)
  for (const name of ['repository', 'log', 'lock', 'spool']) await mkdir(join(folder, name))
  await writeFile(
    config,
    `
[global]
repo1-path=${join(folder, 'repository')}
log-path=${join(folder, 'log')}
lock-path=${join(folder, 'lock')}
spool-path=${join(folder, 'spool')}
start-fast=y
archive-timeout=120
[risiti]
pg1-path=${data}
pg1-port=${port}
pg1-socket-path=${folder}
`,
  )
  await run('chown', ['-R', 'postgres:postgres', folder])
  await run('chmod', ['755', folder])
  const asOwner = (program: string, ...args: string[]) => run('setpriv', [...asPostgres, program, ...args])
  const backrest = (...args: string[]) => asOwner('pgbackrest', `--config=${config}`, '--stanza=risiti', ...args)
  const start = () => asOwner(`${binaries}/pg_ctl`, '-D', data, '-l', log, '-w', '-t', '120', 'start')
  const stop = () => asOwner(`${binaries}/pg_ctl`, '-D', data, '-m', 'fast', '-w', 'stop')
  const psql = async (statement: string) => {
    const args = ['-X', '-A', '-t', '-h', folder, '-p', String(port), '-d', 'postgres', '-c', statement]
    return (await asOwner(`${binaries}/psql`, ...args)).stdout.trim()
  }

  await asOwner(`${binaries}/initdb`, '-D', data, '--encoding=UTF8', '--locale=C.UTF-8', '--auth=trust')
  await writeFile(
    join(data, 'postgresql.auto.conf'),
    `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${folder}'
archive_mode = on
archive_command = 'pgbackrest --config=${config} --stanza=risiti archive-push %p'
archive_timeout = 5
max_connections = 200
shared_buffers = 64MB
`,
  )
  await start()
  await backrest('stanza-create')
  return {
    url: (user) => `postgresql://${user}@127.0.0.1:${port}/risiti`,
    port,
    now: () => psql('select clock_timestamp()'),
    psql,
    async backUp() {
      await backrest('backup', '--type=full')
    },
    async restoreTo(moment) {
      // The last log is archived before the server stops.
      await psql('select pg_switch_wal()')
      await stop()
      await backrest('restore', '--delta', '--type=time', `--target=${moment}`, '--target-action=promote')
      await start()
      for (let asked = 0; asked < 300 && (await psql('select pg_is_in_recovery()')) !== 'f'; asked++)
        await psql('select pg_sleep(0.1)')
    },
    stop: async () => void (await stop()),
  }
}
