import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import type { StubRequest } from '../../../../../test/harness/stub-server.ts'
import { arrived, ended, startReceiver } from '../../../../../test/harness/webhook-receiver.ts'

let app: TestApp
let owner: Person
let home: string
let receivers: string[]
let python: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
  home = await mkdtemp(join(tmpdir(), 'risiti-receivers-'))
  const page = await readFile(join(import.meta.dirname, '../../../../../docs/webhooks.md'), 'utf8')
  python = /^```python\n([\s\S]*?)^```/m.exec(page)?.[1] as string
  receivers = [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map((match) => match[1] as string)
})
afterAll(async () => {
  await app.close()
  await rm(home, { recursive: true })
})

/** Runs the code of the page unchanged, on its own port. */
async function start(text: string, name: string): Promise<Server> {
  const file = join(home, `${name}.mjs`)
  await writeFile(
    file,
    text.replace('createServer(async', 'export const server = createServer(async').replace('8080', "0, '127.0.0.1'"),
  )
  const { server } = (await import(file)) as { server: Server }
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  return server
}

test.each([
  ['A', 0],
  ['B', 1],
] as const)('the documented receiver accepts our signature and nothing else (%s)', async (form, at) => {
  const token = { token: owner.token }
  const client = app.client(form)
  const path = form === 'A' ? '/n/v1/webhook-endpoints' : '/a/v1/organizations/me/webhooks'
  const made = await client.post(path, { ...token, body: { url: 'http://127.0.0.1:1/', events: ['buyer.*'] } })
  process.env.SECRET = made.data.secret
  const text = receivers[at] as string
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(15)
  const server = await start(text, form)
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await client.patch(`${path}/${made.data.id}`, { ...token, body: { url } })
    const send = async () =>
      (await client.post(`${path}/${made.data.id}/test`, { ...token, ...(form === 'A' ? { body: {} } : {}) })).data.id
    expect((await ended(app.a, owner.token, await send())).lastStatusCode).toBe(204)
    process.env.SECRET = 'whsec_another'
    expect((await ended(app.a, owner.token, await send())).lastStatusCode).toBe(401)
  } finally {
    server.closeAllConnections()
    server.close()
    delete process.env.SECRET
  }
})

/** Whether the page's functions accept a request as Python's standard library reads it. */
function inPython(secret: string, { headers, body }: StubRequest): unknown {
  const ask = `
import json, sys
secret, headers, body = json.load(sys.stdin)
print(json.dumps([check(secret, headers, body.encode()) for check in (is_ours, is_ours_standard)]))`
  const input = JSON.stringify([secret, headers, body])
  const { stdout, stderr } = spawnSync('python3', ['-c', python + ask], { input, encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

test('the documented Python functions accept our signature in either header, and nothing else', async () => {
  await using receiver = await startReceiver()
  const token = { token: owner.token }
  const body = { url: `${receiver.url}/snake`, events: ['buyer.*'] }
  const { id, secret } = (await app.a.post('/n/v1/webhook-endpoints', { ...token, body })).data
  await app.a.post(`/n/v1/webhook-endpoints/${id}/test`, { ...token, body: {} })
  expect(python).toContain('def is_ours_standard')
  const [request] = (await arrived(receiver, '/snake')) as [StubRequest]
  // The tests need only Node; without Python this one is skipped.
  if (spawnSync('python3', ['--version']).status !== 0) return
  expect(inPython(secret, request)).toEqual([true, true])
  expect(inPython(secret, { ...request, body: request.body.replace('pinged', 'punged') })).toEqual([false, false])
  expect(inPython(`whsec_${'A'.repeat(44)}`, request)).toEqual([false, false])
})
