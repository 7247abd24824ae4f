import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesBrotli, takesGzip } from './compressed.ts'
import { isNotModified } from './entity-tag.ts'

/** A text that is the same for as long as the process runs: made when first asked for, compressed once. */
export class KeptText {
  readonly #contentType: string
  readonly #make: () => string
  #made: { readonly text: string; readonly etag: string } | undefined
  #gzipped: Buffer | undefined
  #brotli: Buffer | undefined

  constructor(contentType: string, make: () => string) {
    this.#contentType = contentType
    this.#make = make
  }

  /** Who holds it already gets nothing, and others get it small. */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { text, etag } = this.#kept()
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'public, no-cache' })
    if (isNotModified(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(`${this.#contentType}; charset=utf-8`)
    const taken = request.headers['accept-encoding']
    if (takesBrotli(taken)) return reply.header('content-encoding', 'br').send(this.#inBrotli(text))
    if (!takesGzip(taken)) return reply.send(text)
    this.#gzipped ??= gzipSync(text, { level: 9 })
    return reply.header('content-encoding', 'gzip').send(this.#gzipped)
  }

  /** It sees repetitions that are far apart, of which a long page is full. Its best would take seconds. */
  #inBrotli(text: string): Buffer {
    this.#brotli ??= brotliCompressSync(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    })
    return this.#brotli
  }

  #kept() {
    if (!this.#made) {
      const text = this.#make()
      const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22)
      this.#made = { text, etag: `"${digest}"` }
    }
    return this.#made
  }
}
