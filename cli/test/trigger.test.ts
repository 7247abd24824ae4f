import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/harness/app.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { reporter } from '../../test/harness/reporters.ts'
import { StubServer } from '../../test/harness/stub-server.ts'
import { type CommandLine, commandLine } from './command.ts'

let app: TestApp
let risiti: CommandLine
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
  const { organisationId } = await reporter(app)
  risiti = await commandLine({ RISITI_SERVER: app.url, RISITI_API_KEY: await app.key(organisationId) })
})
afterAll(async () => {
  await risiti?.end()
  await app?.close()
})

test('an event that happens in the sandbox begins with a sale in the currency of the organisation', async () => {
  const { code, out, notes } = await risiti('trigger invoice.created --real --json')
  expect([code, notes]).toEqual([0, expect.any(String)])
  expect(JSON.parse(out)).toMatchObject({ status: 'draft', currency: 'NGN' })
})

test('a sale that the authority refuses has a buyer of the country, with a tax number of its form', async () => {
  const { code, out, notes } = await risiti('trigger invoice.rejected --real --json')
  expect([code, notes]).toEqual([0, expect.any(String)])
  const { buyerId, id } = JSON.parse(out)
  const buyer = JSON.parse((await risiti(`buyers get ${buyerId} --json`)).out)
  expect(buyer).toMatchObject({
    taxId: expect.stringMatching(/^[1-9]{8}-9001$/),
    taxIdStatus: 'verified',
    address: { country: 'NG' },
  })
  await eventually(async () =>
    expect(JSON.parse((await risiti(`invoices get ${id} --json`)).out)).toMatchObject({ status: 'rejected' }),
  )
})

test('in another country the sale has its currency and its usual tax', async () => {
  await using stub = await new StubServer().start()
  const replies: Readonly<Record<string, unknown>> = {
    'GET /a/v1/auth/me': { organizationId: 'o', principal: 'api_key', apiKey: { id: 'k', name: 'Till' } },
    'GET /n/v1/webhook-event-types': [{ type: 'invoice.created', sample: {} }],
    'GET /a/v1/organizations/o': { country: 'BV' },
    'GET /i/v1/jurisdictions': [
      { country: 'NG' },
      { country: 'BV', currency: 'ISK', taxCategories: [{ code: 'ice' }] },
    ],
    'POST /i/v1/invoices': { id: 'i' },
  }
  stub.answer = ({ method, path }) => {
    const data = replies[`${method} ${path.split('?')[0]}`]
    return data === undefined ? { status: 404, body: path } : { status: 200, body: { meta: { mode: 'sandbox' }, data } }
  }
  const env = { RISITI_SERVER: stub.url, RISITI_API_KEY: 'sk_test_x' }
  const { code, notes } = await risiti('trigger invoice.created --real --json', { env })
  expect([code, notes]).toEqual([0, expect.any(String)])
  const created = stub.requests.find(({ method }) => method === 'POST')
  expect(JSON.parse(created?.body ?? '{}')).toMatchObject({ currency: 'ISK', lineItems: [{ taxCategory: 'ice' }] })
})
