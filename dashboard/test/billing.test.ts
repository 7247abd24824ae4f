import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'

let browser: BrowserApp
const publicUrl = 'http://dashboard.test'
beforeAll(async () => {
  browser = await startBrowserApp({ checkout: true })
})
afterAll(() => browser.close())

/** The checkout returns to PUBLIC_URL, where nothing is. This service has its own port, and the browser goes on there. */
async function payAndReturn(page: Page): Promise<void> {
  const returned = page.waitForEvent('requestfailed', (request) => request.url().startsWith(publicUrl))
  await page.getByRole('button', { name: /^Pay/ }).click()
  const { pathname, search } = new URL((await returned).url())
  await page.waitForURL(/^chrome-error:/)
  await page.goto(pathname + search)
}

test('credits are bought through the checkout, and the page shows their arrival', async () => {
  const { app } = browser
  const person = await app.person()
  await app.openAccount(person.organisationId)
  const visit = await browser.visit({ width: 390, theme: 'dark' })
  const { page, complaints } = visit
  await browser.signIn(visit, person)
  await page.goto('/billing')
  await page.getByText('Switch to live to buy.').waitFor()
  expect(await page.getByRole('button', { name: /^Buy/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Sandbox' }).click()
  await page.getByRole('button', { name: 'Switch to live' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch to live' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.goto('/billing')
  await page.getByLabel('Warn below').fill('20')
  await page.getByRole('button', { name: 'Save the limit' }).click()
  await page.getByText('Saved.').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

  await page.getByRole('button', { name: /^Buy/ }).first().click()
  await payAndReturn(page)
  await page.getByText('credits are yours').waitFor()
  await page.getByRole('rowheader', { name: 'Bought' }).waitFor()
  await page.getByRole('region', { name: 'Payments' }).getByText('Paid', { exact: true }).waitFor()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toBe('statement.csv')
  expect(complaints).toEqual([])
})

test('a plan is bought through the checkout, ended, and kept after all', async () => {
  const { app } = browser
  const person = await app.person()
  await app.openAccount(person.organisationId)
  const visit = await browser.visit()
  const { page, complaints } = visit
  await browser.signIn(visit, person)
  await page.getByRole('button', { name: 'Sandbox' }).click()
  await page.getByRole('button', { name: 'Switch to live' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch to live' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.goto('/billing')
  await page.getByLabel('Pay for a plan').selectOption('yearly')
  await page.getByText('₦75,000.00 a year').waitFor()
  await page
    .getByRole('button', { name: /^Subscribe to/ })
    .first()
    .click()
  await payAndReturn(page)
  const plan = page.getByRole('region', { name: 'Plan', exact: true })
  await plan.getByText('Active', { exact: true }).waitFor()
  // An active plan must end before another is offered.
  await page.getByText('Your plan', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /^Subscribe to/ }).count()).toBe(0)
  await plan.getByRole('button', { name: 'End the plan' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'End the plan' }).click()
  await plan.getByText('Ends after this period').waitFor()
  await expectAccessible(page)
  await plan.getByRole('button', { name: 'Keep the plan' }).click()
  await plan.getByRole('button', { name: 'End the plan' }).waitFor()

  await page.getByRole('link', { name: 'Plan history' }).click()
  await page.getByRole('row', { name: /Starter.*Active.*₦75,000.00 a year/ }).waitFor()
  await page.getByRole('row', { name: /Starter.*Paid.*₦75,000.00/ }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Prices' }).click()
  await page.getByRole('row', { name: /Submit to the tax authority.*10 credits/ }).waitFor()
  await page.getByRole('row', { name: /Create a buyer.*1 credit$/ }).waitFor()
  expect(complaints).toEqual([])
})
