import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { makeDueInvoices } from '../../test/harness/due-invoices.ts'
import { issuer } from '../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../test/harness/issued.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'

test.each([
  ['on a desk, light', { width: 1440, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)(
  'an invoice becomes a schedule, which is skipped, paused, changed, repaired and ended %s',
  async (_, look) => {
    const own = await issuer(browser.app)
    const life = lifeOf(browser.app, own)
    const buyerId = await life.buyer({ name: 'Rented House', email: null })
    const invoice = await life.issued({ buyerId })
    const visit = await browser.visit(look)
    const { page, complaints } = visit
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click()
    const check = async () => {
      await expectAccessible(page)
      expect(await page.evaluate(fits)).toBe(true)
    }
    await browser.signIn(visit, own)
    await page.goto('/recurring')
    await page.getByRole('heading', { name: 'No schedules yet' }).waitFor()
    await check()

    await page.goto(`/invoices/${invoice.id}`)
    await press('More')
    await page.getByRole('menuitem', { name: 'Make recurring' }).click()
    await page.getByRole('heading', { name: 'New schedule' }).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Rented House')
    await page.getByLabel('Line 1: description').fill('Rent in {month} {year}')
    await page.getByLabel('Line 1: quantity').fill('many')
    await press('Create the schedule')
    await page.getByText('Some fields are missing or wrong').waitFor()
    await page.locator('[data-field="quantity"][aria-invalid="true"]').waitFor()
    await check()
    await page.getByLabel('Line 1: quantity').fill('2')
    await page.getByLabel('Ends').selectOption('count')
    await page.getByLabel('Number of periods').fill('6')
    await page.getByLabel('Each invoice').selectOption('send')
    await check()
    await press('Create the schedule')
    await page.getByRole('heading', { name: 'Rented House' }).waitFor()
    const next = page.getByRole('table', { name: 'Next invoices' }).getByRole('row')
    await expect.poll(() => next.count()).toBe(7)
    await page
      .getByText(/^Rent in \w+ \d{4}$/)
      .first()
      .waitFor()

    await page.getByRole('button', { name: /^Skip/ }).nth(1).click()
    await confirm('Skip this period')
    await page.getByRole('table', { name: 'Next invoices' }).getByText('Skipped').waitFor()
    await press('Pause')
    await page.getByText('Paused', { exact: true }).waitFor()
    await press('Resume')
    await page.getByText('Active', { exact: true }).waitFor()

    // The buyer has no email address, so the first invoice is refused.
    await makeDueInvoices(browser.app)
    await page.reload()
    await page.getByText('A period has no invoice.').waitFor()
    await page.getByText(/email/).first().waitFor()
    await check()
    const make = page.getByRole('button', { name: /^Make the invoice of/ })
    await make.click()
    await page.getByRole('alert').waitFor()
    const body = { email: 'owner@house.test' }
    ok(await browser.app.a.patch(`/i/v1/buyers/${buyerId}`, { token: own.token, body }))
    await make.click()
    await page.getByRole('table', { name: 'Results' }).getByRole('link', { name: /^INV/ }).waitFor()

    await page.getByRole('link', { name: 'Change' }).click()
    await page.getByRole('heading', { name: 'Change Rented House' }).waitFor()
    await page.getByLabel('Line 1: description').fill('Rent and water in {month}')
    await check()
    await press('Save the change')
    await page
      .getByText(/^Rent and water in \w+$/)
      .first()
      .waitFor()
    await press('End')
    await confirm('End the schedule')
    await page.getByText('Ended', { exact: true }).waitFor()
    await page.goto('/recurring')
    await page.getByRole('link', { name: 'Rented House' }).waitFor()
    await check()
    expect(complaints).toEqual([])
  },
)
