import pg from 'pg'
import { expect, test } from 'vitest'
import { asQueryable } from '../../server/src/platform/database/database.ts'
import { loadKeyRing } from '../../server/src/platform/secrets/key-file.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { startTestApp } from '../harness/app.ts'
import { createTestDatabase } from '../harness/database.ts'
import { registration, sqlOn } from '../harness/installations.ts'
import { invoiceBody, issuer } from '../harness/invoices.ts'
import { invoicesPath, ok } from '../harness/issued.ts'
import { openLink } from '../harness/link.ts'
import { makeKeyFile, startNode, until, withoutDemo } from '../harness/processes.ts'
import { untilQuiet } from '../harness/quiet.ts'

const partsThatSpeak = [
  '',
  ' watch',
  ' wake-up',
  ' tail',
  ' consumers lists',
  ' queue mail',
  ' queue webhooks',
  ' queue schedule',
  ' schedule',
]

test('with PREPARED_STATEMENTS=0 no connection of a whole service prepares anything by name', async () => {
  const database = await createTestDatabase()
  const SECRETS_FILE = await makeKeyFile()
  const vault = createVault(await loadKeyRing(SECRETS_FILE, { createIfMissing: false }))
  const app = await startTestApp({ database, vault })
  const own = await issuer(app)
  await app.close()
  const link = await openLink(database)
  const node = await startNode({
    env: { DATABASE_URL: link.url, SECRETS_FILE, PREPARED_STATEMENTS: '0', ...withoutDemo },
  })

  const { token } = own
  const { id } = ok(await node.a.post(invoicesPath, { token, body: invoiceBody.A(own) }), 201)
  ok(await node.a.post(`${invoicesPath}/${id}/finalise`, { token }))
  const listed = ok(await node.a.get(`${invoicesPath}?status=finalised`, { token }))
  expect(listed).toMatchObject([{ id }])
  // Waits until the email is sent and the billing account is open.
  ok(await node.a.post('/a/v1/auth/register', { body: registration('ngozi@eze.test') }), 201)

  const direct = await sqlOn(database.url)
  await direct.query(`update schedule set due_at = now() where job = 'sweep-payments'`)
  await until(async () => {
    const due = `select from schedule where job = 'sweep-payments' and due_at <= now() union all select from jobs where job = 'sweep-payments'`
    return (await direct.query(due)).rowCount === 0
  }, 'a scheduled job that is done')
  await untilQuiet(asQueryable(direct))
  const spoke = () => new Set(link.statements.map(({ applicationName }) => applicationName))
  await until(async () => partsThatSpeak.every((part) => spoke().has(`risiti${part}`)), 'a statement of every part')
  expect((await node.stop()).code).toBe(0)
  expect(link.statements.filter(({ name }) => name !== '')).toEqual([])

  // Proves that the link records a named prepared statement.
  const preparing = new pg.Client(link.url)
  await preparing.connect()
  await preparing.query({ name: 'kept', text: 'select $1::int', values: [1] })
  await preparing.end()
  expect(link.statements.at(-1)?.name).toBe('kept')
})
