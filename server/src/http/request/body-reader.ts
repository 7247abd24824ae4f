import type { FastifyRequest } from 'fastify'
import { refuse } from '../../kernel/refusals.ts'

/** In bytes. Bodies normally arrive in chunks of kilobytes; a client that sends a few bytes at a time only costs CPU time. */
const somePieces = 10_000
const bytesOfMore = 64
/** for a body without Content-Length */
const firstRoom = 16 * 1024

export const tooManyPieces = refuse('request.malformed', {
  message: 'The body comes in too many small pieces; send larger ones.',
})

type Done = (error: Error | null, body?: Buffer) => void

/**
 * Reads a body up to its limit, if the budget has room; the budget is asked first. Chunks are copied together as they arrive. Kept as
 * separate chunks, a body sent byte by byte would take two hundred times its size.
 */
export function readBody(request: FastifyRequest, limit: number, done: Done): void {
  const payload = request.raw
  const announced = Number(request.headers['content-length'])
  if (announced > limit) {
    done(refuse('request.too_large'))
    return
  }
  const claim = request.server.bodyBudget.claim(request)
  const roomAtFirst = Number.isNaN(announced) ? Math.min(firstRoom, limit) : announced
  const refusal = claim.reserve(roomAtFirst)
  if (refusal) {
    done(refusal)
    return
  }
  let room = Buffer.allocUnsafe(roomAtFirst)
  let length = 0
  let pieces = 0

  const stop = (error: Error | null, body?: Buffer) => {
    payload.off('data', take)
    payload.off('end', end)
    payload.off('error', fail)
    done(error, body)
  }
  const take = (piece: Buffer) => {
    if (length + piece.length > limit) return stop(refuse('request.too_large'))
    if (++pieces > somePieces + length / bytesOfMore) return stop(tooManyPieces)
    if (length + piece.length > room.length) {
      const bytes = Math.min(limit, Math.max(2 * room.length, length + piece.length))
      const noRoom = claim.reserve(bytes)
      if (noRoom) return stop(noRoom)
      const larger = Buffer.allocUnsafe(bytes)
      room.copy(larger, 0, 0, length)
      room = larger
    }
    piece.copy(room, length)
    length += piece.length
  }
  const end = () =>
    !Number.isNaN(announced) && announced !== length
      ? stop(refuse('request.malformed', { message: 'The body is not as long as Content-Length says.' }))
      : stop(null, room.subarray(0, length))
  const fail = (error: Error) => stop(Object.assign(error, { statusCode: 400 }))

  payload.on('data', take)
  payload.on('end', end)
  payload.on('error', fail)
  payload.resume()
}
