import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { sealedColumns } from '../../jobs/index.ts'
import { newId } from '../../kernel/ids.ts'
import type { OutgoingMessage } from '../../modules/messages/message.ts'
import { deliverMessage } from '../../modules/messages/send-message.ts'
import { resealSecrets } from '../background/reseal-secrets.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { identifier, sql } from '../database/sql.ts'
import { KeyFileProblem } from './key-file.ts'
import { checkKeyFile, listToReseal, reseal, type SealedColumn } from './secret-keys.store.ts'
import { createVault, sameSecret, type Vault } from './secrets.ts'

const [key1, key2, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const vaultOf = (active: string, keys: Record<string, Buffer>) =>
  createVault({ active, keys: new Map(Object.entries(keys)) })
const before = vaultOf('k1', { k1: key1 })
const after = vaultOf('k2', { k1: key1, k2: key2 })
const place = { table: 'users', column: 'totp_secret', id: '0193aaaa-0000-7000-8000-000000000001' }
const anyText = fc.string({ unit: 'binary', maxLength: 300 })

describe('sealing', () => {
  test('a sealed value opens, and hides its content', () => {
    fc.assert(
      fc.property(anyText, (plain) => {
        const sealed = before.seal(plain, place)
        expect(sealed).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]+$/)
        expect(before.open(sealed, place)).toBe(plain)
      }),
    )
    const sealed = before.seal('a plain secret', place)
    expect(Buffer.from(sealed.split('.')[3] as string, 'base64url').toString('latin1')).not.toContain('plain')
  })

  test('no nonce is used twice', () => {
    const nonces = Array.from({ length: 2000 }, () => before.seal('same', place).split('.')[2])
    expect(new Set(nonces).size).toBe(2000)
  })

  test.each([
    ['row', { ...place, id: '0193aaaa-0000-7000-8000-000000000002' }],
    ['column', { ...place, column: 'totp_pending' }],
    ['table', { ...place, table: 'members' }],
  ])('a value moved to another %s does not open', (_, elsewhere) => {
    const sealed = before.seal('secret', place)
    expect(() => before.open(sealed, elsewhere)).toThrow()
    expect(before.open(sealed, place)).toBe('secret')
  })

  test('a changed or truncated value does not open', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat({ max: 7 }), fc.boolean(), (plain, at, bit, inNonce) => {
        const parts = before.seal(plain, place).split('.') as [string, string, string, string]
        const part = inNonce ? 2 : 3
        const bytes = Buffer.from(parts[part], 'base64url')
        const index = at % bytes.length
        bytes[index] = (bytes[index] as number) ^ (1 << bit)
        const tampered = parts.with(part, bytes.toString('base64url')).join('.')
        const cut = parts.with(part, bytes.subarray(0, index).toString('base64url')).join('.')
        expect(() => before.open(tampered, place)).toThrow()
        expect(() => before.open(cut, place)).toThrow()
      }),
    )
  })

  test.each(['', 'plain', 'v1.k1', 'v1.k1..', 'v2.k1.AAAAAAAAAAAAAAAA.AAAA', 'v1.k1.AAAAAAAAAAAAAAAA.AAAA'])(
    '%j is not a sealed value',
    (text) => expect(() => before.open(text, place)).toThrow(),
  )

  test('after a rotation old values open, and the new key seals', () => {
    const old = before.seal('secret', place)
    expect(after.open(old, place)).toBe('secret')
    const anew = after.seal('secret', place)
    expect(anew).toMatch(/^v1\.k2\./)
    expect([after.isCurrent(old), after.isCurrent(anew)]).toEqual([false, true])
    expect(() => before.open(anew, place)).toThrow('the key file has no key k2, which this data needs')
    expect(() => vaultOf('k1', { k1: foreign }).open(old, place)).toThrow()
    expect(() => after.open(old.replace('v1.k1.', 'v1.k2.'), place)).toThrow()
  })
})

test('every sealed value has a nonce of its own', () => {
  const nonces = Array.from({ length: 2000 }, () => before.seal('secret', place).split('.')[2])
  expect(new Set(nonces).size).toBe(2000)
})

test('a fingerprint matches its secret and purpose only, also after a rotation', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (purpose, secret, other) => {
      const mac = before.mac(purpose, secret)
      expect(before.macMatches(mac, purpose, secret)).toBe(true)
      expect(after.macMatches(mac, purpose, secret)).toBe(true)
      fc.pre(other !== secret && other !== purpose && !`${purpose}${secret}${other}`.includes('\0'))
      expect(before.macMatches(mac, purpose, other)).toBe(false)
      expect(before.macMatches(mac, other, secret)).toBe(false)
    }),
  )
  expect(after.macsOf('p', 's')).toEqual([before.mac('p', 's'), after.mac('p', 's')])
  expect(after.mac('p', 's')).toMatch(/^k2\.[\w-]{43}$/)
  expect(after.mac('p', 's')).toBe(after.mac('p', 's'))
  expect(vaultOf('k1', { k1: foreign }).macMatches(before.mac('p', 's'), 'p', 's')).toBe(false)
  expect(before.macMatches('k1.', 'p', 's')).toBe(false)
  expect(() => before.macMatches('k9.AAAA', 'p', 's')).toThrow('no key k9')
})

test('a fingerprint of a request matches its text and purpose only, also after a rotation', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (purpose, text, other) => {
      const print = before.fingerprint(purpose, text)
      expect(before.fingerprintMatches(print, purpose, text)).toBe(true)
      expect(after.fingerprintMatches(print, purpose, text)).toBe(true)
      fc.pre(other !== text && other !== purpose && !`${purpose}${text}${other}`.includes('\0'))
      expect(before.fingerprintMatches(print, purpose, other)).toBe(false)
      expect(before.fingerprintMatches(print, other, text)).toBe(false)
    }),
  )
  const print = before.fingerprint('p', 't')
  expect(print).toMatch(/^k1\.[\w-]{43}\.F$/)
  expect(vaultOf('k1', { k1: foreign }).fingerprintMatches(print, 'p', 't')).toBe(false)
  expect(before.fingerprintMatches(before.mac('p', 't'), 'p', 't')).toBe(false)
  expect(before.macMatches(print, 'p', 't')).toBe(false)
  expect(before.fingerprintMatches('k1..F', 'p', 't')).toBe(false)
  expect(() => before.fingerprintMatches('k9.AAAA.F', 'p', 't')).toThrow('no key k9')
})

test('tokens are signed with a separate key, and stored values reveal no key', () => {
  expect([after.signingKeyId, after.signingKey('k9')]).toEqual(['k2', undefined])
  const signing = Buffer.from(before.signingKey('k1') as Uint8Array)
  expect([signing.length, signing.equals(key1)]).toEqual([32, false])
  expect(after.signingKey('k1')).toEqual(before.signingKey('k1'))
  const [print] = before.fingerprints().values()
  expect(print).toMatch(/^[0-9a-f]{32}$/)
  for (const key of [key1, signing]) expect(key.toString('hex')).not.toContain(print)
})

test('secrets are compared completely', () => {
  expect([sameSecret('', ''), sameSecret('abc', 'abc'), sameSecret('ọ', 'ọ')]).toEqual([true, true, true])
  expect([sameSecret('abc', 'abd'), sameSecret('abc', 'ab'), sameSecret('', 'a')]).toEqual([false, false, false])
})

describe('the check of the key file against the database', () => {
  let db: Database
  beforeAll(async () => {
    const database = await createTestDatabase()
    db = openDatabase({ connection: database.url })
  })
  afterAll(() => db.end())
  const refusal = (vault: Vault) =>
    checkKeyFile(db, vault).then(
      () => 'accepted',
      (error: unknown) => (error instanceof KeyFileProblem ? error.message : 'failed'),
    )

  test('accepts the first file, the same file and one with an additional key, and refuses others', async () => {
    expect(await refusal(before)).toBe('accepted')
    expect(await refusal(before)).toBe('accepted')
    expect(await refusal(vaultOf('k1', { k1: foreign }))).toMatch(/belongs to another database \(key k1 differs\)/)
    const stranger = vaultOf('k9', { k1: foreign, k9: foreign })
    expect(await refusal(stranger)).toMatch(/key k1 differs/)
    expect(await refusal(before)).toBe('accepted')
    expect(await refusal(after)).toBe('accepted')
    expect(await refusal(before)).toMatch(/lacks k2, which this database was sealed with/)
    expect(await refusal(vaultOf('k2', { k1: key1, k2: foreign }))).toMatch(/key k2 differs/)
    expect(await refusal(after)).toBe('accepted')
  })
})

describe('moving to a new key', () => {
  /** Every stored text that is sealed with a key, wherever it is. */
  async function sealedWith(db: Database, keyId: string): Promise<string[]> {
    const columns = await db.rows<{ tableName: string; columnName: string }>(sql`
      select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type = 'text'`)
    const found: string[] = []
    for (const { tableName, columnName } of columns) {
      const column = identifier(columnName)
      const rows = await db.rows(
        sql`select 1 from ${identifier(tableName)} where ${column} like ${`v1.${keyId}.%`} limit 1`,
      )
      if (rows.length > 0) found.push(`${tableName}.${columnName}`)
    }
    return found.sort()
  }

  test('the job reseals every value, and everything keeps working', async () => {
    const carrier = {
      textsPhones: true,
      reachesPeople: false,
      carry: async () => {
        throw new Error('no mail today')
      },
    }
    const old = await startTestApp({ vault: before, carrier })
    const [person, enrolling] = [await old.person(), await old.person()]
    const { secret } = (
      await old.a.post('/a/v1/auth/totp/enrol', { token: person.token, body: { password: person.password } })
    ).data
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const code = (stepsAhead: number) => totp.generate({ timestamp: old.clock.now().getTime() + stepsAhead * 30_000 })
    const confirmed = await old.a.post('/a/v1/auth/totp/confirm', { token: person.token, body: { code: code(0) } })
    const pending = (
      await old.a.post('/a/v1/auth/totp/enrol', { token: enrolling.token, body: { password: enrolling.password } })
    ).data.secret
    const columns = ['messages.sealed_body', 'users.totp_pending', 'users.totp_secret']
    expect(sealedColumns.map(({ table, column }) => `${table}.${column}`)).toEqual(expect.arrayContaining(columns))
    expect(await sealedWith(old.runtime.db, 'k1')).toEqual(columns)
    await old.close()

    const app = await startTestApp({ database: old.database, vault: after, carrier, now: old.clock.now() })
    try {
      const { db } = app.runtime
      await resealSecrets(app.runtime, sealedColumns).handle({}, { number: 1, last: true })
      expect(await sealedWith(db, 'k1')).toEqual([])
      expect(await sealedWith(db, 'k2')).toEqual(columns)

      const me = await app.a.get('/a/v1/auth/me', { token: person.token })
      expect(me.data.user.totpEnabled).toBe(true)
      for (const factor of [code(1), confirmed.data.recoveryCodes[0]]) {
        const body = { email: person.email, password: person.password, code: factor }
        expect((await app.a.post('/a/v1/auth/login', { body })).status).toBe(200)
      }
      const now = { timestamp: app.clock.now().getTime() }
      const first = new TOTP({ secret: Secret.fromBase32(pending) }).generate(now)
      const late = await app.a.post('/a/v1/auth/totp/confirm', { token: enrolling.token, body: { code: first } })
      expect(late.status).toBe(200)

      const waiting = await db.one<{ id: string }>(sql`select id from messages where recipient = ${person.email}`)
      const carried: OutgoingMessage[] = []
      const keeper = {
        textsPhones: true,
        reachesPeople: true,
        carry: async (message: OutgoingMessage) => void carried.push(message),
      }
      const newOnly = vaultOf('k2', { k2: key2 })
      await deliverMessage({ db, vault: newOnly, clock: app.clock, carrier: keeper }, waiting.id)
      expect(carried).toMatchObject([{ to: person.email, subject: 'Second factor switched on' }])
    } finally {
      await app.close()
    }
  })

  test('values are found by their fingerprint under the new key too', async () => {
    const old = await startTestApp({ vault: before })
    const { token } = await old.person()
    const inviting = (email: string) => ({
      token,
      body: { email, fullName: 'Ada Obi' },
      headers: { 'idempotency-key': 'over-the-change' },
    })
    const path = '/a/v1/organizations/me/invitations'
    const first = await old.a.post(path, inviting('invited@example.test'))
    expect(first.status).toBe(201)
    const [mail] = await old.mailTo('invited@example.test')
    const invitationCode = /^\w{4}-\w{4}$/m.exec(mail?.text ?? '')?.[0]
    await old.close()

    const app = await startTestApp({ database: old.database, vault: after, now: old.clock.now() })
    try {
      const again = await app.a.post(path, inviting('invited@example.test'))
      expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
      expectRefusal(await app.a.post(path, inviting('another@example.test')), 'idempotency.body_differs')
      const body = { email: 'invited@example.test', invitationCode }
      expect((await app.a.post('/a/v1/verify-invitation', { body })).status).toBe(200)
    } finally {
      await app.close()
    }
  })

  test('nodes that know both keys work together during the change of the active key', async () => {
    const both = { k1: key1, k2: key2 }
    const first = await startTestApp({ vault: vaultOf('k1', both) })
    const second = await startTestApp({ database: first.database, vault: vaultOf('k2', both) })
    try {
      const { token } = await first.person()
      const { token: newer } = await second.person()
      for (const node of [first, second])
        for (const each of [token, newer]) expect((await node.a.get('/a/v1/auth/me', { token: each })).status).toBe(200)
      // The reason for preparing keys: a node without the key refuses its signatures.
      const unprepared = await startTestApp({ database: first.database, vault: before })
      expectRefusal(await unprepared.a.get('/a/v1/auth/me', { token: newer }), 'auth.token_invalid')
      await unprepared.close()
    } finally {
      await first.close()
      await second.close()
    }
  })

  test('a batch has a limited size, and never overwrites newer values', async () => {
    const database = await createTestDatabase()
    const db = openDatabase({ connection: database.url })
    const column = sealedColumns.find(({ table }) => table === 'messages') as SealedColumn
    try {
      const ids = Array.from({ length: 3 }, () => newId())
      for (const id of ids)
        await db.run(sql`insert into messages (id, cause, channel, recipient, sealed_body, created_at)
          values (${id}, ${id}, 'email', 'x@example.test', ${before.seal(id, column.place(id))}, now())`)
      const found = (limit: number) => listToReseal(db, after, column, { after: undefined, limit })
      const batch = await found(2)
      expect(batch).toHaveLength(2)
      for (const value of batch) await reseal(db, after, column, value)
      const [last] = await db.rows<{ id: string }>(sql`select id from messages where sealed_body like 'v1.k1.%'`)
      const id = last?.id as string
      const meanwhile = before.seal('written meanwhile', column.place(id))
      const [value, ...others] = await found(2)
      expect([value?.id, others]).toEqual([id, []])
      await db.run(sql`update messages set sealed_body = ${meanwhile} where id = ${id}`)
      await reseal(db, after, column, { id, sealed: value?.sealed ?? '' })
      expect(await db.one(sql`select sealed_body from messages where id = ${id}`)).toEqual({ sealedBody: meanwhile })
      for (const left of await found(2)) await reseal(db, after, column, left)
      expect(await found(2)).toEqual([])
      const rows = await db.rows<{ id: string; sealedBody: string }>(sql`select id, sealed_body from messages`)
      expect(new Map(rows.map((row) => [row.id, after.open(row.sealedBody, column.place(row.id))]))).toEqual(
        new Map(ids.map((each) => [each, each === id ? 'written meanwhile' : each])),
      )
    } finally {
      await db.end()
    }
  })
})
