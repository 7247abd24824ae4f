import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('the profile is saved, and a change of bank details asks for the password', async () => {
  const person = await browser.app.person()
  const visit = await browser.visit({ width: 390, theme: 'dark' })
  const { page, complaints } = visit
  await browser.signIn(visit, person)
  await page.goto('/settings')
  await page.getByLabel('Name', { exact: true }).fill('Bello Stores')
  await page.getByLabel('City').fill('Lagos')
  await page.getByRole('button', { name: 'Save the profile' }).click()
  await page.getByRole('alert').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Street and number').fill('1 Marina')
  await page.getByLabel('State').fill('Lagos')
  await page.getByRole('button', { name: 'Save the profile' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('banner').getByText('Bello Stores').waitFor()
  await page.getByLabel('Logo file').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture })
  await page.getByRole('img', { name: 'Logo of Bello Stores' }).waitFor()

  browser.app.clock.advance({ minutes: 11 })
  await page.getByLabel('Bank', { exact: true }).fill('Access Bank')
  await page.getByLabel('Account name').fill('Bello Stores')
  await page.getByLabel('Account number').fill('0123456789')
  await page.getByRole('button', { name: 'Save the account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill('not this one')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('alert').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The owners get an email.').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(complaints).toEqual([])
})
