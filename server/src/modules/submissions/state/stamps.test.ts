import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { envelopeFor } from '../../../../../test/harness/key-files.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { simulatorKeys } from '../../../bin/simulators.ts'
import { sql } from '../../../platform/database/sql.ts'
import { retryPolicyOf } from './retry-policy.ts'

let app: TestApp
let own: Reporter
/** the simulated answer to `sign` waits for this promise */
let beforeSigned: Promise<void> = Promise.resolve()
beforeAll(async () => {
  app = await startTestApp({
    authority: ['sandbox'],
    authorityThrough: (real) => ({
      ...real,
      async sign(bytes, signal) {
        const answer = await real.sign(bytes, signal)
        await beforeSigned
        return answer
      },
    }),
  })
  own = await reporter(app)
  await storeKeyFile(own)
})
afterAll(() => app.close())
afterEach(() => {
  app.authority.control.behave({})
  app.authority.control.misbehave(undefined)
})

const businessOf = async ({ token }: Reporter): Promise<string> =>
  ok(await app.a.get('/i/v1/tax-connection', { token })).authorityIdentifiers.businessId
async function storeKeyFile(of: Reporter): Promise<void> {
  const { token } = of
  const { data: key } = await app.a.get('/i/v1/tax-connection/transport-key', { token })
  const envelope = await envelopeFor(key.publicKeyPem, app.authority.control.keyFileOf(await businessOf(of)))
  ok(await app.a.put('/i/v1/tax-connection/crypto-key', { token, body: { envelope } }))
}
const stampOf = async (id: string) =>
  (await app.runtime.db.one<{ stamp: string | null }>(sql`select stamp from invoices where id = ${id}`)).stamp
/** The authority reference in a document's QR code, read as the authority's app reads it. */
async function readQrCode(id: string, businessId: string): Promise<string | undefined> {
  const text = await stampOf(id)
  if (text === null) return undefined
  const reply = await fetch(`${app.authority.url}/control/stamps`, {
    method: 'POST',
    headers: { 'x-api-key': simulatorKeys.nrs, 'x-api-secret': simulatorKeys.nrsSecret },
    body: JSON.stringify({ businessId, text }),
  })
  return ((await reply.json()) as { data?: { irn: string } | null }).data?.irn
}
async function expectQrCode(id: string, of: Reporter = own): Promise<void> {
  const { report } = await of.status(id)
  expect(await readQrCode(id, await businessOf(of))).toBe(report.reference)
}
const forgetQrCode = (id: string) => app.runtime.db.run(sql`update invoices set stamp = null where id = ${id}`)
const accepted = async (of: Reporter = own): Promise<string> => {
  const { id } = await of.submitted()
  await of.until(id, 'accepted')
  return id
}

describe('a registered document has its QR code, whichever way the registration became known', () => {
  test('a callback that comes before the answer to the signing', async () => {
    const answer = Promise.withResolvers<void>()
    beforeSigned = answer.promise
    app.authority.control.behave({ callsBeforeSignedMs: 1 })
    const { id } = await own.submitted()
    await own.until(id, 'signed', 'accepted')
    answer.resolve()
    await own.until(id, 'accepted')
    const { attempts } = await own.timeline(id)
    expect(attempts.map(({ cause }: { cause: string }) => cause)).toContain('notified')
    await expectQrCode(id)
  })

  test.each(['A', 'B'] as const)('a status query through form %s after the submission failed', async (form) => {
    app.authority.control.misbehave('truncated')
    const { id } = await own.submitted()
    await eventually(async () => expect((await own.timeline(id)).attempts.length).toBeGreaterThan(1))
    await app.runtime.db.run(sql`
      update submissions set tries = ${retryPolicyOf('sandbox', app.runtime.settings).mostTries - 1} where invoice_id = ${id}`)
    await own.until(id, 'failed')
    app.authority.control.misbehave(undefined)
    ok(await app.client(form).post(`${path}/${id}/query-status`, { token: own.token }))
    await own.until(id, 'accepted')
    await expectQrCode(id)
  })

  test('the queue itself, for invoices and notes', async () => {
    const id = await accepted()
    const note = ok(await own.life.credit(id, { amount: 10 }), 201)
    ok(await own.life.act(note.id, 'finalise'))
    ok(await own.life.act(note.id, 'submit'), 202)
    await own.until(note.id, 'accepted')
    for (const one of [id, note.id]) await expectQrCode(one)
  })
})

describe('the sweep', () => {
  test('adds missing QR codes, also to notes, and emits an event', async () => {
    const id = await accepted()
    const note = ok(await own.life.credit(id, { amount: 10 }), 201)
    ok(await own.life.act(note.id, 'finalise'))
    ok(await own.life.act(note.id, 'submit'), 202)
    await own.until(note.id, 'accepted')
    for (const one of [id, note.id]) await forgetQrCode(one)
    await app.runJob('stamp-invoices')
    for (const one of [id, note.id]) await expectQrCode(one)
    expect((await own.life.told(id)).at(-1)).toBe('invoice.updated')
    const made = await stampOf(id)
    await app.runJob('stamp-invoices')
    expect(await stampOf(id)).toBe(made)
  })

  test('continues after a document that cannot be stamped and after an organisation whose key file cannot be opened', async () => {
    const [broken, other] = [await reporter(app), await reporter(app)]
    for (const one of [broken, other]) await storeKeyFile(one)
    const [lost, poisoned, healthy] = [await accepted(broken), await accepted(other), await accepted(other)]
    for (const id of [lost, poisoned, healthy]) await forgetQrCode(id)
    await app.runtime.db.run(
      sql`update tax_connections set sealed_key_file = 'v1.gone.AAAA.BBBB' where organisation_id = ${broken.organisationId}`,
    )
    const long = `${'9'.repeat(300)}-TEST0001-20261115`
    await app.runtime.db.run(sql`update invoices set authority_reference = ${long} where id = ${poisoned}`)
    await app.runtime.db.run(sql`update submissions set reference = ${long} where invoice_id = ${poisoned}`)
    await expect(app.runJob('stamp-invoices')).rejects.toThrow('1 tenants')
    await expectQrCode(healthy, other)
    expect([await stampOf(lost), await stampOf(poisoned)]).toEqual([null, null])
  })

  test('stamps with a key file that came later, was replaced, or belongs to a revoked connection', async () => {
    const late = await reporter(app)
    const id = await accepted(late)
    await app.runJob('stamp-invoices').catch(() => {})
    expect(await stampOf(id)).toBeNull()
    await storeKeyFile(late)
    await storeKeyFile(late)
    const { token } = late
    const businessId = await businessOf(late)
    ok(await app.a.delete('/i/v1/tax-connection', { token }))
    await app.runJob('stamp-invoices').catch(() => {})
    expect(await readQrCode(id, businessId)).toBe((await late.status(id)).report.reference)
  })

  test('never stamps with the key file of another business', async () => {
    const mover = await reporter(app)
    await storeKeyFile(mover)
    const id = await accepted(mover)
    await forgetQrCode(id)
    await app.runtime.db.run(sql`
      update tax_connections set business_id = ${randomUUID()} where organisation_id = ${mover.organisationId}`)
    await app.runJob('stamp-invoices').catch(() => {})
    expect(await stampOf(id)).toBeNull()
  })
})
