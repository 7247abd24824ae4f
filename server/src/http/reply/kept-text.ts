import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor } from './compressed.ts'
import { isNotModified } from './entity-tag.ts'

interface KeptBytes {
  readonly bytes: Buffer
  readonly etag: string
}

/**
 * Bytes that stay the same while the process runs. They are made on the first request and compressed once for each encoding. Compressing a
 * page of megabytes for each request cost 20 ms of the main thread.
 */
export class KeptText {
  readonly #contentType: string
  readonly #make: () => string | Buffer
  readonly #packed = new Map<Encoding, Promise<Buffer>>()
  #kept: KeptBytes | undefined

  constructor(contentType: string, make: () => string | Buffer) {
    this.#contentType = contentType
    this.#make = make
  }

  /** Replies 304 to a client that has these bytes. A `Cache-Control` that is already set stays. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { bytes, etag } = this.#keep()
    reply.headers({ etag, vary: 'accept-encoding' })
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'public, no-cache')
    if (isNotModified(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(this.#contentType)
    const encoding = isPackable(this.#contentType) ? encodingFor(request.headers['accept-encoding']) : undefined
    if (!encoding) return reply.send(bytes)
    return reply.header('content-encoding', encoding).send(await this.#pack(encoding, bytes))
  }

  #pack(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
    const known = this.#packed.get(encoding)
    if (known) return known
    const packing = pack[encoding](bytes)
    this.#packed.set(encoding, packing)
    packing.catch(() => this.#packed.delete(encoding))
    return packing
  }

  #keep(): KeptBytes {
    if (!this.#kept) {
      const bytes = Buffer.from(this.#make())
      const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
      this.#kept = { bytes, etag: `"${digest}"` }
    }
    return this.#kept
  }
}

/** Images and fonts are compressed already. */
const isPackable = (contentType: string): boolean => /^(text|image\/svg|application)/.test(contentType)

const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)]

const pack: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: (bytes) => gzipOf(bytes, { level: 9 }),
  // A large window finds distant repetitions, which long pages have. The best quality would take seconds.
  br: (bytes) =>
    brotliOf(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
}
