import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

test.each([
  ['on a desk, light', { width: 1280, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)('somebody is invited, gets another role and is removed %s', async (_, look) => {
  const owner = await browser.app.person()
  await browser.app.member(owner.organisationId, 'VIEWER')
  const visit = await browser.visit(look)
  const { page, complaints } = visit
  await browser.signIn(visit, owner)
  await page.goto('/team')
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Their name').fill('Ada Obi')
  await dialog.getByLabel('Their email').fill(`ada-${look.theme}@example.test`)
  await dialog.getByLabel('Role').selectOption('Accountant')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByRole('row', { name: 'Ada Obi' }).getByText('Accountant').waitFor()
  await page.getByRole('button', { name: 'Send again to Ada Obi' }).click()
  await page.getByText('Sent.').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.getByRole('button', { name: 'Withdraw the invitation of Ada Obi' }).click()
  await page.getByText('Nobody is invited').waitFor()

  await page.getByRole('button', { name: 'Change role of' }).click()
  await dialog.getByLabel('Role').selectOption('Developer')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Developer' }).waitFor()
  await page.getByRole('button', { name: /^Remove / }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remove them' }).click()
  await expect.poll(() => page.getByRole('table', { includeHidden: true }).first().getByRole('row').count()).toBe(2)
  expect(complaints).toEqual([])
})
