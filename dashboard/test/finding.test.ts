import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFilter, type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { issuer } from '../../test/harness/invoices.ts'
import { lifeOf } from '../../test/harness/issued.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'

test('pages, buyers and invoices are found by typing and by shortcuts, which can be switched off', async () => {
  const own = await issuer(browser.app)
  const { invoiceNumber, id } = await lifeOf(browser.app, own).issued()
  const visit = await browser.visit({ theme: 'dark' })
  const { page, complaints } = visit
  await browser.signIn(visit, own)
  const dialog = page.getByRole('dialog')
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Other combinations belong to the browser.
  for (const key of ['Alt+k', 'Shift+Control+k', 'Alt+n', 'Control+g']) await page.keyboard.press(key)
  expect(await dialog.count()).toBe(0)
  await page.keyboard.press('k')
  await dialog.getByRole('combobox').fill('coll')
  await dialog.getByRole('option', { name: 'Collection' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/collection')
  await page.getByRole('button', { name: 'Go to' }).click()
  await dialog.getByRole('combobox').fill(invoiceNumber)
  await dialog.getByRole('option', { name: invoiceNumber }).click()
  await page.waitForURL(`**/invoices/${id}`)
  await page.getByRole('heading', { name: invoiceNumber }).waitFor()
  await page.keyboard.press('Control+k')
  await dialog.getByRole('combobox').fill('chidi')
  await dialog.getByRole('option', { name: /Chidi Stores Limited.*Buyer/ }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('option', { name: /Chidi Stores Limited.*Buyer/ }).click()
  await page.waitForURL('**/buyers/*')
  await page.getByRole('heading', { name: 'Chidi Stores Limited' }).waitFor()

  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await page.waitForURL('**/buyers')
  // Keys in a field are no shortcuts.
  await page.getByLabel('Search buyers').fill('gink')
  expect(new URL(page.url()).pathname).toBe('/buyers')
  await page.getByRole('heading', { name: 'Buyers' }).click()
  await page.keyboard.press('?')
  await dialog.getByText('Go to a page, an action, a buyer or an invoice').waitFor()
  await expectAccessible(page)
  const afterG = (await dialog.locator('dt').allInnerTexts()).filter((keys) => keys.startsWith('g'))
  expect(afterG.length).toBeGreaterThan(15)
  expect(new Set(afterG).size).toBe(afterG.length)
  await dialog.getByLabel('Use keyboard shortcuts').uncheck()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('k')
  await page.keyboard.press('n')
  expect(await dialog.count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/buyers')
  // Ctrl K works nevertheless, also in a field. Switches the shortcuts on again.
  await page.getByLabel('Search buyers').focus()
  await page.keyboard.press('Control+k')
  await dialog.getByRole('option', { name: /^Keyboard/ }).click()
  await dialog.getByLabel('Use keyboard shortcuts').check()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('n')
  await page.waitForURL('**/invoices/new')
  expect(complaints).toEqual([])
})

test('a view is saved and deleted, and changes of others appear without a reload', async () => {
  const own = await issuer(browser.app)
  const life = lifeOf(browser.app, own)
  await life.issued()
  const visit = await browser.visit({ width: 390 })
  const { page, complaints } = visit
  await browser.signIn(visit, own)
  await page.goto('/invoices?status=finalised&currency=NGN')
  await page.getByRole('row').nth(1).waitFor()
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Naira to report')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const kept = page.getByRole('link', { name: 'Naira to report' })
  await kept.waitFor()
  expect(await kept.getAttribute('aria-current')).toBe('page')
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.reload()
  await kept.click()
  await page.waitForURL('**/invoices?*currency=NGN*')
  await page.getByRole('button', { name: 'Delete “Naira to report”' }).click()
  await kept.waitFor({ state: 'detached' })
  expect(await page.evaluate(fits)).toBe(true)

  // Another caller issues an invoice, and this page shows it without any key press.
  const { invoiceNumber } = await life.issued()
  await page.getByRole('link', { name: invoiceNumber }).waitFor()
  expect(complaints).toEqual([])
})

test('a page whose session was ended elsewhere leads to the sign-in', async () => {
  const person = await browser.app.person()
  const visit = await browser.visit()
  const { page } = visit
  await browser.signIn(visit, person)
  await page.goto('/settings/security')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  const again = await browser.app.a.post('/a/v1/auth/login', {
    body: { email: person.email, password: person.password },
  })
  const { token } = { token: again.data.accessToken as string }
  const sessions = (await browser.app.a.get('/a/v1/auth/sessions', { token })).data as {
    id: string
    current: boolean
  }[]
  for (const { id, current } of sessions)
    if (!current) await browser.app.a.delete(`/a/v1/auth/sessions/${id}`, { token })
  await page.waitForURL('**/sign-in?next=%2Fsettings%2Fsecurity&ended=true')
})

test('the activity page lists changes with their request', async () => {
  const own = await issuer(browser.app)
  const visit = await browser.visit({ width: 390, theme: 'dark' })
  const { page, complaints } = visit
  await browser.signIn(visit, own)
  await page.goto('/developers/activity')
  await page
    .getByRole('button', { name: /^View buyer.created/ })
    .first()
    .click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await addFilter(page, 'Event type', 'invoice.paid')
  await page.getByRole('link', { name: 'Show all activity' }).click()
  await page
    .getByRole('button', { name: /^View buyer.created/ })
    .first()
    .waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  expect(complaints).toEqual([])
})
