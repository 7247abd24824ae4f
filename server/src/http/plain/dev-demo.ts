import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../kernel/refusals.ts'

/** How to sign in to the demo organisation, for the first page of a playground. */
export function serveDevDemo(server: FastifyInstance, dataDir: string): void {
  server.get('/dev/demo', async (_, reply) => {
    const kept = await readFile(join(dataDir, 'demo.json'), 'utf8').catch(() => undefined)
    if (kept === undefined) throw refuse('route.not_found')
    const { email, password } = JSON.parse(kept) as { email: string; password: string }
    return reply.send({ email, password })
  })
}
