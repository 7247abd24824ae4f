import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addFilter,
  type BrowserApp,
  expectAccessible,
  startBrowserApp,
  type Visit,
} from '../../test/harness/browser.ts'
import { type Issuer, invoiceBody, issuer } from '../../test/harness/invoices.ts'

let browser: BrowserApp
let person: Issuer
const made: string[] = []

/** 27 invoices make two pages. The first two are final, the others drafts. One has its own amount and date. */
beforeAll(async () => {
  browser = await startBrowserApp()
  person = await issuer(browser.app)
  for (let index = 0; index < 27; index++) {
    const more =
      index === 5
        ? { invoiceDate: '2026-10-01', lineItems: [{ ...invoiceBody.A(person).lineItems[0], quantity: '100' }] }
        : {}
    const { data } = await browser.app.a.post('/i/v1/invoices', {
      token: person.token,
      body: invoiceBody.A(person, more),
    })
    made.push(data.id)
  }
  for (const id of made.slice(0, 2)) await browser.app.a.post(`/i/v1/invoices/${id}/finalise`, { token: person.token })
})
afterAll(() => browser.close())

const rows = (page: Page) => page.locator('tbody tr')
const told = (page: Page) => page.getByRole('navigation', { name: 'Pages of the list' }).getByRole('paragraph')
const currentOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name }).locator('[aria-current="page"]').allTextContents()
const tells = (page: Page, words: string) => told(page).filter({ hasText: words }).waitFor()

async function list(look: Parameters<BrowserApp['visit']>[0] = {}): Promise<Visit> {
  const visit = await browser.visit(look)
  await browser.signIn(visit, person)
  await visit.page.goto('/invoices')
  await rows(visit.page).first().waitFor()
  return visit
}

test('every filter, the order and the page are in the URL, and are restored from it', async () => {
  const { page, complaints } = await list()
  await tells(page, '1–25 of 27')
  await page.getByRole('link', { name: 'Page 2' }).click()
  await tells(page, '26–27 of 27')
  expect(new URL(page.url()).searchParams.get('page')).toBe('2')
  expect(await currentOf(page, 'Pages of the list')).toEqual(['2'])
  expect(await currentOf(page, 'Views of the list')).toEqual(['All'])

  await addFilter(page, 'Status', 'Ready to submit')
  await tells(page, '2 in all')
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ status: 'finalised' })
  await page.reload()
  await tells(page, '2 in all')
  await page.getByRole('button', { name: 'Status: Ready to submit', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove filter: Status: Ready to submit' }).click()
  await tells(page, '1–25 of 27')

  await page.getByRole('link', { name: 'Amount' }).click()
  await page.locator('th[aria-sort="descending"]').waitFor()
  await rows(page).first().filter({ hasText: '₦483,803.75' }).waitFor()
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('button', { name: 'Amount', exact: true }).click()
  await expectAccessible(page)
  await page.getByLabel('From').fill('400,000')
  await page.getByLabel('From').press('Enter')
  await tells(page, '1 in all')
  expect(new URL(page.url()).searchParams.get('amountFromMinor')).toBe('40000000')
  await expectAccessible(page)

  // The list follows the typing. An empty result offers a link back to all.
  await page.getByLabel('Search').fill('no such buyer')
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Clear all filters' }).click()
  await tells(page, '1–25 of 27')
  expect(await page.getByLabel('Search').inputValue()).toBe('')

  // The days of creation become moments of the reader's time zone.
  await addFilter(page, 'Created', 'Last 30 days')
  await tells(page, '1–25 of 27')
  await page.getByRole('button', { name: 'Remove filter: Created: Last 30 days' }).click()
  await page.getByRole('link', { name: 'Overdue' }).click()
  await page.waitForURL('**/invoices?overdue=true')
  expect(await currentOf(page, 'Views of the list')).toEqual(['Overdue'])
  await page.goto('/invoices?status=nonsense&page=-3&amountFromMinor=x&invoiceDateTo=2026-10-31')
  await tells(page, '1 in all')
  expect(complaints).toEqual([])
})

test('the shown list can be exported as CSV', async () => {
  const { page } = await list()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const text = await readFile(await file.path(), 'utf8')
  expect(file.suggestedFilename()).toBe('invoices.csv')
  expect(text.trim().split('\r\n')).toHaveLength(28)
  expect(text).toContain('Chidi Stores Limited,12345678-0001,Draft,,NGN,450050.00,33753.75,483803.75,0.00')
})

test('several invoices are submitted together, and each shows its result', async () => {
  const { page, complaints } = await list()
  await page.getByRole('link', { name: 'Ready to submit' }).click()
  await tells(page, '2 in all')
  await page.getByLabel('Select all on this page').check()
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await page.getByRole('dialog', { name: 'Submit 2 invoices?' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Submit 2 invoices' }).click()
  const results = page.getByRole('dialog', { name: 'Result' })
  // This organisation has no connection to the authority yet.
  await results.getByText('0 on the way to the tax authority, 2 not.').waitFor()
  expect(await results.getByText('is not connected to the tax authority').count()).toBe(2)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await results.waitFor({ state: 'hidden' })
  expect(complaints).toEqual([])
})

test('columns can be hidden, and the totals of what is filtered are shown', async () => {
  const { page } = await list()
  const heads = () => page.locator('thead th').allTextContents()
  expect(await heads()).toEqual(['Number', 'Buyer', 'Date', 'Due', 'Status', 'Payment', 'Amount'])
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Due', { exact: true }).uncheck()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.reload()
  await rows(page).first().waitFor()
  expect(await heads()).toEqual(['Number', 'Buyer', 'Date', 'Status', 'Payment', 'Amount'])
  // All invoices are more than one page, so the sums are those of the statistics.
  await page.getByText('Total NGN').waitFor()
  await page.goto('/invoices?amountFromMinor=40000000')
  await tells(page, '1 in all')
  expect(await page.locator('.invoice-totals dd').innerText()).toBe('₦483,803.75 with ₦33,753.75 tax')
})

test('the keys j, k and Enter move through the list', async () => {
  const { page } = await list()
  const current = () => page.evaluate("document.activeElement.closest('tbody tr')?.rowIndex")
  for (const [key, row] of [
    ['j', 1],
    ['j', 2],
    ['k', 1],
    ['k', 1],
    ['j', 2],
  ] as const) {
    await page.keyboard.press(key)
    expect(await current()).toBe(row)
  }
  const number = await rows(page).nth(1).getByRole('link').first().innerText()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: number }).waitFor()
})

test('a list that failed to load can be loaded again', async () => {
  const { page } = await list()
  await page.route('**/i/v1/invoices?*', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('/invoices?search=chidi')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await expectAccessible(page)
  await page.unroute('**/i/v1/invoices?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await tells(page, '1–25 of 27')
})

test('the list is accessible and fits on a phone, in the dark theme', async () => {
  const { page, complaints } = await list({ width: 390, theme: 'dark' })
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await page.evaluate("document.querySelector('.table').scrollWidth <= innerWidth")).toBe(true)
  // The first invoice is in sight.
  expect((await rows(page).first().boundingBox())?.y).toBeLessThan(500)
  expect(complaints).toEqual([])
})
