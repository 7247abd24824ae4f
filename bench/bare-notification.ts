import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import { openDatabase } from '../server/src/platform/database/database.ts'
import { sql } from '../server/src/platform/database/sql.ts'

/** Yardstick: a bare route that verifies the signature of a notification and inserts one row. */
const secret = process.env.SECRET as string
const db = openDatabase({ connection: process.env.CONNECTION as string, applicationName: 'bare' })
const server = Fastify({ logger: false })
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
server.post<{ Body: Buffer }>('/', async ({ body, headers }, reply) => {
  const [, seconds = '', hex = ''] = /^t=(\d+),v1=(\w{64})$/.exec(String(headers['bank-signature'])) ?? []
  const wanted = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  const given = Buffer.from(hex, 'hex')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return reply.code(401).send()
  const { id, transfer } = JSON.parse(body.toString()) as { id: string; transfer: string }
  await db.run(sql`insert into bare_notifications (id, subject) values (${id}, ${transfer})`)
  return { received: 'stored' }
})
await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`listens at http://127.0.0.1:${(server.server.address() as { port: number }).port}\n`)
