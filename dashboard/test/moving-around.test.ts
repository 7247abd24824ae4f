import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'

const patient = { timeout: 15_000 }
let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

test('every page has a title of its own, and its heading gets the focus after a navigation', async () => {
  const visit = await browser.visit()
  const { page } = visit
  await page.goto('/')
  await expect.poll(() => page.title(), patient).toBe('Sign in · Risiti')
  await browser.signIn(visit, await browser.app.person())
  for (const [name, title] of [
    ['Buyers', 'Buyers'],
    ['Developers', 'Developers'],
    ['Invoices', 'Invoices'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click()
    await expect.poll(() => page.title(), patient).toBe(`${title} · Risiti`)
    await expect.poll(() => page.evaluate('document.activeElement.textContent'), patient).toBe(title)
  }
})

test('without a network the page says so, and goes on by itself', async () => {
  const visit = await browser.visit()
  const { page } = visit
  await browser.signIn(visit, await browser.app.person())
  await page.getByRole('heading', { level: 1 }).waitFor()
  await visit.answered()
  await page.context().setOffline(true)
  await page.getByText('You are offline').waitFor()
  await expectAccessible(page)
  await page.context().setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'hidden' })
})

test('live mode is entered after a question that says what does not come along', async () => {
  const visit = await browser.visit()
  const { page } = visit
  await browser.signIn(visit, await browser.app.person())
  await page.getByRole('button', { name: 'Switch to live' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Those of the sandbox stay in the sandbox.', { exact: false }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await page.getByText('Nothing here is real.').waitFor()
  await page.getByRole('button', { name: 'Switch to live' }).click()
  await dialog.getByRole('button', { name: 'Switch to live' }).click()
  await page.getByText('Everything here is real.').waitFor()
  // Back to the sandbox there is no question: nothing real can happen there.
  await page.getByRole('button', { name: 'Switch to sandbox' }).click()
  await page.getByText('Nothing here is real.').waitFor()
})
