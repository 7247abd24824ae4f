import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesGzip } from './compressed.ts'
import { isNotModified } from './entity-tag.ts'

/** A text that is the same for as long as the process runs: made when first asked for, compressed once. */
export class KeptText {
  readonly #contentType: string
  readonly #make: () => string
  #made: { readonly text: string; readonly gzipped: Buffer; readonly etag: string } | undefined

  constructor(contentType: string, make: () => string) {
    this.#contentType = contentType
    this.#make = make
  }

  /** Who holds it already gets nothing, and others get it small. */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { text, gzipped, etag } = this.#kept()
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'public, no-cache' })
    if (isNotModified(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(`${this.#contentType}; charset=utf-8`)
    if (!takesGzip(request.headers['accept-encoding'])) return reply.send(text)
    return reply.header('content-encoding', 'gzip').send(gzipped)
  }

  #kept() {
    if (!this.#made) {
      const text = this.#make()
      const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22)
      this.#made = { text, gzipped: gzipSync(text, { level: 9 }), etag: `"${digest}"` }
    }
    return this.#made
  }
}
