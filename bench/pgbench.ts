import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Pgbench {
  readonly connection: string
  /** scripts of equal weight */
  readonly files: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  readonly clients: number
  readonly seconds: number
}

/** Transactions per second of the database alone. `undefined` if pgbench is not installed. */
export async function pgbenchPerSecond(bench: Pgbench): Promise<number | undefined> {
  const url = new URL(bench.connection)
  const args = [
    ...['-h', decodeURIComponent(url.hostname || (url.searchParams.get('host') ?? '')), '-p', url.port || '5432'],
    ...[
      '-U',
      decodeURIComponent(url.username),
      '-n',
      '-M',
      'prepared',
      '-c',
      String(bench.clients),
      '-j',
      String(Math.min(2, bench.clients)),
    ],
    ...['-T', String(bench.seconds)],
    ...Object.entries(bench.variables ?? {}).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    ...bench.files.flatMap((file) => ['-f', file]),
    url.pathname.slice(1),
  ]
  try {
    const { stdout } = await run('pgbench', args, { maxBuffer: 64 * 1024 * 1024 })
    const figure = /tps = ([\d.]+)/.exec(stdout)?.[1]
    if (figure === undefined) throw new Error(`pgbench gave no figure: ${stdout.slice(-500)}`)
    return Number(figure)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}
