import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Logger } from '../../../platform/logger.ts'
import {
  createThreads,
  type GoneSignal,
  NoRoom,
  ThreadLost,
  type ThreadsOptions,
} from '../../../platform/threads/threads.ts'
import type { DrawingOrder } from './drawing-order.ts'
import { KeptFiles, type KeptLimits } from './kept-files.ts'

/** A file with its fingerprint. */
export interface KeptFile {
  readonly bytes: Buffer
  readonly sha256: string
}

/** Makes and caches the files of documents. Draws nothing in the main thread. */
export interface Drawer {
  /**
   * The PDF under this key, cached or drawn now. Refuses if too many documents wait, and leaves the queue once all
   * callers are gone.
   */
  pdf(
    key: string,
    owner: OrganisationId,
    order: () => Promise<DrawingOrder>,
    gone?: GoneSignal | undefined,
  ): Promise<KeptFile>
  /** The text file under this key, cached or written now. */
  text(key: string, write: () => Promise<string>): Promise<KeptFile>
  close(): Promise<void>
}

declare module '../../../platform/operations/ports.ts' {
  interface Ports {
    readonly drawer: Drawer
  }
}

export type DrawerOptions = Partial<Omit<ThreadsOptions, 'entry' | 'log'> & KeptLimits>

/**
 * One thread less than there are cores, so that requests are still answered; at least two, so that nobody waits
 * behind a long document. The worst document (500 lines with letters of every script, and the largest logo) takes
 * about ten seconds on an idle machine.
 */
const usual = {
  size: Math.min(4, Math.max(2, availableParallelism() - 1)),
  mostWaiting: 256,
  mostWaitingEach: 12,
  deadlineMs: 15_000,
  mostFiles: 1_000,
  mostBytes: 64 * 1024 * 1024,
}

/** `Retry-After` of a refused caller: the queue moves on within a few seconds. */
const comeBackSeconds = 3
/** A document that killed a thread is blocked for this long: it would kill the next one too. */
const letAloneMs = 60_000
const mostLetAlone = 1_000

const later = (message: string, retryAfterSeconds: number) =>
  refuse('document.not_drawn', { message, retryAfterSeconds, away: 'drawing' })

export function createDrawer(log: Logger, options: DrawerOptions = {}): Drawer {
  const { mostFiles, mostBytes, ...rest } = { ...usual, ...options }
  const entry = new URL('draw-in-thread.ts', import.meta.url)
  const threads = createThreads<DrawingOrder, Uint8Array<ArrayBuffer>>({ ...rest, entry, log })
  const kept = new KeptFiles<KeptFile>({ mostFiles, mostBytes })
  const letAlone = new Map<string, number>()

  function refuseIfLetAlone(key: string): void {
    const left = (letAlone.get(key) ?? 0) - performance.now()
    if (left > 0) throw later('This document took too long to draw; try again later.', Math.ceil(left / 1000))
    letAlone.delete(key)
  }

  function leaveAlone(key: string): void {
    if (letAlone.size >= mostLetAlone) letAlone.clear()
    letAlone.set(key, performance.now() + letAloneMs)
  }

  async function draw(
    key: string,
    owner: string,
    order: () => Promise<DrawingOrder>,
    gone: GoneSignal,
  ): Promise<KeptFile> {
    refuseIfLetAlone(key)
    try {
      const bytes = Buffer.from((await threads.run(owner, order, gone)).buffer)
      return { bytes, sha256: hash('sha256', bytes) }
    } catch (error) {
      if (error instanceof NoRoom)
        throw refuse('document.not_drawn', { retryAfterSeconds: comeBackSeconds, away: 'place to draw' })
      if (!(error instanceof ThreadLost)) throw error
      leaveAlone(key)
      throw later('This document took too long to draw; try again later.', letAloneMs / 1000)
    }
  }

  return {
    pdf: (key, owner, order, gone) => kept.get(key, (allGone) => draw(key, owner, order, allGone), gone),
    text: (key, write) =>
      kept.get(key, async () => {
        const bytes = Buffer.from(await write())
        return { bytes, sha256: hash('sha256', bytes) }
      }),
    close: () => threads.close(),
  }
}
