import { crc32 } from 'node:zlib'

export interface ZipFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Names are in UTF-8. */
const flags = 0x0800
const version = 20

/** The time in the format of ZIP: in steps of two seconds, from 1980, without a time zone. */
function dosTime(at: Date): { readonly time: number; readonly date: number } {
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}

/** The fields that the header of a file and its entry in the directory share. */
function sharedFields({ bytes }: ZipFile, nameLength: number, at: Date): Buffer {
  const fields = Buffer.alloc(26)
  const { time, date } = dosTime(at)
  fields.writeUInt16LE(version, 0)
  fields.writeUInt16LE(flags, 2)
  // Method 0: stored. A PDF is compressed already.
  fields.writeUInt16LE(time, 6)
  fields.writeUInt16LE(date, 8)
  fields.writeUInt32LE(crc32(bytes), 10)
  fields.writeUInt32LE(bytes.length, 14)
  fields.writeUInt32LE(bytes.length, 18)
  fields.writeUInt16LE(nameLength, 22)
  return fields
}

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/**
 * A ZIP archive, written file by file: only one file is in memory at a time. For archives below 4 GiB and 65,535 files,
 * which need none of the later extensions of the format.
 */
export async function* zipOf(files: AsyncIterable<ZipFile>, at: Date): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const file of files) {
    const name = Buffer.from(file.name)
    const shared = sharedFields(file, name.length, at)
    const header = Buffer.concat([signature(0x04034b50), shared, name])
    // After the shared fields: comment, disk and attributes, all empty, and where the file begins.
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const madeBy = Buffer.alloc(2)
    madeBy.writeUInt16LE(version)
    directory.push(Buffer.concat([signature(0x02014b50), madeBy, shared, place, name]))
    yield header
    yield Buffer.from(file.bytes)
    offset += header.length + file.bytes.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  yield Buffer.concat([...directory, end])
}
