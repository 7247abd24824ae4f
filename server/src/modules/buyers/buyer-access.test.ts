import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, type Reply } from '../../../../test/harness/client.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import { systemRoleNames } from '../../kernel/roles.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
})
afterAll(() => app.close())

const path = '/i/v1/buyers'
const postalAddress = { line1: '1 Marina', city: 'Lagos', country: 'NG' }
const bodies = {
  A: { name: 'Ade', taxId: '20198222-0001' },
  B: { partyName: 'Ade', taxNumber: '20198222-0001', email: 'a@b.ng', phoneNumber: '0801', postalAddress },
}
async function owner() {
  const person = await app.person()
  await app.openAccount(person.organisationId)
  return person
}

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const client = () => app.client(form)
  const withoutNumber = () => {
    const { taxId: _a, taxNumber: _b, ...body } = bodies[form] as Record<string, unknown>
    return body
  }
  type Step = [needs: Capability, call: (token: string, id: string) => Promise<Reply>]
  const ofAny: Step[] = [
    ['buyer.read', (token) => client().get(path, { token })],
    ['buyer.read', (token) => client().get(`${path}/search?q=ade`, { token })],
    ['buyer.create', (token) => client().post(path, { token, body: withoutNumber() })],
  ]
  const ofOne: Step[] = [
    ['buyer.read', (token, id) => client().get(`${path}/${id}`, { token })],
    ['buyer.read', (token, id) => client().get(`${path}/${id}/verification-status`, { token })],
    ['buyer.update', (token, id) => client().patch(`${path}/${id}`, { token, body: { email: 'new@b.ng' } })],
    ['buyer.verify_tax_id', (token, id) => client().post(`${path}/${id}/verify-tax-number`, { token })],
    ['buyer.delete', (token, id) => client().delete(`${path}/${id}`, { token })],
  ]
  const ofSeveral: Step = [
    'buyer.delete',
    (token, id) => client().delete(`${path}/bulk`, { token, body: { ids: [id] } }),
  ]
  const steps = [...ofAny, ...ofOne, ofSeveral]

  test('buyers of another organisation or mode are not found', async () => {
    const person = await owner()
    const live = await app.member(person.organisationId, 'OWNER', { mode: 'live' })
    const stranger = await owner()
    const made = await client().post(path, { token: person.token, body: bodies[form] })
    const { id } = made.data
    const liveKey = await app.key(person.organisationId, { mode: 'live' })
    for (const token of [stranger.token, live.token, liveKey]) {
      for (const [, call] of ofOne) expectRefusal(await call(token, id), 'resource.not_found')
      const bulk = await client().delete(`${path}/bulk`, { token, body: { ids: [id] } })
      expect(bulk.data).toEqual({ deleted: [], archived: [], notFound: [id] })
      expect((await client().get(path, { token })).body).toMatchObject({ data: [], meta: { pagination: { total: 0 } } })
      expect((await client().get(`${path}/search?q=ade`, { token })).data).toEqual([])
    }
    expect((await client().get(`${path}/${id}`, { token: person.token })).data).toEqual(made.data)
  })

  test('viewers can read, all other roles can change, and callers without a token can do nothing', async () => {
    const person = await owner()
    for (const role of systemRoleNames) {
      const { token } = await app.member(person.organisationId, role)
      const { id } = (await client().post(path, { token: person.token, body: bodies[form] })).data
      for (const [needs, call] of steps) {
        const reply = await call(token, id)
        if (role === 'VIEWER' && needs !== 'buyer.read') expectRefusal(reply, 'auth.capability_missing')
        else expect([200, 201, 202], `${role} ${needs} ${reply.text}`).toContain(reply.status)
      }
      await client().delete(`${path}/${id}`, { token: person.token })
    }
    for (const [, call] of steps) expect((await call('nonsense', person.userId)).status).toBe(401)
  })

  test('each route needs its own capability and no other, for people and keys', async () => {
    const person = await owner()
    const { organisationId } = person
    for (const held of ['buyer.read', 'buyer.create', 'buyer.update', 'buyer.verify_tax_id', 'buyer.delete'] as const) {
      const member = await memberHolding(app, person, held)
      for (const token of [member.token, await app.key(organisationId, { capabilities: [held] })]) {
        const { id } = (await client().post(path, { token: person.token, body: bodies[form] })).data
        for (const [needs, call] of steps) {
          const reply = await call(token, id)
          if (needs !== held) expectRefusal(reply, 'auth.capability_missing')
          else expect(reply.status, `${held} ${reply.text}`).not.toBe(403)
        }
        await client().delete(`${path}/${id}`, { token: person.token })
      }
    }
  })
})

test('the form options need the capability to read buyers', async () => {
  const person = await owner()
  const { token } = await memberHolding(app, person, 'seller.read')
  expectRefusal(await app.a.get(`${path}/setup`, { token }), 'auth.capability_missing')
  const reader = await memberHolding(app, person, 'buyer.read')
  expect((await app.a.get(`${path}/setup`, { token: reader.token })).status).toBe(200)
})
