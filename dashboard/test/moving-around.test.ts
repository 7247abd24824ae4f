import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

test('every page has a title of its own, and its heading gets the focus after a navigation', async () => {
  const visit = await browser.visit()
  const { page } = visit
  await page.goto('/')
  await expect.poll(() => page.title()).toBe('Sign in · Risiti')
  await browser.signIn(visit, await browser.app.person())
  for (const [name, title] of [
    ['Buyers', 'Buyers'],
    ['Developers', 'Developers'],
    ['Invoices', 'Invoices'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click()
    await expect.poll(() => page.title()).toBe(`${title} · Risiti`)
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(title)
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
  await page.getByRole('button', { name: 'Sandbox' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Switch to live' }).click()
  const dialog = page.getByRole('dialog', { name: 'Switch to live?' })
  await dialog.getByText('Those of the sandbox stay in the sandbox.', { exact: false }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await page.getByText('Nothing here is real.').waitFor()
  await page.getByRole('button', { name: 'Sandbox' }).click()
  await page.getByRole('button', { name: 'Switch to live' }).click()
  await dialog.getByRole('button', { name: 'Switch to live' }).click()
  await page.getByText('Everything here is real.').waitFor()
  // Back to the sandbox there is no question: nothing real can happen there.
  await page.getByRole('button', { name: /^Live/ }).click()
  await page.getByRole('button', { name: 'Switch to sandbox' }).click()
  await page.getByText('Nothing here is real.').waitFor()
})

test.each([320, 390, 430])('a phone of %i pixels has a header of one row and a bar with the pages', async (width) => {
  const visit = await browser.visit({ width, theme: 'dark' })
  const { page, complaints } = visit
  await browser.signIn(visit, await browser.app.person())
  const name = page.locator('.organisation-name')
  const box = async (selector: string) => await page.locator(selector).boundingBox()
  await name.waitFor()
  expect((await box('.shell-bar'))?.height).toBeLessThanOrEqual(56)
  expect((await box('.organisation-name'))?.width).toBeGreaterThanOrEqual(100)
  const bar = page.getByRole('navigation', { name: 'Pages' })
  expect(await bar.getByRole('link').allTextContents()).toEqual(['Overview', 'Invoices', 'Buyers', 'Collection'])
  await bar.getByRole('link', { name: 'Buyers' }).click()
  await page.waitForURL('**/buyers')
  expect(await bar.locator('[aria-current="page"]').allTextContents()).toEqual(['Buyers'])
  await page.getByRole('button', { name: 'More pages' }).click()
  await expectAccessible(page)
  await bar.getByRole('link', { name: 'Settings' }).click()
  await page.waitForURL('**/settings')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Account')
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(complaints).toEqual([])
})
