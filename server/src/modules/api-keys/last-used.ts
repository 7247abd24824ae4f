import type { ApiKeyId, OrganisationId } from '../../kernel/ids.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { writeAllButRefused } from '../../platform/database/write-all-but-refused.ts'
import type { Logger } from '../../platform/logger.ts'
import { type KeyUse, saveLastUsed } from './api-keys.store.ts'

const flushMs = 5000

/** Records uses of keys in memory and writes them in the background. No request waits. */
export interface LastUsed {
  note(organisationId: OrganisationId, id: ApiKeyId): void
  flush(): Promise<void>
  start(): void
  stop(): Promise<void>
}

export function createLastUsed(db: Queryable, clock: Clock, log: Logger): LastUsed {
  let noted = new Map<ApiKeyId, KeyUse>()
  let timer: NodeJS.Timeout | undefined

  async function flush() {
    if (noted.size === 0) return
    // Sorted, so that two nodes with the same keys rarely deadlock. After a deadlock, one node writes its uses with the
    // next batch.
    const uses = [...noted.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
    noted = new Map()
    try {
      // Writes the uses of all organisations together. A row that the database refuses does not affect the others.
      const { refused, error } = await writeAllButRefused(uses, (some) => saveLastUsed(db, some))
      for (const { organisationId, id } of refused) log.error('last_used.refused', { organisationId, keyId: id, error })
    } catch (error) {
      log.warn('last_used.not_written', { count: uses.length, error })
      for (const use of uses) if (!noted.has(use.id)) noted.set(use.id, use)
    }
  }

  return {
    note: (organisationId, id) => void noted.set(id, { organisationId, id, at: clock.now() }),
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
