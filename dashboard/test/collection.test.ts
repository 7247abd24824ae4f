import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFilter, type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { collector, ownBankAccount } from '../../test/harness/collection.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { issuer } from '../../test/harness/invoices.ts'
import { lifeOf } from '../../test/harness/issued.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp({ bank: true })
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'

test.each([
  ['on a desk, light', { width: 1280, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)('a transfer is matched by hand, kept as credit and refunded %s', async (_, look) => {
  const own = await issuer(browser.app)
  const life = lifeOf(browser.app, own)
  const invoice = await life.issued()
  const visit = await browser.visit(look)
  const { page, complaints } = visit
  await browser.signIn(visit, own)
  const dialog = page.getByRole('dialog')
  const press = (name: string) => dialog.getByRole('button', { name }).click()

  await page.goto('/collection')
  await page.getByRole('heading', { name: 'No payments yet' }).waitFor()
  await page.goto('/collection/settlement')
  await page.getByRole('button', { name: 'Add a bank account' }).first().click()
  await dialog.getByLabel('Bank', { exact: true }).selectOption(ownBankAccount.bankCode)
  await dialog.getByLabel('Account number').fill(ownBankAccount.accountNumber)
  await expectAccessible(page)
  await press('Check with the bank')
  await dialog.getByText('is the account of').waitFor()
  await press('Use this account')
  await page.getByRole('cell', { name: ownBankAccount.accountNumber }).waitFor()
  await page.getByRole('cell', { name: 'Sandbox bank Confirmed' }).waitFor()
  await expectAccessible(page)

  await page.goto('/collection/accounts')
  await page.getByRole('button', { name: 'Open an account' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('Chidi Stores')
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await press('Open the account')
  await page.getByRole('button', { name: /^Simulate a transfer/ }).click()
  await dialog.getByLabel('Amount').fill('20000')
  await dialog.getByLabel('Sender').fill('Chidi Okafor')
  await dialog.getByLabel('Narration').fill('for the palm oil')
  await expectAccessible(page)
  await press('Send the transfer')
  await dialog.waitFor({ state: 'hidden' })
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)

  // The account belongs to no invoice, so a person has to match the payment.
  await page.goto('/collection/exceptions')
  await eventually(async () =>
    expect((await browser.app.a.get('/b/v1/collection/exceptions', { token: own.token })).data).toHaveLength(1),
  )
  await page.reload()
  await page.getByRole('button', { name: /^Match/ }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Match/ }).click()
  // The sender's name is like the buyer's.
  await dialog.getByText('A similar name.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Or search for an invoice').fill(invoice.invoiceNumber)
  await dialog.getByText('₦5,485.89 stays as credit').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await press(`Match to ${invoice.invoiceNumber}`)
  await page.getByText('₦5,485.89 stays as credit.').waitFor()
  await page.getByText('Overpaid').waitFor()
  expect((await life.get(invoice.id)).paymentStatus).toBe('paid')

  await page.goto('/collection/credits')
  await page.getByRole('cell', { name: '₦5,485.89' }).waitFor()
  await expectAccessible(page)

  await page.goto('/collection')
  await page.getByRole('button', { name: /^Refund/ }).click()
  await dialog.getByLabel('Amount').fill('30000')
  await press('Refund')
  await dialog.getByText('Enter an amount up to ₦20,000.00.').waitFor()
  await expectAccessible(page)
  // The reply is lost. A second press is the same refund, and another amount is refused.
  await page.route('**/refund', async (route) => {
    await route.fetch()
    await route.fulfill({ status: 418 })
    await page.unroute('**/refund')
  })
  await dialog.getByLabel('Amount').fill('5485.89')
  await press('Refund')
  await dialog.getByText('Risiti cannot be reached at the moment').waitFor()
  await dialog.getByLabel('Amount').fill('5000')
  await press('Refund')
  await dialog.getByText('Risiti completed your first request').waitFor()
  await dialog.getByLabel('Amount').fill('5485.89')
  await press('Refund')
  await page.getByText('Partly refunded').waitFor()
  const [{ refundedMinor }] = (await browser.app.a.get('/b/v1/collection/payments', { token: own.token })).data
  expect(refundedMinor).toBe(548_589)
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await addFilter(page, 'Status', 'Unmatched')
  await page.getByRole('link', { name: 'Show all payments' }).click()
  await page.getByText('Partly refunded').waitFor()

  // First nothing is paid out, then all but the fee.
  await page.goto('/collection/payouts')
  await page.getByRole('cell', { name: 'Being paid out' }).waitFor()
  await expectAccessible(page)
  browser.app.bank.control.settle()
  await page.getByRole('cell', { name: 'All paid out' }).waitFor()
  await page.getByRole('heading', { name: 'Latest payouts' }).waitFor()
  expect(await page.getByRole('cell', { name: '₦19,900.00' }).count()).toBe(2)
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)

  await page.goto('/collection/accounts')
  await page.getByRole('button', { name: /^Close/ }).click()
  await expectAccessible(page)
  await press('Close the account')
  await page.getByRole('cell', { name: 'Closed' }).waitFor()
  expect(complaints).toEqual([])
})

test('an account is opened on the page of an invoice, and the payment is on the page of the buyer', async () => {
  const own = await collector(browser.app)
  const { id, invoiceNumber } = await own.life.issued()
  const visit = await browser.visit({ width: 390 })
  const { page, complaints } = visit
  await browser.signIn(visit, own)
  await page.goto(`/invoices/${id}`)
  await page.getByRole('button', { name: 'Open an account' }).click()
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Chidi Stores Limited')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Open the account' }).click()
  await page.getByText('Account number').waitFor()
  await page.getByRole('button', { name: 'Simulate a transfer' }).click()
  expect(await dialog.getByLabel('Amount').inputValue()).toBe('14514.11')
  await dialog.getByRole('button', { name: 'Send the transfer' }).click()
  await page.getByText('Paid', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Chidi Stores Limited' }).click()
  const payments = page.getByRole('table', { name: 'Newest payments' })
  await payments.getByRole('link', { name: invoiceNumber }).waitFor()
  await payments.getByText('Transfer').waitFor()
  await page.getByText('Nothing was emailed yet.').waitFor()
  await expectAccessible(page)
  expect(complaints).toEqual([])
})
