import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../harness/browser.ts'
import { ok, invoicesPath as path } from '../harness/issued.ts'
import { reporter } from '../harness/reporters.ts'

let browser: BrowserApp
let shared: string
let invoiceNumber: string
let total: string
beforeAll(async () => {
  browser = await startBrowserApp({ authority: ['sandbox'], checkout: true })
  const { app } = browser
  const own = await reporter(app)
  const { id } = await own.submitted()
  await own.until(id, 'accepted')
  const { url } = ok(await app.a.post(`${path}/${id}/share`, { token: own.token }), 201)
  shared = new URL(url).pathname
  const invoice = ok(await app.a.get(`${path}/${id}`, { token: own.token }))
  invoiceNumber = invoice.invoiceNumber
  total = (Number(invoice.payableMinor) / 100).toFixed(2)
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'
/** The computed colours in the current theme. */
const pageColour = 'getComputedStyle(document.querySelector("main")).color + getComputedStyle(document.body).fontFamily'

async function lookOfDashboard(page: Page): Promise<unknown> {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  return await page.evaluate(pageColour)
}

test.each([
  ['on a desk, light', { width: 1280, theme: 'light' }],
  ['on a desk, dark', { width: 1280, theme: 'dark' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
  ['on a phone, light', { width: 390, theme: 'light' }],
] as const)('a visitor with the link sees the invoice and checks that it was reported %s', async (_, look) => {
  const { page, complaints } = await browser.visit(look)
  const ofDashboard = await lookOfDashboard(page)

  await page.goto(shared)
  await page.getByRole('heading', { name: invoiceNumber }).waitFor()
  expect(await page.evaluate(pageColour)).toBe(ofDashboard)
  await page.getByRole('link', { name: 'Download PDF' }).waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)

  await page.getByRole('link', { name: 'Check that it was reported' }).click()
  await page.getByLabel('Total').fill('a lot')
  await page.getByRole('button', { name: 'Check the invoice' }).click()
  await page.getByText('An amount, such as').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Total').fill('1.00')
  await page.getByRole('button', { name: 'Check the invoice' }).click()
  await page.getByRole('heading', { name: 'This document was not found' }).waitFor()
  await expectAccessible(page)
  await page.getByLabel('Total').fill(total)
  await page.getByRole('button', { name: 'Check the invoice' }).click()
  await page.getByRole('heading', { name: /^This is a test document/ }).waitFor()
  await page.getByText(invoiceNumber, { exact: true }).waitFor()
  expect(await page.evaluate(pageColour)).toBe(ofDashboard)
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)

  await page.goto('/nonsense')
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  expect(await page.evaluate(pageColour)).toBe(ofDashboard)
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await page.getByRole('link', { name: 'Go to the start' }).click()
  await page.waitForURL('**/sign-in*')
  expect(complaints).toEqual([])
})

test.each([
  ['light', 390],
  ['dark', 1280],
] as const)('the simulated checkout has the %s theme of the dashboard', async (theme, width) => {
  const { app } = browser
  const { token, organisationId } = await app.person({ mode: 'live' })
  await app.openAccount(organisationId)
  const offers = ok(await app.a.get('/b/v1/plans', { token }))
  const body = { packageId: offers.packages[0].id, currency: 'NGN' }
  const { checkoutUrl } = ok(await app.a.post('/b/v1/payments/purchase', { token, body }), 201)
  const { page, complaints } = await browser.visit({ theme, width })
  const ofDashboard = await lookOfDashboard(page)
  await page.goto(checkoutUrl)
  await page.getByRole('button', { name: /^Pay/ }).waitFor()
  expect(await page.evaluate(pageColour)).toBe(ofDashboard)
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  expect(complaints).toEqual([])
})
