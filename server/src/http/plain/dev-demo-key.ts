import type { FastifyInstance } from 'fastify'

/** The demo's API key, for samples that run unchanged. Exists only in a playground. */
export function serveDevDemoKey(server: FastifyInstance, read: () => Promise<string | undefined>): void {
  server.get('/dev/demo-key', async (_, reply) => {
    const apiKey = await read()
    return apiKey === undefined ? reply.code(404).send() : reply.send({ apiKey })
  })
}
