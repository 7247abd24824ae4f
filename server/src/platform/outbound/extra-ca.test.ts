import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAuthority } from '../../../../test/harness/certificates.ts'
import { ExtraCaProblem, loadExtraCa } from './extra-ca.ts'
import { OutboundFailure } from './failures.ts'
import { createOutbound } from './outbound-http.ts'
import { publicOnly } from './public-urls.ts'

const ours = makeAuthority('An authority of our own')
const strange = makeAuthority('An authority of strangers')
const host = 'hooks.example.com'
const heard: { servername: unknown; protocol: unknown }[] = []
const server = createServer(ours.issue(host), (request, response) => {
  const socket = request.socket as TLSSocket & { servername?: unknown }
  heard.push({ servername: socket.servername, protocol: socket.getProtocol() })
  response.end('ok')
})
let folder: string
let port: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'extra-ca-'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await rm(folder, { recursive: true })
})

async function file(text: string): Promise<string> {
  const path = join(folder, `${Math.random()}.pem`)
  await writeFile(path, text)
  return path
}

/** Asks over TLS under a name, trusting these besides the public ones. */
async function ask(name: string, extraCa: readonly string[]): Promise<string | number> {
  const resolve = async () => ['127.0.0.1']
  const outbound = createOutbound({ extraCa, resolve, resolvePublic: resolve })
  const rules = { ...publicOnly(), ports: undefined, allowsAddress: () => true }
  try {
    const url = `https://${name}:${port}`
    const { status } = await outbound.party('party', { baseUrl: url }).send({ method: 'GET', path: '/' })
    expect(await outbound.public('strangers', rules).send({ method: 'GET', url })).toMatchObject({ status })
    return status
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    expect(error).toMatchObject({ outcome: 'no_connection', mayHaveArrived: false })
    return error.reason as string
  } finally {
    await outbound.close()
  }
}

test('a configured certificate authority is trusted, for the names in its certificates', async () => {
  expect(await ask(host, await loadExtraCa(await file(`Ours:\n${ours.ca}`)))).toBe(200)
  expect(heard).toEqual(Array(2).fill({ servername: host, protocol: 'TLSv1.3' }))
  expect(await ask(host, [strange.ca, ours.ca])).toBe(200)
  expect(await ask('other.example.com', [ours.ca])).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
})

test('the certificate authority is not trusted elsewhere', async () => {
  heard.length = 0
  expect(await ask(host, [])).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  expect(await ask(host, [strange.ca])).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  expect(heard).toEqual([])
})

test('a file may contain several certificates', async () => {
  const path = await file([strange.ca, ...getCACertificates('bundled').slice(0, 2), ours.ca].join('\n'))
  expect(await loadExtraCa(path)).toHaveLength(4)
})

test.each([
  ['cannot be read', undefined],
  ['holds no certificate in PEM', ''],
  ['holds no certificate in PEM', ours.issue(host).key],
  ['whose certificate 2 cannot be read', `${ours.ca}${ours.ca.replace('MII', 'AAA')}`],
])('a file that %s is reported', async (problem, text) => {
  const path = text === undefined ? join(folder, 'none.pem') : await file(text)
  const refused = loadExtraCa(path)
  await expect(refused).rejects.toThrow(ExtraCaProblem)
  await expect(refused).rejects.toThrow(problem)
  await expect(refused).rejects.toThrow(path)
})
