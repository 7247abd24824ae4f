import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, password } from '../../test/harness/app.ts'
import { type BrowserApp, expectAccessible, startBrowserApp, type Visit } from '../../test/harness/browser.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { authorizeAddress, connect, newAsking, postForm, redemption, takeTokens } from '../../test/harness/programs.ts'

let browser: BrowserApp
let person: Person
/** The program of a developer, to which the browser brings the answer. */
let program: Server
let answers: URL[]
beforeAll(async () => {
  browser = await startBrowserApp({ trustProxy: { hops: 1 } })
  person = await browser.app.person()
  answers = []
  program = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://program.test')
    if (url.pathname === '/callback') answers.push(url)
    response.setHeader('content-type', 'text/html').end('<title>Program</title><h1>Back at the program</h1>')
  }).listen(0, '127.0.0.1')
  await once(program, 'listening')
})
afterAll(async () => {
  await browser?.close()
  program?.close()
})

const redirectUri = () => `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`
const tokenWorks = async (token: string) => (await browser.app.a.get('/a/v1/auth/me', { token })).status === 200

async function signIn({ page }: Visit, { email }: Person): Promise<void> {
  await page.waitForURL('**/sign-in?next=*')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** What a device shows to its person. */
async function askWithCode(more: Record<string, string> = {}) {
  const { body, text } = await postForm(browser.app, '/oauth/device_authorization', {
    client_id: 'risiti-cli',
    ...more,
  })
  expect(body?.user_code, text).toBeTruthy()
  return body as { user_code: string; device_code: string; verification_uri_complete: string }
}
const takeWithCode = (device_code: string) =>
  takeTokens(browser.app, {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: 'risiti-cli',
    device_code,
  })

test('a person signs in, compares the code, narrows what the program may do, and disconnects it', async () => {
  const visit = await browser.visit({ width: 390, theme: 'dark' })
  const { page, complaints } = visit
  const asked = await askWithCode({ scope: 'invoice.read invoice.create buyer.read' })
  await page.goto(asked.verification_uri_complete)
  await signIn(visit, person)
  await page.waitForURL('**/connect/device?code=*')
  expect(await page.getByLabel('Code').inputValue()).toBe(asked.user_code)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Allow this only if you started the program yourself').waitFor()
  await page.getByText(asked.user_code).waitFor()
  await page.getByText('Made by').waitFor()
  await page.getByText(/10\.\d+\.\d+\.7/).waitFor()
  expect(await page.getByLabel('Most in a day').count()).toBe(0)
  await expectAccessible(page)
  await page.getByText('One by one: Invoices').click()
  await page.getByLabel('Create invoices and notes').uncheck()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Program connected' }).waitFor()
  await expectAccessible(page)
  const { body } = await takeWithCode(asked.device_code)
  expect(body.scope.split(' ').sort()).toEqual(['buyer.read', 'invoice.read'])

  await page.getByRole('link', { name: 'See your connected programs' }).click()
  await page.getByRole('heading', { name: 'Connected programs' }).waitFor()
  await page.getByRole('button', { name: 'Disconnect Risiti CLI' }).click()
  await expectAccessible(page)
  expect(await tokenWorks(body.access_token)).toBe(true)
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('heading', { name: 'No programs yet' }).waitFor()
  expect(await tokenWorks(body.access_token)).toBe(false)
  expect(complaints).toEqual([])
})

/** A program sends a browser without a session to the consent page. Returns how it takes the answer. */
async function openConsent({ page }: Visit) {
  const { values, verifier } = newAsking(browser.app, { redirect_uri: redirectUri() })
  await page.goto(authorizeAddress(values))
  await page.waitForURL('**/sign-in?next=*')
  return async () => {
    await page.waitForURL('**/connect?request=*')
    await page.getByText('asks to work for you in Risiti').waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Back at the program' }).waitFor()
    const code = answers.at(-1)?.searchParams.get('code') ?? ''
    expect((await takeTokens(browser.app, redemption(values, code, verifier))).status).toBe(200)
  }
}
const codeFor = async (email: string, atLeast = 1): Promise<string> =>
  /\b\d{6}\b/.exec((await browser.app.mailTo(email, atLeast))[0]?.text ?? '')?.[0] ?? ''

describe('a person without a session comes back to what the program asks', () => {
  test('after creating an account', async () => {
    const visit = await browser.visit({ width: 390 })
    const { page, complaints } = visit
    const allow = await openConsent(visit)
    await page.getByRole('link', { name: 'Create an account' }).click()
    // Looking at the other page on the way loses nothing.
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Create an account' }).click()
    const email = `newcomer-${Date.now()}@example.test`
    await page.getByLabel('First name').fill('Amaka')
    await page.getByLabel('Last name').fill('Eze')
    await page.getByLabel('Name of your business').fill('Eze Stores')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('a chair under the mango tree')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.waitForURL('**/verify-email?*')
    await page.getByLabel('Code').fill(await codeFor(email))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Eze Stores').waitFor()
    await expectAccessible(page)
    await allow()
    expect(complaints).toEqual([])
  })

  test('after proving an email address that was never proved', async () => {
    const visit = await browser.visit()
    const { page } = visit
    const allow = await openConsent(visit)
    const email = `unproved-${Date.now()}@example.test`
    const body = { email, password, firstName: 'Amaka', lastName: 'Eze', organizationName: 'Eze Stores', country: 'NG' }
    expect((await browser.app.a.post('/a/v1/auth/register', { body })).status).toBe(201)
    await signIn(visit, { email } as Person)
    await page.waitForURL('**/verify-email?*')
    await page.getByText(email).waitFor()
    await page.getByRole('button', { name: 'Send another code' }).click()
    await page.getByText('A new code is on its way').waitFor()
    await page.getByLabel('Code').fill(await codeFor(email, 2))
    await page.getByRole('button', { name: 'Continue' }).click()
    await allow()
  })

  test('after choosing a new password', async () => {
    const own = await browser.app.person()
    const visit = await browser.visit()
    const { page } = visit
    const allow = await openConsent(visit)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email').fill(own.email)
    await page.getByRole('button', { name: 'Send the code' }).click()
    await page.getByLabel('Code').fill(await codeFor(own.email))
    await page.getByLabel('New password').fill('a table under the mango tree')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await allow()
  })

  test('with the code that the program shows', async () => {
    const visit = await browser.visit()
    const { page } = visit
    const asked = await askWithCode()
    await page.goto(asked.verification_uri_complete)
    await page.waitForURL('**/sign-in?next=*')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(visit, await browser.app.person())
    await page.waitForURL('**/connect/device?code=*')
    expect(await page.getByLabel('Code').inputValue()).toBe(asked.user_code)
  })

  test('and never goes to a page of strangers', async () => {
    for (const path of ['sign-in', 'register', 'verify-email', 'forgot-password', 'accept-invitation']) {
      const { page } = await browser.visit()
      await page.goto(`/${path}?next=${encodeURIComponent('//evil.test/')}`)
      await page.getByRole('main').waitFor()
      const links = await page.getByRole('link').evaluateAll((all) => all.map((one) => (one as { href?: string }).href))
      expect(links.join(' ')).not.toContain('evil')
    }
  })
})

test('a program that the browser came from gets the answer, with limits, and its limits can change', async () => {
  const { page, complaints, ...visit } = await browser.visit()
  const own = await browser.app.person()
  const { values, verifier } = newAsking(browser.app, { redirect_uri: redirectUri() })
  await page.goto(authorizeAddress(values))
  await signIn({ page, complaints, ...visit }, own)
  await page.waitForURL('**/connect?request=*')
  await page.getByText(/this computer \(127\.0\.0\.1/).waitFor()
  await page.getByRole('button', { name: 'Only let it look' }).click()
  await page.getByLabel('Invoices: ').check()
  await page.getByLabel(/^Most in one change/).fill('a lot')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Enter an amount').waitFor()
  await page.getByLabel(/^Most in one change/).fill('50,000')
  await page.getByLabel(/^Most in a day/).fill('20,000,000')
  await page.getByLabel('Most changes in a day').fill('10')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Back at the program' }).waitFor()
  const code = answers.at(-1)?.searchParams.get('code') ?? ''
  const { body } = await takeTokens(browser.app, redemption(values, code, verifier))
  expect(body.scope.split(' ')).toEqual(expect.arrayContaining(['invoice.create', 'buyer.read']))
  expect(body.scope.split(' ')).not.toContain('buyer.create')
  const listed = async () => (await browser.app.a.get('/n/v1/connected-programs', { token: own.token })).data[0]
  expect((await listed()).limits).toEqual({
    amountMinorPerChange: 5_000_000,
    amountMinorPerDay: 2_000_000_000,
    currency: 'NGN',
    changesPerDay: 10,
  })

  await page.goto('/settings/programs')
  await page.getByText('20,000,000.00 in a day').waitFor()
  // The buttons would cover the end of a row that is wider than its frame.
  const frame = page.locator('.table-frame').first()
  expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await page.getByRole('button', { name: 'Change Risiti CLI' }).click()
  expect(await page.getByLabel(/^Most in one change/).inputValue()).toBe('50000.00')
  await page.getByLabel(/^Most in one change/).fill('')
  await page.getByLabel(/^Most in a day/).fill('')
  await page.getByLabel('Most changes in a day').fill('3')
  await page.getByLabel('See buyers').uncheck()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('3 changes in a day').waitFor()
  expect(await listed()).toMatchObject({ limits: { amountMinorPerChange: null, currency: null, changesPerDay: 3 } })
  expect((await listed()).capabilities).not.toContain('buyer.read')
  expect(complaints).toEqual([])
})

test('a person refuses, and what nobody can answer says so', async () => {
  const visit = await browser.visit()
  const { page } = visit
  const { values } = newAsking(browser.app, { redirect_uri: redirectUri() })
  await page.goto(authorizeAddress(values))
  await signIn(visit, person)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByRole('heading', { name: 'Back at the program' }).waitFor()
  expect(answers.at(-1)?.searchParams.get('error')).toBe('access_denied')

  await page.goto('/connect?request=0198c0de-0000-7000-8000-000000000000')
  await page.getByText('unknown, too old, or answered already').waitFor()
  await expectAccessible(page)
  await page.goto('/connect')
  await page.getByText('names no request').waitFor()
  await page.goto('/connect/device')
  await page.getByLabel('Code').fill('zzzz zzzz')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('No program waits with this code').waitFor()

  const asked = await askWithCode()
  await page.getByLabel('Code').fill(asked.user_code.toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByRole('heading', { name: 'Program refused' }).waitFor()
  expect((await takeWithCode(asked.device_code)).body.error).toBe('access_denied')
})

test('names of strangers stay text and fit the page', async () => {
  const owner = await browser.app.person()
  const visit = await browser.visit({ width: 390 })
  const { page, complaints } = visit
  const name = `<img src=x onerror=alert(1)>${'W'.repeat(50)}`
  const registered = await fetch(`${browser.app.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri()], token_endpoint_auth_method: 'none' }),
  })
  const { client_id } = (await registered.json()) as { client_id?: string }
  expect(client_id, `${registered.status}`).toBeTruthy()
  const { values } = newAsking(browser.app, { redirect_uri: redirectUri(), client_id })
  await page.goto(authorizeAddress(values))
  await signIn(visit, owner)
  await page.getByText('Nobody has checked its name').waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Back at the program' }).waitFor()
  expect(complaints).toEqual([])
})

test('the list has the programs of other members for those who look after keys', async () => {
  const owner = await browser.app.person()
  const member = await browser.app.member(owner.organisationId, 'ACCOUNTANT')
  const connected = await connect(browser.app, member, { asking: { resource: browser.app.url } })
  const visit = await browser.visit()
  await visit.page.goto('/settings/programs')
  await signIn(visit, owner)
  const table = visit.page.getByRole('table', { name: 'Programs of other members' })
  await table.waitFor()
  await expectAccessible(visit.page)
  await visit.page.getByRole('button', { name: 'Disconnect Risiti CLI' }).click()
  await visit.page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await table.waitFor({ state: 'hidden' })
  expect(await tokenWorks(connected.accessToken)).toBe(false)
})

test('long lists of programs come in pages of ten', async () => {
  const owner = await browser.app.person()
  const member = await browser.app.member(owner.organisationId, 'ACCOUNTANT')
  for (const [who, count] of [
    [owner, 11],
    [member, 11],
  ] as const)
    for (let nth = 0; nth < count; nth++) await connect(browser.app, who)
  const visit = await browser.visit()
  const { page, complaints } = visit
  await page.goto('/settings/programs')
  await signIn(visit, owner)
  const [own, others] = ['Connected programs', 'Programs of other members'].map((name) =>
    page.getByRole('table', { name }),
  )
  const rows = async (table: typeof own) => (await table?.getByRole('button', { name: /^Disconnect/ }).count()) ?? -1
  await others?.waitFor()
  expect([await rows(own), await rows(others)]).toEqual([10, 10])
  await expectAccessible(page)
  await page
    .getByRole('navigation', { name: 'Pages of programs of other members' })
    .getByRole('link', { name: '2' })
    .click()
  await eventually(async () => expect([await rows(own), await rows(others)]).toEqual([10, 1]))
  const pages = page.getByRole('navigation', { name: 'Pages of connected programs' })
  await pages.getByText('11–11 of 11').waitFor({ state: 'hidden' })
  await pages.getByRole('link', { name: '2' }).click()
  await pages.getByText('11–11 of 11').waitFor()
  expect(new URL(page.url()).search).toBe('?others=2&page=2')
  // The last page is empty once its only program is gone: the page before it comes.
  await own?.getByRole('button', { name: /^Disconnect/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await pages.getByText('10 in all').waitFor()
  expect([await rows(own), await rows(others)]).toEqual([10, 1])
  expect(complaints).toEqual([])
})
