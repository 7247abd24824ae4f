import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { envelopeFor } from '../../../../../test/harness/key-files.ts'
import { type Reporter, reporter } from '../../../../../test/harness/reporters.ts'
import { brokenInvariants } from '../../../../../test/harness/submission-invariants.ts'
import { simulatorKeys } from '../../../bin/simulators.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let own: Reporter
let connection: { readonly authorityIdentifiers: { readonly businessId: string } }
beforeAll(async () => {
  app = await startTestApp({
    now: '2026-11-15T09:00:00Z',
    authority: ['sandbox'],
    settings: { sandboxPatienceMs: 6_000 },
  })
  own = await reporter(app)
  const { token } = own
  const { data: key } = await app.a.get('/i/v1/tax-connection/transport-key', { token })
  connection = ok(await app.a.get('/i/v1/tax-connection', { token }))
  const envelope = await envelopeFor(
    key.publicKeyPem,
    app.authority.control.keyFileOf(connection.authorityIdentifiers.businessId),
  )
  ok(await app.a.put('/i/v1/tax-connection/crypto-key', { token, body: { envelope } }))
})
afterAll(() => app.close())

let buyers = 0
/** The simulator chooses its behaviour by the buyer's tax number. */
async function submittedTo(ending: string): Promise<string> {
  const buyerId = await own.life.buyer({ taxId: `7${String(++buyers).padStart(7, '0')}-${ending}` })
  ok(await app.a.post(`/i/v1/buyers/${buyerId}/verify-tax-number`, { token: own.token }), 202)
  await app.quiet()
  return (await own.submitted({ buyerId })).id
}

test.each([
  ['0001', 'accepted', 'takes it'],
  ['9001', 'rejected', 'refuses it'],
  ['9002', 'failed', 'never answers'],
  ['9003', 'accepted', 'answers twice'],
  ['9004', 'accepted', 'answers late'],
  ['9005', 'accepted', 'signs and loses the reply'],
  ['9006', 'accepted', 'fails twice and then works'],
] as const)('a buyer whose number ends in %s makes it %s: the authority %s', async (ending, status, _how) => {
  const { sandboxPatienceMs } = app.runtime.settings
  if (status === 'failed') Object.assign(app.runtime.settings, { sandboxPatienceMs: 2_000 })
  onTestFinished(() => void Object.assign(app.runtime.settings, { sandboxPatienceMs }))
  const id = await submittedTo(ending)
  const { report } = await own.until(id, 'accepted', 'rejected', 'failed')
  expect([(await own.status(id)).status, await own.timeline(id)]).toMatchObject([status, {}])
  const { accepted } = app.authority.control.acceptancesOf(report.reference)
  expect(accepted).toBe(status === 'accepted' ? 1 : 0)
  expect(await brokenInvariants(app.runtime.db)).toEqual({})
})

test('the authority’s callback reports the delivery to the buyer’s side', async () => {
  const id = await submittedTo('0001')
  await own.until(id, 'accepted')
  await eventually(async () => expect((await own.life.get(id)).reporting.delivery).toBe('deliver_to_buyer'))
})

test('an accepted document shows the authority reference and a QR code that was made once', async () => {
  const { token } = own
  const id = await submittedTo('0001')
  const { report } = await own.until(id, 'accepted')
  const { authorityReference, stamp: text } = await app.runtime.db.one<{
    authorityReference: string
    stamp: string | null
  }>(sql`select authority_reference, stamp from invoices where id = ${id}`)
  expect([authorityReference, typeof text]).toEqual([report.reference, 'string'])
  const stamp = await fetch(`${app.authority.url}/control/stamps`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': simulatorKeys.nrs,
      'x-api-secret': simulatorKeys.nrsSecret,
    },
    body: JSON.stringify({ businessId: connection.authorityIdentifiers.businessId, text }),
  })
  expect(await stamp.text()).toContain(report.reference)
  const first = ok(await app.b.get(`${path}/${id}/download`, { token }))
  expect(ok(await app.b.get(`${path}/${id}/download`, { token })).sha256).toBe(first.sha256)
  const copy = ok(await app.a.get(`${path}/${id}/authority-copy`, { token }))
  expect(copy).toMatchObject({ reference: report.reference, isWhatWasSent: true })
})
