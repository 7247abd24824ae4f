import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readTraceparent, type Span, type Tracer } from '../../platform/tracing/tracer.ts'

/** Each request as a span, which takes over the trace of its caller. Added before all other hooks. */
export function traceRequests(server: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  server.addHook('onRequest', (request, _reply, done) => {
    const { method, id, headers, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': method, 'http.route': route, 'risiti.request_id': id }
    const span = tracer.start(`${method} ${route}`, 'server', attributes, readTraceparent(headers.traceparent))
    spans.set(request, span)
    tracer.within(span, done)
  })
  // The body comes with events of the connection, which do not know the request.
  server.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) tracer.within(span, done)
    else done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode
    const reason = reply.getHeader('risiti-reason')
    const attributes = {
      'http.response.status_code': status,
      'risiti.reason': typeof reason === 'string' ? reason : undefined,
    }
    spans.get(request)?.end(attributes, status >= 500 ? `status ${status}` : undefined)
    done()
  })
}
