import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GoneSignal } from '../../platform/threads/threads.ts'

class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** The caller disconnected, before anything was written or in the middle of the body. */
export const isGone = (error: unknown, request: FastifyRequest): boolean =>
  error instanceof ClientGone ||
  ((error as { code?: unknown } | undefined)?.code === 'ECONNRESET' && request.raw.socket?.destroyed === true)

/** Throws once the caller disconnected or got a reply. */
export const goneSignalOf = (request: FastifyRequest, reply: FastifyReply): GoneSignal => ({
  throwIfAborted: () => stopIfOver(request, reply),
})

/** Checked before the first write: a caller that disconnected or got a timeout causes no effect. */
export function stopIfOver(request: FastifyRequest, reply: FastifyReply): void {
  if (request.raw.socket?.destroyed) throw new ClientGone('the client closed the connection')
  if (reply.sent) throw new ClientGone('the request was answered when its time was up')
}
