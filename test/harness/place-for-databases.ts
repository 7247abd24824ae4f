import { readdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
/** What the databases of a whole run come to, and room for everybody else. */
const roomNeeded = 12 * 2 ** 30
const anHourMs = 3_600_000

export const homePrefix = 'risiti-test-'

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** What killed runs left would take up memory until the machine is started anew. */
async function removeAbandoned(): Promise<void> {
  const names = (await readdir(inMemory)).filter((name) => name.startsWith(homePrefix))
  for (const home of names.map((name) => join(inMemory, name))) {
    const lock = await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
    const { mtimeMs } = await stat(home).catch(() => ({ mtimeMs: Date.now() }))
    if (!isAlive(Number.parseInt(lock, 10)) && Date.now() - mtimeMs > anHourMs)
      await rm(home, { recursive: true, force: true })
  }
}

/**
 * Where a run keeps its databases: hundreds of them, of eight hundred files each. In memory one is made in a tenth of a second, on a disk it takes up to a
 * whole one. Where memory is scarce or cannot be used so, they are on the disk.
 */
export async function placeForDatabases(): Promise<string> {
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }))
  if (Math.min(bavail * bsize, freemem()) < roomNeeded) return tmpdir()
  await removeAbandoned()
  return inMemory
}
