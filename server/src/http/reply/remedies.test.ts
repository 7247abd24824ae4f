import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import type { Reply } from '../../../../test/harness/client.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../test/harness/invoices.ts'
import { listTypes } from '../../jurisdictions/port.ts'
import { newId } from '../../kernel/ids.ts'
import { formA } from '../form-a/index.ts'
import { formB } from '../form-b/index.ts'
import { addressOf, wordsOf } from './remedies.ts'

let app: TestApp
let own: Issuer
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
  own = await issuer(app)
})
afterAll(() => app.close())

test.each([formA, formB])('form $name names the route of every remedy', (form) => {
  expect(addressOf(form, 'plans')).toBe(`GET ${form.prefix}/b/v1/plans`)
  expect(addressOf(form, 'live-mode')).toBe(`POST ${form.prefix}/a/v1/auth/mode`)
  for (const type of listTypes)
    expect(addressOf(form, `list:${type}`)).toBe(`GET ${form.prefix}/i/v1/invoices/resources/${type}`)
})

test('a form without the route omits it', () => {
  const bare = { routes: [], prefix: '/x' }
  const fault = { path: 'a', rule: 'code', message: 'is unknown', see: 'list:units' } as const
  expect(wordsOf(bare, { message: 'No.', details: [fault], see: 'plans' })).toEqual({
    message: 'No.',
    details: [{ path: 'a', rule: 'code', message: 'is unknown' }],
  })
})

describe.each(['A', 'B'] as const)('form %s names its own addresses', (form) => {
  const prefix = form === 'A' ? '' : '/form-b'
  const post = (path: string, body: object, token = own.token) => app.client(form).post(path, { token, body })
  const faultsOf = (reply: Reply) =>
    (reply.body.error.details as { path: string; message: string }[]).map(({ path, message }) => [path, message])

  test('for the lists of a draft and of an item', async () => {
    const [line] = invoiceBody[form](own).lineItems
    const drafted = await post('/i/v1/invoices', invoiceBody[form](own, { lineItems: [{ ...line, unitCode: 'QQQ' }] }))
    const says = `is not on the list of units; see GET ${prefix}/i/v1/invoices/resources/units`
    expect(faultsOf(drafted)).toEqual([['lineItems[0].unitCode', says]])
    const item = { name: 'Sand', itemType: 'goods', hsnCode: '2505.10', productCategory: 'Sand', taxCategory: 'zero' }
    const saved = await post('/i/v1/items', { ...item, unitCode: 'QQQ', unitPriceMinor: '1', currency: 'NGN' })
    expect(faultsOf(saved)).toEqual([['unitCode', says]])
  })

  test('for plans, and for the switch to live mode', async () => {
    const order = { planCode: 'none', interval: 'monthly', currency: 'NGN' }
    const inSandbox = await post('/b/v1/subscriptions/subscribe', order)
    expect(inSandbox.body.error.message).toBe(
      `This action moves real money. Switch the session to live mode first. See POST ${prefix}/a/v1/auth/mode.`,
    )
    const live = await app.member(own.organisationId, 'OWNER', { mode: 'live' })
    const unknown = await post('/b/v1/subscriptions/subscribe', order, live.token)
    expect(faultsOf(unknown)).toEqual([['planCode', `is not a plan; see GET ${prefix}/b/v1/plans`]])
    for (const path of [
      '/b/v1/plans/subscriptions/none',
      `/b/v1/plans/packages/${newId()}`,
      '/b/v1/subscriptions/active',
    ]) {
      const missing = await app.client(form).get(path, { token: live.token })
      expect(missing.body.error.message).toMatch(new RegExp(`\\. See GET ${prefix}/b/v1/plans\\.$`))
    }
  })
})
