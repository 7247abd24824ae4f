import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthoritySimulator, startAuthoritySimulator } from '../../../../simulators/src/authority/index.ts'
import { business } from '../../../../test/harness/authority-documents.ts'
import { type KeyFile, readKeyFile, stampFor } from './key-file.ts'

const keys = { apiKey: '3f0c7a52-5d0e-4b7e-9d55-0f3f5a1f2b10', apiSecret: 'simulated' }
const reference = 'INV000049-F6B4C898-20261114'
let simulator: AuthoritySimulator
let text: string
beforeAll(async () => {
  simulator = await startAuthoritySimulator(keys)
  text = simulator.control.keyFileOf(business.businessId)
})
afterAll(() => simulator.close())

const base64 = (value: string) => Buffer.from(value).toString('base64')
const pemOf = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ type: 'spki', format: 'pem' }).toString()
const partsOf = (file: string) => {
  const at = file.indexOf('-----END PUBLIC KEY-----') + 24
  return { publicKeyPem: file.slice(0, at), certificate: file.slice(at).trim() }
}

test('the authority reads reference and time from a QR text, and no two QR texts are equal', async () => {
  const keyFile = readKeyFile(text) as KeyFile
  const at = new Date('2026-11-15T10:00:00Z')
  const [one, other] = [stampFor(reference, keyFile, at), stampFor(reference, keyFile, at)]
  expect(one).toMatch(/^[A-Za-z0-9+/]{342}==$/)
  expect(one).not.toBe(other)
  const read = async (qr: string, businessId = business.businessId) => {
    const response = await fetch(`${simulator.url}/control/stamps`, {
      method: 'POST',
      headers: { 'x-api-key': keys.apiKey, 'x-api-secret': keys.apiSecret },
      body: JSON.stringify({ businessId, text: qr }),
    })
    return { status: response.status, ...((await response.json()) as { data: unknown }) }
  }
  expect((await read(one)).data).toEqual({ irn: reference, at: String(at.getTime() / 1000) })
  expect((await read(other)).status).toBe(200)
  expect((await read(one, 'another business')).status).toBe(400)
  expect((await read(base64('nothing'))).status).toBe(400)
})

test('both formats of the key file give the same key', () => {
  const { publicKeyPem, certificate } = partsOf(text)
  const expected = { publicKeyPem, certificate }
  expect(readKeyFile(text)).toEqual(expected)
  expect(readKeyFile(`\r\n${text.replaceAll('\n', '\r\n')}`)?.certificate).toBe(certificate)
  expect(readKeyFile(JSON.stringify({ public_key: base64(publicKeyPem), certificate }))).toEqual(expected)
  expect(readKeyFile(JSON.stringify({ public_key: publicKeyPem, certificate }))).toEqual(expected)
})

test('a file that cannot stamp documents is not accepted as a key file', () => {
  const { publicKeyPem, certificate } = partsOf(text)
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' })
  for (const wrong of [
    '',
    'hello',
    publicKeyPem,
    certificate,
    `${publicKeyPem}\n${certificate}\n${certificate}`,
    text.slice(0, 300),
    text.replace(/^[A-Za-z0-9+/]{20}/m, 'x'.repeat(20)),
    `${pemOf(1024)}\n${certificate}`,
    `${elliptic}\n${certificate}`,
    `${publicKeyPem}\n${'A'.repeat(200)}`,
    text + ' '.repeat(20_000),
    '{}',
    '{"public_key":1,"certificate":2}',
    JSON.stringify({ public_key: base64(publicKeyPem) }),
    '{"public_key":',
  ])
    expect(readKeyFile(wrong), wrong.slice(0, 60)).toBeUndefined()
})
