import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
})
afterAll(() => app.close())

const address = { line1: '1 Marina', city: 'Lagos', country: 'NG' }
const bodies = {
  A: (name: string, taxId: string) => ({ name, taxId, email: 'b@example.test', phone: '+2348012345678', address }),
  B: (partyName: string, taxNumber: string) => ({
    partyName,
    taxNumber,
    email: 'b@example.test',
    phoneNumber: '+2348012345678',
    postalAddress: address,
  }),
}

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test('a buyer is created, charged, found and verified', async () => {
    const { token, organisationId } = await app.person()
    await app.openAccount(organisationId)
    const client = app.client(form)
    const made = await client.post('/i/v1/buyers', { token, body: bodies[form]('Adébáyọ̀ Stores', '20198222-0002') })
    expect(made.status, made.text).toBe(201)
    const balance = async () => (await client.get('/b/v1/billing-accounts/me', { token })).data.creditBalance
    expect(await balance()).toBe(99_999)
    const found = await client.get('/i/v1/buyers/search?q=adebayo', { token })
    expect(found.data).toHaveLength(1)
    const started = await client.post(`/i/v1/buyers/${made.data.id}/verify-tax-number`, { token })
    expect(started.status, started.text).toBe(202)
    await eventually(async () => {
      const { data } = await client.get(`/i/v1/buyers/${made.data.id}/verification-status`, { token })
      expect(data.verification.status).toBe('verified')
    })
    expect(await balance()).toBe(99_994)
  })
})
