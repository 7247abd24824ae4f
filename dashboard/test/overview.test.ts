import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { collector } from '../../test/harness/collection.ts'
import { emitChanges } from '../../test/harness/follow-lists.ts'
import { ok } from '../../test/harness/issued.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp({ bank: true, now: '2026-11-15T09:00:00Z' })
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'

test('a new organisation sees its next step', async () => {
  const visit = await browser.visit({ width: 390 })
  const { page, complaints } = visit
  await browser.signIn(visit, await browser.app.person())
  await page.getByRole('heading', { name: 'No invoices yet' }).waitFor()
  await page.getByRole('button', { name: 'Connect' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Write an invoice' }).click()
  await page.waitForURL('**/invoices/new')
  expect(complaints).toEqual([])
})

test.each([
  ['on a desk, light', { width: 1280, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)('open matters come first, then the figures %s', async (_, look) => {
  const own = await collector(browser.app)
  const { life } = own
  const today = browser.app.clock.now().toISOString().slice(0, 10)
  const [rejected, open] = [await life.issued(), await life.issued({ invoiceDate: today, dueDate: today })]
  await life.become(rejected.id, 'rejected')
  await emitChanges(browser.app.runtime.db, { organisationId: own.organisationId, mode: 'sandbox' }, [rejected.id])
  ok(await life.pay(open.id, '500.00'), 201)
  const old = await life.issued({ invoiceDate: '2026-08-03', dueDate: '2026-08-20' })
  const account = await own.open()
  await own.payment(await own.transfer(account.accountNumber, '75.00'))

  const visit = await browser.visit(look)
  const { page, complaints } = visit
  await browser.signIn(visit, own)
  const matters = page.getByRole('region', { name: 'Needs attention' })
  await matters.getByText('1 payment could not be matched').waitFor()
  const receivables = page.getByRole('table', { name: 'Outstanding, by age' })
  await receivables
    .getByRole('row', { name: /61 to 90 days late/ })
    .getByText('₦14,514.11')
    .waitFor()
  await page.getByRole('img', { name: /Invoiced and paid each month/ }).waitFor()
  await page.getByText('As a table').first().click()
  await page
    .getByRole('row', { name: /Aug 2026/ })
    .first()
    .getByText('₦14,514.11')
    .waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)

  await matters.getByRole('link', { name: 'Fix' }).click()
  await page.waitForURL('**/invoices?status=rejected')
  await page.getByRole('link', { name: rejected.invoiceNumber }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'See overdue invoices' }).click()
  await page.getByRole('link', { name: old.invoiceNumber }).waitFor()

  // Each bar leads to its list, by its column and by its link in the table.
  await page.goBack()
  await receivables.getByRole('link', { name: 'Not due yet' }).click()
  await page.waitForURL('**/invoices?*age=not_due*')
  await page.getByRole('link', { name: open.invoiceNumber }).waitFor()
  expect(await page.locator('tbody tr').count()).toBe(1)
  await page.goBack()
  await page.getByText('As a table').first().click()
  await page.getByRole('link', { name: 'Aug 2026' }).first().click()
  await page.waitForURL('**/invoices?*invoiceDateFrom=2026-08-01*')
  await page.getByRole('link', { name: old.invoiceNumber }).waitFor()
  await page.getByText('Total NGN').waitFor()
  await page.getByText('₦14,514.11').first().waitFor()
  await page.goBack()
  await page
    .locator('[data-column="8"]')
    .first()
    .click({ position: { x: 4, y: 60 } })
  await page.waitForURL('**/invoices?*invoiceDateTo=2026-08-31*')
  await page.getByRole('link', { name: old.invoiceNumber }).waitFor()
  expect(complaints).toEqual([])
})
