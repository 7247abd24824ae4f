import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor } from './compressed.ts'

/** Below it, compressing takes longer than sending. */
const leastOfRead = 2_048
/** Answers to changes are on the hot paths, and mostly small. Some hold a secret, which must not be compressed beside what a caller sent. */
const leastOfChange = 8_192

type Compress = (body: string | Buffer, done: (error: Error | null, packed: Buffer) => void) => void

/** Cheap levels: they take most of what is to be had, in a fraction of the time. Both work beside the main thread. */
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

/** Sends a text, compressed if it is large enough and the caller takes that. */
export function sendPacked(request: FastifyRequest, reply: FastifyReply, body: string | Buffer): FastifyReply {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (body.length < (isRead ? leastOfRead : leastOfChange)) return reply.send(body)
  const { vary } = reply.getHeaders()
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`)
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (!encoding) return reply.send(body)
  compress[encoding](body, (error, packed) => {
    // Whoever was told meanwhile that it took too long is told nothing more.
    if (reply.sent) return
    if (error) reply.send(body)
    else reply.header('content-encoding', encoding).send(packed)
  })
  return reply
}
