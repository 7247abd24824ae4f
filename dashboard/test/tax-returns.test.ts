import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { emitChanges } from '../../test/harness/follow-lists.ts'
import { buyerDetails } from '../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../test/harness/issued.ts'
import { documentTo, receivers } from '../../test/harness/receivers.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp({ authority: ['sandbox'], now: '2026-11-15T09:00:00Z' })
})
afterAll(() => browser.close())

const { arrived, receiver } = receivers(() => browser.app)

const fits = 'document.documentElement.scrollWidth <= innerWidth'

test.each([
  ['on a desk, light', { width: 1440, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)('a month is read, completed with a rate, closed and saved as files %s', async (_, look) => {
  const { app } = browser
  const person = await receiver()
  await app.openAccount(person.organisationId)
  const { token } = person
  const buyer = ok(await app.a.post('/i/v1/buyers', { token, body: buyerDetails }), 201)
  const [seller] = ok(await app.a.get('/i/v1/sellers', { token }))
  const life = lifeOf(app, { ...person, sellerId: seller.id, buyerId: buyer.id })
  const issued = async (invoiceDate: string, more: object = {}) =>
    await life.issued({ invoiceDate, dueDate: null, ...more })
  const sold = await issued('2026-10-05')
  await life.become(sold.id, 'accepted')
  const abroad = await issued('2026-10-12', { currency: 'USD' })
  await life.become(abroad.id, 'accepted')
  const late = await issued('2026-10-20')
  const rejected = await issued('2026-10-21')
  await life.become(rejected.id, 'rejected')
  const meanwhile = await issued('2026-10-22')
  const irn = `OCT${look.width}-59854B81-20261010`
  const document = documentTo(person.taxId, { irn, issue_date: '2026-10-10' })
  await arrived(person, app.authority.control.receive({ document }))

  // The counts by status follow the events.
  const withoutEvents = [sold.id, abroad.id, rejected.id]
  await emitChanges(
    app.runtime.db,
    { organisationId: person.organisationId, mode: 'sandbox' },
    withoutEvents,
    'invoice.created',
  )
  await app.quiet()

  const visit = await browser.visit(look)
  const { page, complaints } = visit
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const row = (table: string, name: string | RegExp) =>
    page.getByRole('table', { name: table }).getByRole('row', { name })
  const check = async () => {
    await expectAccessible(page)
    expect(await page.evaluate(fits)).toBe(true)
  }
  await browser.signIn(visit, person)
  await page.goto('/tax-returns')
  await row('Months', /October 2026.*Ready to close/).waitFor()
  await check()
  await page.getByRole('link', { name: 'October 2026' }).click()
  await page.getByRole('heading', { name: 'October 2026' }).waitFor()
  await page.getByText('3 documents are not accepted yet').waitFor()
  await page.getByText('The tax authority rejected 1 of them').waitFor()

  // The month cannot be closed while a document has no rate.
  expect(await page.getByRole('button', { name: 'Close the month' }).count()).toBe(0)
  await row('Missing exchange rates', new RegExp(`${abroad.invoiceNumber}.*USD`)).waitFor()
  await check()
  await page.getByRole('button', { name: /^Enter the rate of USD/ }).click()
  await page.getByLabel('Price of 1 USD in NGN').fill('a lot')
  await press('Save the rate')
  await page.getByRole('dialog').locator('[aria-invalid="true"]').waitFor()
  await check()
  await page.getByLabel('Price of 1 USD in NGN').fill('1,536.25')
  await press('Save the rate')
  await page.getByRole('heading', { name: 'Documents without an exchange rate' }).waitFor({ state: 'hidden' })

  // Each figure leads to its documents, and from there to the document.
  await page.getByRole('link', { name: /documents of .*7\.5 %$/ }).click()
  await page.getByRole('heading', { name: 'Documents of October 2026' }).waitFor()
  await row('Documents', /1 USD = 1536\.25 NGN/).waitFor()
  await check()
  await page.getByRole('link', { name: sold.invoiceNumber }).click()
  await page.getByRole('heading', { name: sold.invoiceNumber }).waitFor()
  await page.goBack()
  await page.goBack()
  await row('Input tax: received invoices', /₦75\.00/)
    .getByRole('link')
    .click()
  await page.getByRole('button', { name: /^View OCT/ }).click()
  await page.getByRole('dialog').getByText('Oke Wood Works').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Tax return of October 2026' }).click()

  const saved = async (name: string) => {
    const arriving = page.waitForEvent('download')
    await press(name)
    const file = await arriving
    return [file.suggestedFilename(), await readFile(await file.path())] as const
  }
  const [csvName, csv] = await saved('Download CSV')
  expect(csvName).toBe('tax-return-2026-10.csv')
  expect(String(csv)).toContain(abroad.invoiceNumber)
  const [pdfName, pdf] = await saved('Download PDF')
  expect([pdfName, pdf.subarray(0, 5).toString()]).toEqual(['tax-return-2026-10.pdf', '%PDF-'])

  // A document that is accepted while the question is open changes the figures, so the month stays open.
  await press('Close the month')
  const question = page.getByRole('dialog')
  await question.getByText('3 documents of October 2026 would be left out').waitFor()
  await check()
  await life.become(meanwhile.id, 'accepted')
  await question.getByRole('button', { name: 'Close October 2026' }).click()
  await question.getByText(/^The payable amount is now NGN/).waitFor()
  await question.getByRole('button', { name: 'Close October 2026' }).click()
  await page.getByText('Closed', { exact: true }).first().waitFor()
  expect(await page.getByRole('button', { name: 'Close the month' }).count()).toBe(0)

  // What the authority accepts later is in the next month, and leads to its document alone.
  await life.become(late.id, 'accepted')
  await page.goto('/tax-returns/2026-11')
  const changed = row('Changes of closed months', /October 2026/)
  await changed.getByText('₦1,012.61').waitFor()
  await check()
  await changed.getByRole('link').click()
  await page.getByRole('link', { name: late.invoiceNumber }).waitFor()
  expect(await page.getByRole('table', { name: 'Documents' }).getByRole('row').count()).toBe(2)

  await page.goto('/tax-returns/rates')
  await row('Exchange rates', /12 Oct 2026.*USD.*1536\.25/).waitFor()
  await check()
  await page.getByRole('button', { name: /^Edit the rate of USD/ }).click()
  await page.getByLabel('Price of 1 USD in NGN').fill('1600')
  await press('Save the rate')
  await row('Exchange rates', /12 Oct 2026.*USD.*1600/).waitFor()

  // A file with a fault names its row, and the corrected file is imported.
  await press('Import a file')
  const choose = async (content: string) =>
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await choose('currency,day,rate\nEUR,2026-10-32,1702.4\n')
  await press('Import')
  await page.getByText('(row 2)', { exact: false }).waitFor()
  await check()
  await choose('currency,day,rate\nEUR,2026-10-31,1702.4\n')
  await press('Import')
  await row('Exchange rates', /31 Oct 2026.*EUR.*1702\.4/).waitFor()
  // The closed month keeps its rate.
  await page.goto('/tax-returns/2026-10/documents')
  await row('Documents', /1 USD = 1536\.25 NGN/).waitFor()
  expect(complaints).toEqual([])
})
