import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { refuse } from '../../kernel/refusals.ts'

const loopbackName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/**
 * A page somewhere on the web can have its own name lead to this machine, and then read what a browser here may read. What
 * it cannot do is call us by one of our own names.
 */
export const isCalledByLoopbackName = ({ headers }: FastifyRequest): boolean => loopbackName.test(headers.host ?? '')

/** Whatever is served below /dev from here on exists only for those who call us by a name of this machine. */
export function guardDevPages(server: FastifyInstance): void {
  const guard: onRequestHookHandler = (request, _reply, done) =>
    done(isCalledByLoopbackName(request) ? undefined : refuse('route.not_found'))
  server.addHook('onRoute', (options) => {
    if (options.url.startsWith('/dev/')) options.onRequest = [guard, options.onRequest ?? []].flat()
  })
}
