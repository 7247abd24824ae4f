import { readdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
/** Space for all databases of a run, plus a reserve for other programs. */
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

/** Databases of killed runs would occupy memory until the next reboot. */
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
 * The folder for a run's hundreds of databases of 800 files each. Creating one takes 0.1 s in memory and up to 1 s on
 * disk. Falls back to the disk if memory is scarce or not usable.
 */
export async function placeForDatabases(): Promise<string> {
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }))
  if (Math.min(bavail * bsize, freemem()) < roomNeeded) return tmpdir()
  await removeAbandoned()
  return inMemory
}
