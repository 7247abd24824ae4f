import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { unreadable } from '../../../kernel/tables/table.ts'

const inflate = promisify(inflateRaw)

/** More parts than any workbook has, and more text than one of five thousand rows. */
const mostParts = 2_000
const mostBytes = 8 * 1024 * 1024

const [endMark, partMark, localMark] = [0x06054b50, 0x02014b50, 0x04034b50]
const [stored, deflated] = [0, 8]

/** The parts of a ZIP file by name, unpacked on request. */
export interface Archive {
  read(name: string): Promise<string | undefined>
}

interface Part {
  readonly method: number
  readonly at: number
  readonly packedBytes: number
}

const broken = () => unreadable('xlsx', 'is not a readable Excel workbook; save it as .xlsx or as CSV')

export function openZip(file: Buffer): Archive {
  const parts = directoryOf(file)
  let bytesLeft = mostBytes
  return {
    async read(name) {
      const part = parts.get(name)
      if (!part) return undefined
      const packed = contentOf(file, part)
      const bytes = part.method === stored ? packed : await unpacked(packed, bytesLeft)
      bytesLeft -= bytes.length
      if (bytesLeft <= 0) throw tooLarge()
      return bytes.toString('utf8')
    },
  }
}

const tooLarge = () =>
  unreadable('xlsx', 'is too large when it is unpacked; remove other sheets and pictures, or save it as CSV')

async function unpacked(packed: Buffer, atMost: number): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: Math.max(atMost, 1) })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : broken()
  }
}

/** The directory is at the end of the file, before a comment of at most 65,535 bytes. */
function directoryOf(file: Buffer): ReadonlyMap<string, Part> {
  const mark = Buffer.alloc(4)
  mark.writeUInt32LE(endMark)
  const end = file.lastIndexOf(mark)
  if (end === -1 || end + 22 > file.length || end < file.length - 22 - 65_535) throw broken()
  const count = file.readUInt16LE(end + 10)
  const parts = new Map<string, Part>()
  let at = file.readUInt32LE(end + 16)
  for (let nth = 0; nth < Math.min(count, mostParts); nth++) {
    if (at + 46 > end || file.readUInt32LE(at) !== partMark) throw broken()
    const nameEnd = at + 46 + file.readUInt16LE(at + 28)
    parts.set(file.toString('utf8', at + 46, nameEnd), {
      method: file.readUInt16LE(at + 10),
      packedBytes: file.readUInt32LE(at + 20),
      at: file.readUInt32LE(at + 42),
    })
    at = nameEnd + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return parts
}

function contentOf(file: Buffer, { at, packedBytes, method }: Part): Buffer {
  if (method !== stored && method !== deflated) throw broken()
  if (at + 30 > file.length || file.readUInt32LE(at) !== localMark) throw broken()
  const start = at + 30 + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28)
  if (start + packedBytes > file.length) throw broken()
  return file.subarray(start, start + packedBytes)
}
