import { Refusal } from '../../kernel/refusals.ts'
import { workOff } from '../../platform/work/work-off.ts'
import type { ThreadReading } from './file-reader.ts'
import { type FileToRead, readFile } from './read-file.ts'

/** What a thread of the reader runs. What it refuses comes back as what was wrong: an error loses its name between threads. */
workOff<FileToRead, ThreadReading>(async (file) => {
  try {
    return { result: { read: await readFile(file) }, handOver: [] }
  } catch (error) {
    if (!(error instanceof Refusal) || !error.details) throw error
    return { result: { faults: error.details }, handOver: [] }
  }
})
