import { asSingleLine } from '../../../kernel/plain-text.ts'
import { isPassingFailure } from '../../../platform/database/database.ts'
import { failureReason } from '../../../platform/failure-reason.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import type { CollectionProvider, Transfer, UnreadableEntry } from '../providers/collection-provider.ts'
import type { Feed } from './notifications.store.ts'
import {
  type DueStray,
  listStraysDue,
  type Stray,
  saveStray,
  saveStrayLater,
  saveStrayTakenIn,
} from './strays.store.ts'
import { bringIn, type TakenTransfer } from './take-transfer.ts'

type Context = Pick<Runtime, 'db' | 'clock' | 'log'>

const firstWaitMs = 60_000
const longestWaitMs = 6 * 3600_000
/** 36 attempts take about a week. After that only a person can help. */
const mostTries = 36
const askedAtOnce = 50
const askWithinMs = 10_000

const nextTry = (now: Date, tries: number): Date =>
  new Date(now.getTime() + Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries, 16)))

/** If the database is unavailable, the transfer is not at fault, and the next sweep repeats everything. */
function throwIfPassing(error: unknown): void {
  if (isPassingFailure(error)) throw error
}

/** Stores a stray with its reason. If even that fails, the log has it. */
async function keep({ db, log }: Context, feed: Feed, stray: Stray, error?: unknown): Promise<void> {
  const { reference, reason, detail } = stray
  const fields = { provider: feed.provider, mode: feed.mode, reference, reason: detail ?? reason }
  try {
    if (await saveStray(db, feed, stray)) log.error('collection.transfer_set_aside', { ...fields, error })
  } catch (fault) {
    throwIfPassing(fault)
    log.error('collection.transfer_not_kept', { ...fields, error: fault })
  }
}

/** Stores entries that cannot be parsed. */
export async function setAsideUnreadable(
  context: Context,
  feed: Feed,
  entries: readonly UnreadableEntry[],
): Promise<void> {
  const foundAt = context.clock.now()
  for (const { reference, hasReference, detail, entry } of entries)
    await keep(context, feed, {
      reference,
      reason: 'unreadable',
      detail,
      entry,
      foundAt,
      ...(hasReference ? { dueAt: nextTry(foundAt, 0) } : {}),
    })
}

/**
 * Records one transfer. A transfer that cannot be recorded is stored as a stray with its reason, so that the others
 * continue.
 */
export async function takeIn(
  context: Context,
  runner: Runner,
  feed: Feed,
  transfer: Transfer,
): Promise<TakenTransfer | undefined> {
  try {
    return await bringIn(context, runner, feed, transfer)
  } catch (error) {
    throwIfPassing(error)
    const foundAt = context.clock.now()
    // Any text of the transfer may contain what the database refused.
    const line = (text: string) => asSingleLine(text, 200)
    const plain = { ...transfer, reference: line(transfer.reference), handle: line(transfer.handle) }
    const stray: Stray = {
      reference: plain.reference,
      reason: 'failed',
      transfer: plain,
      detail: failureReason(error),
      foundAt,
      dueAt: nextTry(foundAt, 0),
    }
    await keep(context, feed, stray, error)
    return undefined
  }
}

/** Asks the provider again about strays: a transfer that failed may be readable or recordable now. */
export async function retrySetAside(context: Context, runner: Runner, provider: CollectionProvider): Promise<void> {
  const { db, clock, log } = context
  const feed: Feed = { provider: provider.name, mode: provider.mode }
  const later = async (stray: DueStray, error?: unknown) => {
    throwIfPassing(error)
    const isLast = stray.tries + 1 >= mostTries
    await saveStrayLater(db, stray, isLast ? null : nextTry(clock.now(), stray.tries + 1))
    log.warn('collection.still_set_aside', {
      provider: feed.provider,
      mode: feed.mode,
      reference: stray.reference,
      error,
    })
  }
  for (const stray of await listStraysDue(db, feed, clock.now(), askedAtOnce))
    try {
      const transfer = await provider.look(stray.reference, AbortSignal.timeout(askWithinMs))
      if (!transfer) await later(stray)
      else if (await bringIn(context, runner, feed, transfer))
        await saveStrayTakenIn(db, feed, stray.reference, clock.now())
    } catch (error) {
      await later(stray, error)
    }
}
