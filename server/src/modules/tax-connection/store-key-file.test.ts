import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { businessPublicKey, envelopeFor, keyFileJson, keyFileText } from '../../../../test/harness/key-files.ts'
import { becomeBusiness, recordOf, renameOrganisation } from '../../../../test/harness/live-business.ts'
import { eventsAbout } from '../../../../test/harness/purchases.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { sql } from '../../platform/database/sql.ts'
import { keyFileOf } from './connection.ts'
import { findConnection } from './connections.store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox', 'live'] })
})
afterAll(() => app.close())

const path = '/i/v1/tax-connection'
const otherKey = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString()

const transportKey = async ({ token }: Person) => (await app.a.get(`${path}/transport-key`, { token })).data
const send = ({ token }: Person, envelope: string) => app.a.put(`${path}/crypto-key`, { token, body: { envelope } })
const kept = async ({ organisationId }: Person, mode: Mode = 'sandbox') => {
  const connection = await findConnection(app.runtime.db, { organisationId, mode })
  return connection && keyFileOf(app.runtime.vault, connection)
}

async function connected(mode: Mode = 'sandbox'): Promise<Person> {
  const person = await app.person({ mode })
  const businessId = randomUUID().replace(/....$/, '7d11')
  const record = await recordOf(app, businessId)
  const { serviceId } = record
  if (mode === 'live') await becomeBusiness(app, person, record)
  const consent = { accepted: true, textVersion: '2026-11' }
  const body = { authorityIdentifiers: { businessId, serviceId }, consent }
  expect((await app.a.post(path, { token: person.token, body })).status).toBe(201)
  return person
}

test('a transport key is created once for concurrent requests', async () => {
  const person = await app.person()
  const keys = await Promise.all(Array.from({ length: 3 }, () => transportKey(person)))
  expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(1)
  expect(await transportKey(person)).toEqual(keys[0])
  expect(keys[0]).toMatchObject({
    algorithm: 'RSA-OAEP-256',
    encryption: 'A256GCM',
    publicKeyPem: expect.stringContaining('BEGIN PUBLIC KEY'),
    jwk: { kty: 'RSA', e: 'AQAB', kid: keys[0].keyId, use: 'enc' },
  })
  const live = await app.member(person.organisationId, 'OWNER', { mode: 'live' })
  expect((await transportKey(live)).keyId).not.toBe(keys[0].keyId)
  expect((await transportKey(await app.person())).keyId).not.toBe(keys[0].keyId)
  const rows = await app.runtime.db.rows(sql`select to_jsonb(k)::text as text from tax_transport_keys k`)
  expect(JSON.stringify(rows)).not.toContain('PRIVATE')
})

test.each([
  ['text', keyFileText],
  ['JSON', keyFileJson],
])('a key file as %s is opened, checked and stored sealed', async (_, make) => {
  const person = await connected()
  const { publicKeyPem, keyId } = await transportKey(person)
  const certificate = 'Y2VydGlmaWNhdGUgb2YgYSBidXNpbmVzcw=='
  const sent = await send(person, await envelopeFor(publicKeyPem, make(certificate), { kid: keyId }))
  expect(sent.status, sent.text).toBe(200)
  expect(sent.data).toMatchObject({
    status: 'CONNECTED',
    keyFile: { fingerprint: expect.stringMatching(/^[\da-f]{64}$/) },
  })
  expect(await kept(person)).toEqual({ publicKeyPem: businessPublicKey().trim(), certificate })
  const { organisationId } = person
  const connection = await findConnection(app.runtime.db, { organisationId, mode: 'sandbox' })
  const events = await eventsAbout(app, connection?.id ?? '')
  expect(events.map(({ type }) => type)).toContain('tax_connection.key_file_stored')
  expect(JSON.stringify([connection, events, sent.data])).not.toContain(certificate)
})

test('in live mode the key file completes the connection', async () => {
  const person = await connected('live')
  const { publicKeyPem } = await transportKey(person)
  const { token } = person
  expect((await app.a.get(path, { token })).data.status).toBe('PENDING')
  const { data } = await send(person, await envelopeFor(publicKeyPem, keyFileText()))
  expect(data).toMatchObject({ status: 'CONNECTED', problem: null, connectedAt: expect.any(String) })
  expect((await app.a.post(`${path}/refresh`, { token })).data.status).toBe('CONNECTED')
})

test('in live mode the key file does not complete the connection of another business', async () => {
  const person = await connected('live')
  const { publicKeyPem } = await transportKey(person)
  await renameOrganisation(app, person, 'Somebody Else')
  const refused = await send(person, await envelopeFor(publicKeyPem, keyFileText()))
  expectRefusal(refused, 'tax_connection.not_verified')
  expect([refused.status, refused.body.error.code]).toEqual([400, 'TAX001'])
  expect(refused.body.error.message).toMatch(/another name/)
  const { data } = await app.a.get(path, { token: person.token })
  expect(data).toMatchObject({ status: 'PENDING', problem: refused.body.error.message, keyFile: null })
})

describe('a refusal leaves the key file unchanged', () => {
  let person: Person
  let ours: string
  beforeAll(async () => {
    person = await connected()
    ours = (await transportKey(person)).publicKeyPem
    await send(person, await envelopeFor(ours, keyFileText('QSBjZXJ0aWZpY2F0ZSB0aGF0IHN0YXlz')))
  })

  const whole = () => envelopeFor(ours, keyFileText())
  test.each([
    ['for another key', () => envelopeFor(otherKey, keyFileText()), /not encrypted to your transport key/],
    [
      'that names another key',
      () => envelopeFor(ours, keyFileText(), { kid: 'x' }),
      /not encrypted to your transport key/,
    ],
    ['that lost its end', async () => (await whole()).slice(0, -5), /cannot be decrypted/],
    ['that lost its last part', async () => (await whole()).split('.').slice(0, 4).join('.'), /five parts/],
    ['with an empty part', async () => (await whole()).replace(/\.[^.]+$/, '.'), /five parts/],
    ['with a changed letter', async () => flipped(await whole()), /cannot be decrypted/],
    ['of another algorithm', () => envelopeFor(ours, keyFileText(), { alg: 'RSA-OAEP' }), /RSA-OAEP-256/],
    ['of another encryption', () => envelopeFor(ours, keyFileText(), { enc: 'A128GCM' }), /A256GCM/],
    ['with a header that is none', async () => `e30x${(await whole()).slice(4)}`, /header|cannot/],
    ['that is no JWE', async () => 'hello', /five parts/],
    ['of a file without certificate', () => envelopeFor(ours, businessPublicKey()), /a whole key file/],
    ['of half a file', () => envelopeFor(ours, keyFileJson().slice(0, 60)), /a whole key file/],
    ['of no text', () => envelopeFor(ours, Uint8Array.of(255, 254, 0)), /cannot be decrypted/],
    ['that is too long', () => envelopeFor(ours, keyFileText('A'.repeat(20_000))), /16384/],
    ['that is empty', async () => '', /empty/],
  ])('an envelope %s', async (_, make, message) => {
    const before = await kept(person)
    const refused = await send(person, await make())
    expectRefusal(refused, 'request.invalid')
    expect([refused.status, refused.body.error.code, faultPaths(refused)]).toEqual([400, 'VAL001', ['envelope']])
    expect(refused.body.error.details[0].message).toMatch(message)
    expect(await kept(person)).toEqual(before)
  })

  /** Changes the encrypted text itself: the last character of a part may hold unused bits. */
  function flipped(envelope: string): string {
    const parts = envelope.split('.')
    const text = parts[3] as string
    parts[3] = `${text[0] === 'A' ? 'B' : 'A'}${text.slice(1)}`
    return parts.join('.')
  }
})

test('a connection and a transport key are required', async () => {
  const person = await app.person()
  const { publicKeyPem } = await transportKey(person)
  const envelope = await envelopeFor(publicKeyPem, keyFileText())
  expectRefusal(await send(person, envelope), 'resource.not_found')
  const other = await connected()
  const refused = await send(other, envelope)
  expectRefusal(refused, 'request.invalid')
  expect(refused.body.error.details[0].message).toMatch(/transport key/)
  await app.a.delete(path, { token: other.token })
  expectRefusal(await send(other, envelope), 'resource.not_found')
})

test('a change of the business deletes the key file', async () => {
  const person = await connected()
  const { publicKeyPem } = await transportKey(person)
  await send(person, await envelopeFor(publicKeyPem, keyFileText()))
  const body = { nrsBusinessId: randomUUID().replace(/....$/, '7d11'), nrsServiceId: '94ND90NR' }
  const { token } = person
  expect((await app.b.put('/a/v1/organizations/me/tax-registration', { token, body })).status).toBe(200)
  expect(await kept(person)).toBeUndefined()
})
