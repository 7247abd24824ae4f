import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

/** A PostgreSQL server on this machine. */
export interface LocalServer {
  readonly host: string
  readonly port: number
}

const ticksPerSecond = 100

/** Times of a process in ticks: its own, and those of its children that have ended. */
async function timesOf(pid: string): Promise<{ parent: string; own: number; ended: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name of the program stands in brackets and may contain anything.
  const words = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  if (!words) return undefined
  const [user, system, endedUser, endedSystem] = words.slice(11, 15).map(Number) as [number, number, number, number]
  return { parent: words[1] as string, own: user + system, ended: endedUser + endedSystem }
}

/** Milliseconds of CPU that a server has used since its start, with all its processes. Linux only. */
export async function cpuMsOf({ host, port }: LocalServer, user: string): Promise<number> {
  const client = new pg.Client({ host, port, user, database: 'postgres' })
  await client.connect()
  const { rows } = await client.query<{ pid: string }>(
    `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid`,
  )
  await client.end()
  const server = (rows[0] as { pid: string }).pid
  for (let tries = 1; ; tries++) {
    const before = await timesOf(server)
    let ticks = (before?.own ?? 0) + (before?.ended ?? 0)
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const times = await timesOf(pid)
      if (times?.parent === server) ticks += times.own
    }
    // A process that ended meanwhile would be missing, or counted twice.
    if ((await timesOf(server))?.ended === before?.ended || tries === 20) return (ticks * 1_000) / ticksPerSecond
  }
}
