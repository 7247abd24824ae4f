import Fastify from 'fastify'

/** Yardstick: a bare route that returns the same bytes for every request. The benchmark passes the body in `BODY`. */
const body = process.env.BODY ?? '{}'
const server = Fastify({ logger: false })
server.get('/', async (_, reply) => reply.type('application/json; charset=utf-8').send(body))
await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`listens at http://127.0.0.1:${(server.server.address() as { port: number }).port}\n`)
