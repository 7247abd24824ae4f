import { setTimeout as wait } from 'node:timers/promises'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { invoiceBody, issuer } from '../../test/harness/invoices.ts'
import { renewal } from '../src/api/renewing.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

test('a visitor without a session is sent to the sign-in page, and back afterwards', async () => {
  const visit = await browser.visit()
  const { page, complaints } = visit
  const person = await browser.app.person()
  const answer = await page.goto('/invoices')
  const policy = answer?.headers()['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
  expect(policy).not.toContain('unsafe')
  expect(await answer?.text()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/i)
  await page.waitForURL('**/sign-in?next=*')
  await expectAccessible(page)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill('not this one')
  expect(await page.getByLabel('Password').getAttribute('type')).toBe('password')
  await page.getByRole('button', { name: 'Show' }).click()
  expect(await page.getByLabel('Password').getAttribute('type')).toBe('text')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Hide' }).click()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/invoices')
  await page.getByRole('heading', { name: 'No invoices yet' }).waitFor()
  expect(await page.evaluate('document.cookie')).toBe('')
  const cookies = await page.context().cookies()
  expect(cookies.map(({ httpOnly, sameSite }) => `${httpOnly} ${sameSite}`)).toEqual(cookies.map(() => 'true Strict'))
  expect(cookies.length).toBeGreaterThan(0)
  expect(complaints).toEqual([])

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
  await page.goto('/invoices')
  await page.waitForURL('**/sign-in?next=*')
})

test('tabs renew their shared session one after another, each once for all its calls', async () => {
  let underWay = 0
  const together: number[] = []
  vi.stubGlobal('fetch', async () => {
    together.push(++underWay)
    await wait(5)
    underWay--
    return new Response()
  })
  try {
    const tabs = [renewal(), renewal()]
    expect(await Promise.all(tabs.flatMap((renew) => [renew(), renew()]))).toEqual([true, true, true, true])
  } finally {
    vi.unstubAllGlobals()
  }
  expect(together).toEqual([1, 1])
})

test.each([
  ['on a desk, light', { width: 1280, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)('the list of invoices is accessible %s', async (_, look) => {
  const person = await issuer(browser.app)
  const { status } = await browser.app.a.post('/i/v1/invoices', { token: person.token, body: invoiceBody.A(person) })
  expect(status).toBe(201)
  const visit = await browser.visit(look)
  await browser.signIn(visit, person)
  const { page, complaints } = visit
  await page.goto('/invoices')
  await page.getByRole('row').nth(1).waitFor()
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(complaints).toEqual([])
})

test('a first visit loads at most 180 kB', async () => {
  const visit = await browser.visit()
  const { page } = visit
  await browser.signIn(visit, await browser.app.person())
  const cache = await page.context().newCDPSession(page)
  const sizes: Record<string, number> = {}
  for (const path of ['/sign-in', '/overview', '/invoices']) {
    await cache.send('Network.clearBrowserCache')
    const requests: Request[] = []
    const note = (request: Request) => requests.push(request)
    page.on('requestfinished', note)
    await page.goto(path)
    await visit.answered()
    page.off('requestfinished', note)
    const bodies = await Promise.all(requests.map(async (request) => (await request.sizes()).responseBodySize))
    sizes[path] = bodies.reduce((sum, size) => sum + size, 0)
  }
  expect(Object.entries(sizes).filter(([, size]) => size < 50_000 || size > 180_000)).toEqual([])
})
