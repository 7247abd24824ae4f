import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** The position of a record, so that it can be read again instead of held in memory. */
export interface RecordPosition {
  readonly offset: number
  readonly length: number
}

export interface Journal {
  /** Written before it returns, so a killed process loses no confirmed record. */
  append(record: object): RecordPosition
  read(place: RecordPosition): unknown
  close(): void
}

/**
 * An append-only log, one JSON record per line, so each write takes the same time at any size. `replay` gets every
 * earlier record. A line that was cut off by a crash is dropped.
 */
export function openJournal(
  file: string | undefined,
  replay: (record: unknown, place: RecordPosition) => void,
): Journal {
  if (file === undefined) return inMemory()
  mkdirSync(dirname(file), { recursive: true })
  const descriptor = openSync(file, 'a+', 0o600)
  let end = replayed(descriptor, file, replay)
  if (end < fstatSync(descriptor).size) ftruncateSync(descriptor, end)
  return {
    append(record) {
      const line = Buffer.from(`${JSON.stringify(record)}\n`)
      writeSync(descriptor, line)
      const place = { offset: end, length: line.length - 1 }
      end += line.length
      return place
    },
    read({ offset, length }) {
      const bytes = Buffer.alloc(length)
      readSync(descriptor, bytes, 0, length, offset)
      return JSON.parse(bytes.toString('utf8'))
    },
    close: () => closeSync(descriptor),
  }
}

function inMemory(): Journal {
  const lines: string[] = []
  return {
    append(record) {
      lines.push(JSON.stringify(record))
      return { offset: lines.length - 1, length: 1 }
    },
    read: ({ offset }) => JSON.parse(lines[offset] as string),
    close: () => {},
  }
}

const blockBytes = 1 << 20
const newline = 10

/** Reads in blocks, because the file may exceed the largest buffer. Returns the end of the last complete line. */
function replayed(descriptor: number, file: string, replay: (record: unknown, place: RecordPosition) => void): number {
  const { size } = fstatSync(descriptor)
  let rest = Buffer.alloc(0)
  let end = 0
  for (let at = 0; at < size; ) {
    const block = Buffer.alloc(Math.min(blockBytes, size - at))
    const length = readSync(descriptor, block, 0, block.length, at)
    if (length === 0) break
    at += length
    const bytes = rest.length === 0 ? block.subarray(0, length) : Buffer.concat([rest, block.subarray(0, length)])
    let start = 0
    while (start < bytes.length) {
      const stop = bytes.indexOf(newline, start)
      if (stop === -1) break
      replay(recordIn(bytes.subarray(start, stop), file), { offset: end, length: stop - start })
      end += stop - start + 1
      start = stop + 1
    }
    rest = Buffer.from(bytes.subarray(start))
  }
  return end
}

function recordIn(line: Buffer, file: string): unknown {
  const record: unknown = JSON.parse(line.toString('utf8'))
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw new SyntaxError(`${file} is not a journal`)
  return record
}
