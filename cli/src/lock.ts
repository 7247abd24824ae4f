import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as pauseFor } from 'node:timers/promises'
import { exitCodes, Failure } from './failures.ts'

/** Longer than any work under a lock. Time in which the machine sleeps does not count. */
const longestLockMs = 60_000
const pauseMs = 50

/** Runs work that only one process may do at a time. A lock that a dead process left is broken. */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const own = `${hostname()} ${process.pid} ${randomUUID()}`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await take(path, own)
  try {
    return await work()
  } finally {
    if ((await holderOf(path)) === own) await rm(path, { force: true })
  }
}

const heartbeatMs = 20_000
/** A holder that gave no sign for so long has died, or its machine slept. */
const silentMs = 3 * heartbeatMs
/** What this process holds. After a restart in a container, another process had the same number. */
const ownLocks = new Set<string>()

/** Holds a file while work without end goes on. Returns how to let go of it, or `undefined` if another process holds it. */
export async function takeLock(path: string): Promise<(() => Promise<void>) | undefined> {
  const own = `${hostname()} ${process.pid} ${randomUUID()}`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  for (const end = performance.now() + longestLockMs; performance.now() < end; ) {
    if (await create(path, own)) {
      ownLocks.add(own)
      const beating = setInterval(() => {
        const now = new Date()
        utimes(path, now, now).catch(() => undefined)
      }, heartbeatMs).unref()
      return async () => {
        clearInterval(beating)
        ownLocks.delete(own)
        if ((await holderOf(path)) === own) await rm(path, { force: true })
      }
    }
    const holder = await holderOf(path)
    if (holder === undefined) continue
    const isOfAnEarlierRun = holder.startsWith(`${hostname()} ${process.pid} `) && !ownLocks.has(holder)
    if (!isOfAnEarlierRun && !isDead(holder) && !(await isSilent(path))) return undefined
    await breakLock(path, holder)
  }
  return undefined
}

/** The clock may have been set back meanwhile. */
async function isSilent(path: string): Promise<boolean> {
  const seen = await stat(path).catch(() => undefined)
  return seen !== undefined && Math.abs(Date.now() - seen.mtimeMs) > silentMs
}

async function take(path: string, own: string): Promise<void> {
  let seen: string | undefined
  let seenSince = performance.now()
  // Other processes may hold it one after the other.
  for (const end = performance.now() + 5 * longestLockMs; performance.now() < end; ) {
    if (await create(path, own)) return
    const holder = await holderOf(path)
    if (holder !== seen) {
      seen = holder
      seenSince = performance.now()
    }
    if (holder !== undefined && (isDead(holder) || performance.now() - seenSince > longestLockMs))
      await breakLock(path, holder)
    else await pauseFor(pauseMs * (0.5 + Math.random()))
  }
  throw new Failure(exitCodes.refused, `Another process holds ${path}. If none runs, delete the file.`)
}

async function create(path: string, own: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(own).finally(() => file.close())
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** `undefined` if nobody holds the lock. */
async function holderOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Only of this machine is it known which processes live. */
function isDead(holder: string): boolean {
  const [host, pid] = holder.split(' ')
  if (host !== hostname() || !/^\d+$/.test(pid ?? '')) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** One process after the other looks again before it removes the lock: otherwise a second one would remove the lock of the first. */
async function breakLock(path: string, holder: string): Promise<void> {
  const guard = `${path}.break`
  if (!(await create(guard, holder))) {
    const made = await stat(guard).catch(() => undefined)
    if (made && Date.now() - made.mtimeMs > longestLockMs) await rm(guard, { force: true })
    else await pauseFor(pauseMs)
    return
  }
  try {
    if ((await holderOf(path)) === holder) await rm(path, { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}
