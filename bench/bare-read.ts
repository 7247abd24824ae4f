import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'
import { openDatabase } from '../server/src/platform/database/database.ts'

/** Yardstick: a bare route that runs the same named statement each time and returns the row unchanged. */
const { connection, statement } = JSON.parse(await readFile(process.env.BENCH_FILE as string, 'utf8')) as {
  connection: string
  statement: { name: string; text: string; values: unknown[] }
}
const db = openDatabase({ connection, applicationName: 'bare' })
const server = Fastify({ logger: false })
const spelled = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
server.get('/', async (_, reply) => {
  const row = await db.one(statement)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(row, spelled))
})
await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`listens at http://127.0.0.1:${(server.server.address() as { port: number }).port}\n`)
