import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFilter, type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import type { StubServer } from '../../test/harness/stub-server.ts'
import { startReceiver } from '../../test/harness/webhook-receiver.ts'

let browser: BrowserApp
let receiver: StubServer
beforeAll(async () => {
  browser = await startBrowserApp({ requestLogMs: 50 })
  receiver = await startReceiver()
})
afterAll(async () => {
  await browser.close()
  await receiver[Symbol.asyncDispose]()
})

const fits = 'document.documentElement.scrollWidth <= innerWidth'

test.each([
  ['on a desk, light', { width: 1280, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)('a key is created, shown once, replaced and revoked %s', async (_, look) => {
  const visit = await browser.visit(look)
  const { page, complaints } = visit
  await browser.signIn(visit, await browser.app.person())
  await page.goto('/developers')
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  await page.getByRole('button', { name: 'New key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('web shop')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create the key' }).click()
  const key = await page.getByLabel('API key', { exact: true }).inputValue()
  expect(key).toMatch(/^sk_test_/)
  const asKey = async (token: string) => (await browser.app.a.get('/a/v1/auth/me', { token })).status
  expect(await asKey(key)).toBe(200)
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await page.getByRole('button', { name: 'I have saved the key' }).click()
  expect(await page.content()).not.toContain(key)

  await page.getByRole('button', { name: 'Edit web shop' }).click()
  await dialog.getByLabel('Name').fill('shop on the web')
  await dialog.getByLabel('Create buyers').uncheck()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('rowheader', { name: 'shop on the web' }).waitFor()
  expect((await browser.app.a.post('/i/v1/buyers', { token: key, body: { name: 'Oke' } })).status).toBe(403)

  await page.getByRole('button', { name: 'Replace shop on the web' }).click()
  await dialog.getByLabel('The old key keeps working for').selectOption('A day')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create the new key' }).click()
  const replaced = await page.getByLabel('API key', { exact: true }).inputValue()
  expect([await asKey(key), await asKey(replaced)]).toEqual([200, 200])
  await page.getByText('Being replaced').waitFor()

  await page.getByRole('button', { name: 'Revoke shop on the web' }).first().click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByText('Revoked').first().waitFor()
  expect(complaints).toEqual([])
})

test('a delivery to a failing endpoint is sent again after the endpoint is fixed', async () => {
  const visit = await browser.visit({ width: 390 })
  const { page, complaints } = visit
  const person = await browser.app.person()
  await browser.signIn(visit, person)
  await page.goto('/developers/webhooks')
  await page.getByRole('button', { name: 'New endpoint' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill(`${receiver.url}/shop`)
  await dialog.getByLabel('Description').fill('web shop')
  expect(await dialog.getByLabel('Retries').locator('option:checked').textContent()).toBe(
    'Patient: 17 attempts over about 3 days',
  )
  await dialog.getByLabel('All events').uncheck()
  await dialog.getByLabel('Find an event').fill('no such event')
  await dialog.getByText('No event matches.').waitFor()
  await dialog.getByLabel('Find an event').fill('accepted')
  await dialog.getByLabel('buyer.created').waitFor({ state: 'detached' })
  await dialog.getByLabel('invoice.accepted').check()
  await dialog.getByLabel('Find an event').fill('')
  await dialog.getByLabel('Every buyer event').check()
  expect(await dialog.getByLabel('buyer.created').isDisabled()).toBe(true)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create the endpoint' }).click()
  expect(await page.getByLabel('Signing secret').inputValue()).not.toBe('')
  await page.getByRole('button', { name: 'I have saved the secret' }).click()

  receiver.answer = () => ({ status: 500, body: 'out of order' })
  await page.getByRole('button', { name: 'Send a test' }).click()
  await dialog.getByText('Failed').waitFor()
  await dialog.getByText('out of order').waitFor()
  await dialog.getByText('Request headers').click()
  await dialog.getByText(/risiti-signature: t=\d+,v1=/).waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  receiver.answer = () => ({ status: 200, body: 'thank you' })
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByText('thank you').waitFor()
  await page.keyboard.press('Escape')

  const [endpoint] = (await browser.app.a.get('/n/v1/webhook-endpoints', { token: person.token })).data
  expect(endpoint.events.toSorted()).toEqual(['buyer.*', 'invoice.accepted'])
  expect(endpoint.retryConfig).toMatchObject({ maxAttempts: 17, maxDelayMs: 28_800_000 })
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Retries').selectOption('Brief: 3 attempts within seconds')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const changed = (await browser.app.a.get(`/n/v1/webhook-endpoints/${endpoint.id}`, { token: person.token })).data
  expect(changed.retryConfig).toMatchObject({ maxAttempts: 3 })

  await page.getByRole('button', { name: 'Send failed deliveries again' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByText('No delivery failed in this period.').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'See deliveries' }).click()
  await page.waitForURL('**/developers/deliveries?endpointId=*')
  await page.getByRole('button', { name: 'View' }).first().waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await page.getByRole('cell', { name: 'web shop' }).first().waitFor()
  await addFilter(page, 'Event', 'Every invoice event')
  await page.waitForURL('**/developers/deliveries?*type=invoice.*')
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await page.getByRole('button', { name: 'Send all failed again' }).click()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByText('No delivery failed in this period.').waitFor()
  await page.keyboard.press('Escape')
  await addFilter(page, 'Status', 'Waiting')
  await page.getByRole('link', { name: 'Show all deliveries' }).click()
  await page.getByRole('button', { name: 'View' }).first().waitFor()

  await page.getByRole('link', { name: 'Event types' }).click()
  await page.getByText('invoice.accepted').first().click()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)

  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'Replace the secret' }).click()
  await dialog.getByRole('button', { name: 'Create a new secret' }).click()
  await page.getByText('The previous secret works until').waitFor()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('This endpoint is switched off.').waitFor()
  await expectAccessible(page)
  receiver.requests.length = 0
  await browser.app.a.post('/i/v1/buyers', { token: person.token, body: { name: 'Missed Limited' } })
  await page.getByRole('button', { name: 'Switch on' }).click()
  await dialog.getByRole('button', { name: 'New events only' }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send missed events too' }).click()
  await page.getByRole('button', { name: 'Switch off' }).waitFor()
  await expect.poll(() => receiver.requests.some(({ body }) => body.includes('Missed Limited'))).toBe(true)
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete the endpoint' }).click()
  await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor()
  expect(complaints).toEqual([])
})

test.each([
  ['on a desk, dark', { width: 1280, theme: 'dark' }],
  ['on a phone, light', { width: 390, theme: 'light' }],
] as const)('the request of a program is found, with the reason of its refusal %s', async (_, look) => {
  const visit = await browser.visit(look)
  const { page, complaints } = visit
  const { app } = browser
  const person = await app.person()
  await browser.signIn(visit, person)
  await page.goto('/developers/requests')
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  await expectAccessible(page)
  const token = await app.key(person.organisationId)
  await app.a.get('/i/v1/buyers?search=oke', { token })
  await app.a.post('/i/v1/buyers', { token, body: { name: '' } })
  // Appears without a reload.
  await page.getByText('GET /i/v1/buyers?search=oke').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await addFilter(page, 'Response', 'Refused (4xx)')
  await page.waitForURL('**/developers/requests?status=4xx')
  await page.getByText('search=oke').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^View POST \/i\/v1\/buyers/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('must not be empty').waitFor()
  await dialog.getByText('Test key').waitFor()
  await dialog.getByText(`curl -X POST '${app.url}/i/v1/buyers'`).waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await dialog.getByRole('button', { name: 'Copy as curl' }).click()
  await dialog.getByText('Copied.').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('-d @body.json')
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await page.keyboard.press('Escape')
  await addFilter(page, 'Method', 'DELETE')
  await page.getByRole('link', { name: 'Show all API key requests' }).click()
  await page.getByText('GET /i/v1/buyers?search=oke').waitFor()
  // The request id of a reply finds its request, from any caller.
  await app.a.get('/i/v1/items', { token: person.token, headers: { 'x-request-id': 'from-a-mail-1' } })
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('button', { name: 'Request id' }).click()
  await page.getByLabel('Request id').fill('from-a-mail-1')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByText('GET /i/v1/items', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /^View/ }).count()).toBe(1)
  await page.getByRole('button', { name: 'Remove filter: Request id: from-a-mail-1' }).click()
  await page.waitForURL((url) => !url.searchParams.has('requestId'))
  await addFilter(page, 'Caller', 'People, in the dashboard')
  await page.getByRole('main').getByText(person.email).first().waitFor()
  expect(complaints).toEqual([])
})
