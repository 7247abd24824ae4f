import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { buyerDetails, type Issuer, issuer } from '../../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'
import { deliveries } from '../invoice.ts'
import { canBeShown, further } from './send-invoice.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const sentTo = async (id: string) =>
  (await eventsAbout(app, id)).filter(({ type }) => type === 'invoice.sent').map(({ data }) => data)

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const send = (id: string) => app.client(form).post(`${path}/${id}/send`, { token: own.token })

  test('each send emits an event with the recipient', async () => {
    const { id, invoiceNumber } = await life.issued({}, form)
    expect(ok(await send(id))).toMatchObject({
      status: 'finalised',
      simpleStatus: 'delivered',
      reporting: { delivery: 'sent_email' },
      sentAt: app.clock.now().toISOString(),
    })
    app.clock.advance({ minutes: 1 })
    const again = await send(id)
    expect(ok(again).sentAt).toBe(app.clock.now().toISOString())
    expect(again.headers.get('etag')).toBe('"4"')
    const said = { invoiceId: id, invoiceNumber, status: 'finalised', to: buyerDetails.email }
    expect(await sentTo(id)).toMatchObject([said, said])
  })

  test('drafts, rejected and cancelled documents cannot be sent', async () => {
    const draft = await life.draft({}, form)
    const refused = await send(draft.id)
    expectRefusal(refused, 'invoice.send.not_finalised')
    const expected = { A: [409, 'BIZ004'], B: [400, 'INV003'] }[form]
    expect([refused.status, refused.body.error.code]).toEqual(expected)
    const issued = await life.issued({}, form)
    for (const status of ['rejected', 'cancelled']) {
      await life.become(issued.id, status)
      expectRefusal(await send(issued.id), 'invoice.send.not_finalised')
    }
    expect([...(await sentTo(draft.id)), ...(await sentTo(issued.id))]).toEqual([])
  })

  test('a buyer without an address gets a mail only after one is added', async () => {
    const { token } = own
    const buyerId = await life.buyer({ email: null })
    const { id } = await life.issued({ buyerId }, form)
    const refused = await send(id)
    expectRefusal(refused, 'invoice.send.no_email')
    expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ005'])
    expect((await life.get(id)).sentAt).toBeNull()
    ok(await app.a.patch(`/i/v1/buyers/${buyerId}`, { token, body: { email: 'new@chidi.test' } }))
    ok(await send(id))
    expect(await sentTo(id)).toMatchObject([{ to: 'new@chidi.test' }])
  })

  test('an unknown invoice cannot be sent', async () => {
    expectRefusal(await send(randomUUID()), 'resource.not_found')
  })
})

test('an invoice without a buyer has no recipient', async () => {
  const { id } = await life.issued({ buyerId: null, invoiceKind: 'B2C' })
  expectRefusal(await life.act(id, 'send'), 'invoice.send.no_email')
})

test('an archived buyer still gets mail', async () => {
  const { token } = own
  const buyerId = await life.buyer()
  const { id } = await life.issued({ buyerId })
  ok(await app.a.delete(`/i/v1/buyers/${buyerId}`, { token }))
  ok(await life.act(id, 'send'))
  expect(await sentTo(id)).toMatchObject([{ to: buyerDetails.email }])
})

test('a link does not lower the delivery of a sent invoice, nor a mail that of a transmitted one', () => {
  expect(deliveries.map((delivery) => further(delivery, 'sent_email'))).toEqual([
    'deliver_to_buyer',
    'sent_email',
    'sent_email',
    'sent_email',
    'sent_email',
  ])
  for (const a of deliveries) for (const b of deliveries) expect(further(a, b)).toBe(further(b, a))
})

test('issued documents can be shown, unless rejected or cancelled', () => {
  const shown = (['draft', 'finalised', 'failed', 'rejected', 'accepted', 'cancelled'] as const).filter((status) =>
    canBeShown({ status }),
  )
  expect(shown).toEqual(['finalised', 'failed', 'accepted'])
})
