import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../harness/client.ts'
import { registration, statusOf } from '../harness/installations.ts'
import { demo, launch, type ServerNode, startNode, until } from '../harness/processes.ts'

let node: ServerNode
let firstKey: string
const demoFile = async () => JSON.parse(await readFile(join(node.home, 'demo.json'), 'utf8'))

beforeAll(async () => {
  node = await startNode()
  firstKey = (await demoFile()).sandboxKey
  const body = registration('kept@example.test')
  expect((await node.a.post('/a/v1/auth/register', { body })).status).toBe(201)
})

test('a start that is interrupted leaves no database running', async () => {
  expect((await node.stop()).code).toBe(0)
  const again = await launch({ home: node.home })
  const lock = join(node.home, 'postgres', 'postmaster.pid')
  await until(async () => (await readFile(lock, 'utf8').catch(() => '')).includes('ready'), 'a database')
  expect((await again.stop()).code).toBe(0)
  await expect(stat(lock)).rejects.toThrow('ENOENT')
})

test('without demo.json, the demo gets a new key, and the old key stays valid', async () => {
  const { organizationId } = await demoFile()
  await rm(join(node.home, 'demo.json'))
  node = await startNode({ home: node.home })
  const { sandboxKey, organizationId: sameOrganisation } = await demoFile()
  expect(sandboxKey).not.toBe(firstKey)
  expect(sameOrganisation).toBe(organizationId)
  expect((await node.a.get('/a/v1/auth/me', { token: sandboxKey })).status).toBe(200)
  expect((await node.a.get('/a/v1/auth/me', { token: firstKey })).status).toBe(200)
})

test('production refuses to start with the demo organisation, and says how to delete the demo', async () => {
  const { home } = node
  const { accessToken, url } = await beforeTheEnd()
  // While this node runs, the others use its database and start none of their own.
  const outside: [Record<string, string>, string[]][] = [
    [{ NODE_ENV: 'production' }, ['--role=worker']],
    [{ HOST: '0.0.0.0' }, []],
  ]
  for (const [env, args] of outside) {
    const refused = await launch({ home, env, args })
    expect(await refused.ended).toEqual({ code: 1, signal: null })
    expect(refused.output()).toContain('contains the demo organisation')
    expect(refused.output()).toContain('npm run demo:remove')
    expect(refused.output()).not.toMatch(/^\s+at |listens|is running/m)
  }
  const { sandboxKey } = await demoFile()
  expect((await node.stop()).code).toBe(0)

  const removing = await launch({ home, env: { NODE_ENV: 'production' }, command: 'remove-demo' })
  expect(await removing.ended).toEqual({ code: 0, signal: null })
  expect(removing.output()).toContain('Nobody can use the demo any more')
  const again = await launch({ home, command: 'remove-demo' })
  expect([(await again.ended).code, again.output()]).toEqual([0, 'There is no demo in this database.\n'])

  node = await startNode({ home, env: { NODE_ENV: 'production', LOG_LEVEL: 'info' } })
  for (const email of ['demo', 'admin', 'viewer'].map((name) => `${name}@risiti.test`))
    expectRefusal(await node.a.post('/a/v1/auth/login', { body: { ...demo, email } }), 'credentials.wrong')
  for (const token of [firstKey, sandboxKey, accessToken])
    expect((await fetch(`${node.url}/a/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      401,
    )
  expect(await statusOf(`${node.url}${new URL(url).pathname}`)).toBe(404)
  expect(await statusOf(`${node.url}/dev/mailbox`)).toBe(404)
  await expect(demoFile()).rejects.toThrow('ENOENT')
  // People who registered in the playground keep their accounts.
  const body = { email: 'kept@example.test', password: registration('').password }
  expect((await node.a.post('/a/v1/auth/login', { body })).status).toBe(200)
  expect((await node.stop()).code).toBe(0)
})

/** A session and a link that were created shortly before the end of the playground. */
async function beforeTheEnd(): Promise<{ accessToken: string; url: string }> {
  const { accessToken } = (await node.a.post('/a/v1/auth/login', { body: demo })).data
  const { data } = await node.a.get('/i/v1/invoices?delivery=shared_link&limit=1', { token: firstKey })
  const shared = await node.a.post(`/i/v1/invoices/${data[0].id}/share`, { token: firstKey })
  expect(await statusOf(`${node.url}${new URL(shared.data.url).pathname}`)).toBe(200)
  return { accessToken, url: shared.data.url }
}
