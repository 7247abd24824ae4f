import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor } from './compressed.ts'

/** In bytes. Below this, compressing takes longer than sending. */
const leastOfRead = 2_048
/**
 * Replies to changes are on hot paths and mostly small. Some contain a secret, which must not be compressed together with the caller's
 * input.
 */
const leastOfChange = 8_192

type Compress = (body: string | Buffer, done: (error: Error | null, packed: Buffer) => void) => void

/** Cheap levels: most of the gain in a fraction of the time. Both run outside the main thread. */
const compress: Readonly<Record<Encoding, Compress>> = {
  gzip: (body, done) => gzip(body, { level: 4 }, done),
  br: (body, done) => {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_LGWIN]: 18,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    }
    brotliCompress(body, { params }, done)
  },
}

/** Sends a text, compressed if it is large enough and the caller accepts that. */
export function sendPacked(request: FastifyRequest, reply: FastifyReply, body: string | Buffer): FastifyReply {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (body.length < (isRead ? leastOfRead : leastOfChange)) return reply.send(body)
  const { vary } = reply.getHeaders()
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`)
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (!encoding) return reply.send(body)
  compress[encoding](body, (error, packed) => {
    // A request that already got a timeout reply gets no second one.
    if (reply.sent) return
    if (error) reply.send(body)
    else reply.header('content-encoding', encoding).send(packed)
  })
  return reply
}
