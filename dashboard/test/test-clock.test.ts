import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { issuer } from '../../test/harness/invoices.ts'
import { ok } from '../../test/harness/issued.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

test.each([
  ['on a desk, light', { width: 1440, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)('the time of the sandbox is moved by a week and to a day %s', async (_, look) => {
  const own = await issuer(browser.app)
  const visit = await browser.visit(look)
  const { page, complaints } = visit
  await browser.signIn(visit, own)
  await page.goto('/developers/test-clock')
  await page.getByRole('heading', { name: 'Time of the sandbox' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'A week forward' }).click()
  await page.getByText('Ready').waitFor()
  const ahead = async () => ok(await browser.app.a.get('/n/v1/test-clock', { token: own.token })).aheadSeconds as number
  expect(await ahead()).toBe(7 * 86_400)
  await page.getByText(/The time of this sandbox is/).waitFor()
  // A day before the time of the sandbox.
  await page.getByLabel('To noon of a day').fill('2020-01-01')
  await page.getByRole('button', { name: 'Move to this day' }).click()
  await page.getByText(/Must be after the time of the sandbox/).waitFor()
  await expectAccessible(page)
  await page.goto('/overview')
  await page.getByText(/The time of this sandbox is/).waitFor()
  expect(complaints).toEqual([])
})
