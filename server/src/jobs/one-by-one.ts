import { isConnectionFailure } from '../platform/database/database.ts'
import type { Logger } from '../platform/logger.ts'

interface Owned {
  readonly organisationId: string
  readonly mode?: string
  readonly id?: string
}

/** Whatever is wrong with one is logged and does not hold up the others. Gives how many failed. Without a database it is no use to go on. */
export async function oneByOne<Item extends Owned>(
  log: Logger,
  complaint: string,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<number> {
  let failed = 0
  for (const item of items)
    await work(item).catch((error: unknown) => {
      if (isConnectionFailure(error)) throw error
      log.error(complaint, { organisationId: item.organisationId, mode: item.mode, reference: item.id, error })
      failed++
    })
  return failed
}
