import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { ended } from '../../../../test/harness/webhook-receiver.ts'

let app: TestApp
let owner: Person
let home: string
let receivers: string[]

beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
  home = await mkdtemp(join(tmpdir(), 'risiti-receivers-'))
  const page = await readFile(join(import.meta.dirname, '../../../../docs/webhooks.md'), 'utf8')
  receivers = [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map((match) => match[1] as string)
})
afterAll(async () => {
  await app.close()
  await rm(home, { recursive: true })
})

/** The text of the page as it stands, at a port of its own. */
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
] as const)('the receiver of the page takes what is ours and nothing else (%s)', async (form, at) => {
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
