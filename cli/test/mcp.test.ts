import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/harness/app.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { type Issuer, issuer } from '../../test/harness/invoices.ts'
import { ok } from '../../test/harness/issued.ts'
import { mcpClientOverStdio } from '../../test/harness/mcp.ts'
import { StubServer } from '../../test/harness/stub-server.ts'
import { type CommandLine, commandLine } from './command.ts'

let app: TestApp
let own: Issuer
let key: string
let risiti: CommandLine
beforeAll(async () => {
  app = await startTestApp()
  own = await issuer(app)
  key = await app.key(own.organisationId)
  risiti = await commandLine({ RISITI_SERVER: app.url, RISITI_API_KEY: key })
})
afterAll(async () => {
  await risiti?.end()
  await app?.close()
})

interface Answer {
  readonly id: string | number | null
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> }
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const call = (id: number, name = 'look_up', input: object = { what: 'buyer', words: 'Chidi' }) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input, _meta: meta } })}\n`

/** Runs `risiti mcp` in this process. Each of its lines must be a message of the protocol. */
function speaking(env: Readonly<Record<string, string>> = {}) {
  const lines: string[] = []
  const waiting: (() => void)[] = []
  let isOver = false
  const answers: Answer[] = []
  async function* typed() {
    for (;;) {
      const line = lines.shift()
      if (line !== undefined) yield line
      else if (isOver) return
      else await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  const ended = risiti('mcp', {
    env,
    stdin: typed(),
    onOut: (text) => {
      expect(text.endsWith('\n')).toBe(true)
      const answer = JSON.parse(text)
      expect(answer.jsonrpc).toBe('2.0')
      answers.push(answer)
    },
  })
  return {
    answers,
    say(text: string) {
      lines.push(text)
      wake()
    },
    async next(count: number): Promise<readonly Answer[]> {
      await eventually(async () => expect(answers.length).toBeGreaterThanOrEqual(count))
      return answers
    },
    async end() {
      isOver = true
      wake()
      return await ended
    },
  }
}

describe('as a process, with the official client', () => {
  test.each(['legacy', 'auto'] as const)('%s clients find and call tools', async (mode) => {
    const env = { RISITI_SERVER: app.url, RISITI_API_KEY: key }
    const program = await mcpClientOverStdio(env, { versionNegotiation: { mode } })
    expect(await program.names()).toContain('find_invoices')
    expect((await program.call('look_up', { what: 'buyer', words: 'Chidi' })).rows[0].id).toBe(own.buyerId)
    const none = await program.ask('get_invoice', { invoiceId: own.sellerId })
    expect(none.error).toMatchObject({ reason: 'resource.not_found' })
    await program.close()
  })

  test('without a sign-in it exits with 3 and says nothing on stdout', async () => {
    const stranger = await commandLine()
    expect(await stranger('mcp')).toMatchObject({ code: 3, out: '', notes: expect.stringContaining('risiti login') })
    await stranger.end()
  })
})

test('a client that closes stderr is served all the same', async () => {
  const env = { PATH: process.env.PATH, RISITI_HOME: risiti.home, RISITI_SERVER: app.url, RISITI_API_KEY: key }
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts'), 'mcp'], { env })
  child.stderr.destroy()
  const answering = text(child.stdout)
  child.stdin.end(call(1))
  const [code] = await once(child, 'close')
  expect([code, JSON.parse(await answering).result.structuredContent.rows]).toMatchObject([0, [{ id: own.buyerId }]])
})

test('lines that are no message are refused, and the others go on', async () => {
  const program = speaking()
  program.say('{ not JSON\n\n  \r\n')
  program.say(`[${call(1).trim()}]\n"text"\n`)
  const long = call(2).replace('Chidi', 'x'.repeat(1_500_000))
  program.say(long.slice(0, 1_500_000))
  program.say(`${'y'.repeat(1_500_000)}\n`)
  program.say(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  for (const piece of call(3).match(/[\s\S]{1,7}/g) ?? []) program.say(piece)
  program.say(call(4, 'Ünknown tool').trimEnd())
  expect(await program.end()).toMatchObject({ code: 0 })
  const faults = program.answers.filter(({ id }) => id === null).map(({ error }) => error?.code)
  expect(faults.sort()).toEqual([-32_600, -32_600, -32_600, -32_700])
  expect(program.answers.find(({ id }) => id === 3)?.result).toMatchObject({ structuredContent: { total: 1 } })
  expect(program.answers.find(({ id }) => id === 4)?.error?.message).toMatch(/Unknown tool Ünknown/)
  expect(program.answers).toHaveLength(6)
})

test('a key that is revoked in the middle is an answer that says so', async () => {
  const { data } = await app.a.post('/a/v1/organizations/me/api-keys', {
    token: own.token,
    body: { name: 'Short', mode: 'sandbox', capabilities: ['buyer.read'] },
  })
  const program = speaking({ RISITI_API_KEY: data.key })
  program.say(call(1))
  expect((await program.next(1))[0]).toMatchObject({ id: 1, result: { structuredContent: { total: 1 } } })
  ok(await app.a.patch(`/a/v1/organizations/me/api-keys/${data.id}/revoke`, { token: own.token }))
  program.say(call(2))
  const { error } = (await program.next(2))[1] as Answer
  expect(error).toMatchObject({ message: expect.stringContaining('risiti login'), data: { status: 401 } })
  expect(JSON.stringify(program.answers)).not.toContain(data.key)
  expect(await program.end()).toMatchObject({ code: 0 })
})

test('a call whose connection breaks is sent again; a service that is away is an answer', async () => {
  let requests = 0
  const flaky = createServer((request, response) => {
    if (++requests === 1) return request.socket.destroy()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`: hello\r\n\r\nevent: message\r\ndata: {"jsonrpc":"2.0",\r\ndata: "id":1,"result":{}}\r\n\r\n`)
  }).listen(0, '127.0.0.1')
  await once(flaky, 'listening')
  const program = speaking({ RISITI_SERVER: `http://127.0.0.1:${(flaky.address() as AddressInfo).port}` })
  program.say(call(1))
  expect(await program.next(1)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  flaky.closeAllConnections()
  flaky.close()
  await once(flaky, 'close')
  program.say(call(2))
  expect((await program.next(2))[1]).toMatchObject({
    id: 2,
    error: { message: expect.stringMatching(/cannot be reached/) },
  })
  expect(await program.end()).toMatchObject({ code: 0 })
})

test('a cancelled call gets no answer, and what a proxy says becomes one', async () => {
  await using stub = await new StubServer().start()
  const asked: string[] = []
  stub.answer = ({ headers }) => {
    asked.push(`${headers['mcp-protocol-version']} ${headers['mcp-method']} ${headers['mcp-name']}`)
    return asked.length === 1
      ? undefined
      : { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>no</h1>' }
  }
  const program = speaking({ RISITI_SERVER: stub.url })
  program.say(call(1, 'look_up'))
  await eventually(async () => expect(asked).toHaveLength(1))
  program.say(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })}\n`)
  program.say(call(2, ' =?base64? ü\r\nevil: 1'))
  expect(await program.next(1)).toMatchObject([{ id: 2, error: { data: { status: 502 } } }])
  expect(await program.end()).toMatchObject({ code: 0 })
  expect(program.answers).toHaveLength(1)
  const name = `=?base64?${Buffer.from(' =?base64? ü\r\nevil: 1').toString('base64')}?=`
  expect(asked).toEqual(['2026-07-28 tools/call look_up', `2026-07-28 tools/call ${name}`])
})
