import { type Fault, invalid, refuse } from '../../kernel/refusals.ts'
import { unreadable } from '../../kernel/tables/table.ts'
import type { Logger } from '../../platform/logger.ts'
import {
  createThreads,
  type GoneSignal,
  NoRoom,
  ThreadLost,
  type ThreadsOptions,
} from '../../platform/threads/threads.ts'
import type { FileToRead, ReadFile } from './read-file.ts'

/** A thread's result: the contents of a file, or its fault. */
export type ThreadReading = { readonly read: ReadFile } | { readonly faults: readonly Fault[] }

/** Reads files outside the main thread: thousands of rows, or a large workbook, would block all other requests. */
export interface FileReader {
  /**
   * Refuses a file that cannot be read, and a file beyond the limit of the queue. Leaves the queue when the caller is
   * gone.
   */
  read(owner: string, file: FileToRead, gone?: GoneSignal): Promise<ReadFile>
  close(): Promise<void>
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly fileReader: FileReader
  }
}

export type FileReaderOptions = Partial<Omit<ThreadsOptions, 'entry' | 'log'>>

/**
 * The largest file takes about a second; a file that takes much longer is an attack. Two threads, so that nobody
 * waits behind such a file.
 */
const usual = { size: 2, mostWaiting: 64, mostWaitingEach: 4, deadlineMs: 15_000 }
const comeBackSeconds = 5

export function createFileReader(log: Logger, options: FileReaderOptions = {}): FileReader {
  const entry = new URL('read-in-thread.ts', import.meta.url)
  const threads = createThreads<FileToRead, ThreadReading>({ ...usual, ...options, entry, log })
  return {
    async read(owner, { content, ...file }, gone) {
      // A buffer of a shared pool would transfer its neighbours too.
      const own = typeof content === 'string' ? content : new Uint8Array(content)
      const reading = await threads
        .run(owner, async () => ({ ...file, content: own }), gone)
        .catch((error: unknown) => {
          if (error instanceof NoRoom)
            throw refuse('dependency.unavailable', {
              message: 'Too many files are waiting to be read. Try again in a moment.',
              retryAfterSeconds: comeBackSeconds,
              away: 'place to read files',
            })
          if (error instanceof ThreadLost)
            throw unreadable('size', 'takes too long to read; split it into several files')
          throw error
        })
      if ('faults' in reading) throw invalid([...reading.faults])
      return reading.read
    },
    close: () => threads.close(),
  }
}
