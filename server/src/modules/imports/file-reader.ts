import { type Fault, invalid, refuse } from '../../kernel/refusals.ts'
import type { Logger } from '../../platform/logger.ts'
import { createThreads, type GoneSignal, NoRoom, ThreadLost, type ThreadsOptions } from '../../platform/work/threads.ts'
import type { FileToRead, ReadFile } from './read-file.ts'
import { unreadable } from './tables/table.ts'

/** What a thread says of a file: what stands in it, or what is wrong with it. */
export type ThreadReading = { readonly read: ReadFile } | { readonly faults: readonly Fault[] }

/** Reads files outside of the main thread: thousands of rows, or a workbook that unpacks to much, would keep everybody else waiting. */
export interface FileReader {
  /** Refuses a file that cannot be read, and when too many are waiting to be. Leaves the queue once the caller is gone. */
  read(owner: string, file: FileToRead, gone?: GoneSignal): Promise<ReadFile>
  close(): Promise<void>
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly fileReader: FileReader
  }
}

export type FileReaderOptions = Partial<Omit<ThreadsOptions, 'entry' | 'log'>>

/** The largest file takes a second or so; what takes far longer was made to. Two threads, so that nobody waits behind such a file. */
const usual = { size: 2, mostWaiting: 64, mostWaitingEach: 4, deadlineMs: 15_000 }
const comeBackSeconds = 5

export function createFileReader(log: Logger, options: FileReaderOptions = {}): FileReader {
  const entry = new URL('read-in-thread.ts', import.meta.url)
  const threads = createThreads<FileToRead, ThreadReading>({ ...usual, ...options, entry, log })
  return {
    async read(owner, { content, ...file }, gone) {
      // Bytes of a shared pool would take their neighbours along.
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
