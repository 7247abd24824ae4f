import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { refuse } from '../../kernel/refusals.ts'

const loopbackName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * A page on the web can point its own name to this machine and read what a browser here may read (DNS rebinding). Such a page cannot use
 * one of our own names in the Host header.
 */
export const isCalledByLoopbackName = ({ headers }: FastifyRequest): boolean => loopbackName.test(headers.host ?? '')

/** From here on, `/dev` exists only for requests with a name of this machine in the Host header. */
export function guardDevPages(server: FastifyInstance): void {
  const guard: onRequestHookHandler = (request, _reply, done) =>
    done(isCalledByLoopbackName(request) ? undefined : refuse('route.not_found'))
  server.addHook('onRoute', (options) => {
    if (options.url.startsWith('/dev/')) options.onRequest = [guard, options.onRequest ?? []].flat()
  })
}
