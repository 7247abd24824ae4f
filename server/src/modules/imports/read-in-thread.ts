import { Refusal } from '../../kernel/refusals.ts'
import { workOff } from '../../platform/threads/work-off.ts'
import type { ThreadReading } from './file-reader.ts'
import { type FileToRead, readFile } from './read-file.ts'

/** The code of a reader thread. Refusals are returned as data, because an error loses its class between threads. */
workOff<FileToRead, ThreadReading>(async (file) => {
  try {
    return { result: { read: await readFile(file) }, handOver: [] }
  } catch (error) {
    if (!(error instanceof Refusal) || !error.details) throw error
    return { result: { faults: error.details }, handOver: [] }
  }
})
