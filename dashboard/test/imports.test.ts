import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { issuer } from '../../test/harness/invoices.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'

test('500 invoices of which ten have errors: the page names the errors, imports the others and undoes the import', async () => {
  const person = await issuer(browser.app)
  const visit = await browser.visit()
  const { page, complaints } = visit
  await browser.signIn(visit, person)
  await page.goto('/import?kind=invoices')
  await page.getByRole('heading', { name: 'Import a file' }).waitFor()
  await expectAccessible(page)
  const rows = Array.from({ length: 500 }, (_, nth) => {
    const number = `IMP${String(nth + 1).padStart(4, '0')}`
    const quantity = nth % 50 === 7 ? 'some' : String(1 + (nth % 9))
    return `${number},Chidi Stores Limited,31/10/2026,Bag of cement,${quantity},"4,500.50",XBG,2523.29,standard`
  })
  const header = 'Invoice no,Wer,Date,Description,Qty,Price,Unit,HS code,VAT'
  const content = [header, ...rows].join('\r\n')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'october.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await page.getByRole('button', { name: 'Check the file' }).click()
  // The column name is unknown, so the person assigns it.
  await page.getByLabel('Wer').selectOption('Buyer')
  const firstCheck = page.url()
  await page.getByRole('button', { name: 'Check again with these columns' }).click()
  // Both checks find the same errors: a draft needs no buyer.
  await page.waitForURL(({ href }) => href !== firstCheck)
  await page.getByText('490 invoices can be imported. 10 invoices cannot').waitFor({ timeout: 60_000 })
  await page.getByRole('rowheader', { name: '9', exact: true }).waitFor()
  const faults = page.getByRole('table').getByText('must be a number such as')
  await faults.nth(9).waitFor()
  expect(await faults.count()).toBe(10)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Import 490 invoices' }).click()
  await page.getByText('490 invoices imported. 10 invoices had errors and were left out.').waitFor({ timeout: 60_000 })
  const { body } = await browser.app.a.get('/i/v1/invoices', { token: person.token })
  expect(body.meta.pagination.total).toBe(490)

  await page.getByRole('button', { name: 'Undo' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByText('490 invoices deleted.').waitFor({ timeout: 60_000 })
  await page.getByRole('link', { name: 'Import another file' }).click()
  await page.getByRole('cell', { name: 'Undone' }).waitFor()
  expect(complaints).toEqual([])
})

test('exported buyers can be imported again', async () => {
  const person = await issuer(browser.app)
  const visit = await browser.visit({ width: 390, theme: 'dark' })
  const { page, complaints } = visit
  await browser.signIn(visit, person)
  await page.goto('/import')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export buyers' }).click(),
  ])
  const saved = await readFile(await download.path())
  expect(saved.toString()).toContain('Chidi Stores Limited,12345678-0001,tin,accounts@chidi.test')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'again.csv', mimeType: 'text/csv', buffer: saved })
  await page.getByRole('button', { name: 'Check the file' }).click()
  // The buyer already exists, and the page reports it.
  await page.getByText('0 buyers can be imported. 1 buyer cannot').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await page.getByRole('link', { name: 'Import another file' }).click()
  const broken = { name: 'old.xls', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from('\xd0\xcf', 'latin1') }
  await page.getByLabel('File', { exact: true }).setInputFiles(broken)
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByText('Save it as .xlsx or as CSV').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  expect(complaints).toEqual([])
})
