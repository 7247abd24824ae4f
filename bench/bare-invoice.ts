import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'
import { newId } from '../server/src/kernel/ids.ts'
import { openDatabase } from '../server/src/platform/database/database.ts'

/**
 * Yardstick: a bare route that runs the service's prepared statement without authentication, validation, calculation or
 * encoding. The values are prepared beforehand. Only the ids are new, and organisations take turns.
 */
const { connection, statements } = JSON.parse(await readFile(process.env.BENCH_FILE as string, 'utf8')) as {
  connection: string
  statements: { name: string; text: string; values: unknown[]; ids: string[] }[]
}
const db = openDatabase({ connection, applicationName: 'bare' })
let turn = 0
const server = Fastify({ logger: false })
server.post('/', async (_, reply) => {
  const { name, text, values, ids } = statements[turn++ % statements.length] as (typeof statements)[number]
  const fresh = [...values]
  for (const id of ids) {
    const made = newId()
    for (let at = values.indexOf(id); at >= 0; at = values.indexOf(id, at + 1)) fresh[at] = made
  }
  const rows = await db.rows({ name, text, values: fresh })
  return reply.code(201).send(rows[0])
})
await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`listens at http://127.0.0.1:${(server.server.address() as { port: number }).port}\n`)
