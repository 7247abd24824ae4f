import type { FastifyInstance } from 'fastify'

/** The key of the demo, for samples that run as they stand. Exists only in a playground. */
export function serveDevDemoKey(server: FastifyInstance, read: () => Promise<string | undefined>): void {
  server.get('/dev/demo-key', async (_, reply) => {
    const apiKey = await read()
    return apiKey === undefined ? reply.code(404).send() : reply.send({ apiKey })
  })
}
