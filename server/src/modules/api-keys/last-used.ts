import type { ApiKeyId } from '../../kernel/ids.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/logger.ts'
import { saveLastUsed } from './api-keys.store.ts'

const flushMs = 5000

/** Notes when keys were used, in memory, and writes the notes behind: a request does not wait for it. */
export interface LastUsed {
  note(id: ApiKeyId): void
  flush(): Promise<void>
  start(): void
  stop(): Promise<void>
}

export function createLastUsed(db: Queryable, clock: Clock, log: Logger): LastUsed {
  let noted = new Map<ApiKeyId, Date>()
  let timer: NodeJS.Timeout | undefined

  async function flush() {
    if (noted.size === 0) return
    const uses = [...noted].map(([id, at]) => ({ id, at }))
    noted = new Map()
    await saveLastUsed(db, uses).catch((error: unknown) =>
      log.warn('last_used.not_written', { count: uses.length, error }),
    )
  }

  return {
    note: (id) => void noted.set(id, clock.now()),
    flush,
    start() {
      timer ??= setInterval(() => void flush(), flushMs).unref()
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await flush()
    },
  }
}
