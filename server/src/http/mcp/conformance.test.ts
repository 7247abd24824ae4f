import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { keyCapabilities } from '../../kernel/capabilities.ts'

let app: TestApp
let bearer: Server
let results: string
let url: string
beforeAll(async () => {
  app = await startTestApp()
  const person = await app.person()
  const key = await app.key(person.organisationId, { capabilities: keyCapabilities })
  results = await mkdtemp(join(tmpdir(), 'conformance-'))
  // The suite has no option for a token. Everything else passes as it is sent, Host and Origin too.
  bearer = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(app.url)
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const onward = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode as number, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((listening) => bearer.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(bearer.address() as AddressInfo).port}/mcp`
})
afterAll(async () => {
  bearer?.closeAllConnections()
  bearer?.close()
  await app?.close()
  await rm(results, { recursive: true, force: true })
})

const suite = join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** The scenarios of the suite that a server without its example tools can run. */
test.each(['tools-list', 'server-stateless', 'caching', 'dns-rebinding-protection'])(
  'the conformance suite finds no fault in %s',
  { timeout: 120_000 },
  async (scenario) => {
    const asked = ['server', '--url', url, '--scenario', scenario, '--spec-version', '2026-07-28', '-o', results]
    const ended = await promisify(execFile)(process.execPath, [suite, ...asked], { cwd: results }).catch(
      (error: { stdout: string; stderr: string }) => error,
    )
    const said = `${ended.stdout}\n${ended.stderr}`
    expect(said).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/)
  },
)
