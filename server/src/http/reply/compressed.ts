import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The common end of a kind of reply, compressed once. */
export class Tail {
  readonly #bytes: Buffer
  #deflated: Buffer | undefined

  constructor(text: string) {
    this.#bytes = Buffer.from(text)
  }

  /**
   * A gzip stream of a new head and this tail. The blocks of the tail refer to nothing before them, so they can follow any head: only the
   * head is compressed now.
   */
  gzipAfter(head: string): Buffer {
    this.#deflated ??= deflateRawSync(this.#bytes, { level: 9 })
    const bytes = Buffer.from(head)
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(crc32(this.#bytes, crc32(bytes)), 0)
    trailer.writeUInt32LE((bytes.length + this.#bytes.length) >>> 0, 4)
    return Buffer.concat([
      gzipHeader,
      deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
      this.#deflated,
      trailer,
    ])
  }
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

export type Encoding = 'br' | 'gzip'

/** The smaller encoding of those that a caller takes; `undefined` if it takes none. */
export function encodingFor(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined
  if (takesBrotli(header)) return 'br'
  return takesGzip(header) ? 'gzip' : undefined
}

/** Whether a caller accepts gzip: by name or by `*`, without refusing it. */
export const takesGzip = (header: string | undefined): boolean => takes('gzip', header)

/** Brotli is offered to those who name it. */
export const takesBrotli = (header: string | undefined): boolean => /\bbr\b/i.test(header ?? '') && takes('br', header)

function takes(encoding: string, header: string | undefined): boolean {
  if (header === undefined) return false
  const offers = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))]
    }),
  )
  return offers.get(encoding) ?? offers.get('*') ?? false
}
