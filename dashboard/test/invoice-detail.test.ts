import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { type Reporter, reporter } from '../../test/harness/reporters.ts'
import { type ReportingDouble, reportingDouble } from '../../test/harness/reporting-authority.ts'

let browser: BrowserApp
let own: Reporter
const authority: ReportingDouble = reportingDouble()
beforeAll(async () => {
  browser = await startBrowserApp({ authority: ['sandbox'], authorityThrough: authority.through })
  own = await reporter(browser.app)
})
afterAll(() => browser.close())

async function open(path: string, look: Parameters<BrowserApp['visit']>[0] = {}) {
  const visit = await browser.visit(look)
  await browser.signIn(visit, own)
  await visit.page.goto(path)
  return visit
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const choose = async (page: Page, name: string) => {
  await press(page, 'More')
  await page.getByRole('menuitem', { name }).click()
}

test('a draft is written, finalised, accepted, paid and credited', async () => {
  const { page, complaints } = await open('/invoices')
  await page.getByRole('link', { name: 'New invoice' }).first().click()

  // Uses only the keyboard, from the buyer on.
  await page.getByRole('combobox', { name: 'Buyer' }).fill('chidi')
  await page.getByRole('option', { name: /Chidi Stores Limited/ }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByLabel('Line 1: description').fill('Bag of cement')
  await page.getByLabel('Line 1: code').fill('2523.29')
  await page.getByLabel('Line 1: quantity').fill('three')
  await page.getByLabel('Line 1: price').fill('4,500.50')
  await page.getByText('Must be a plain decimal number such as 12.50.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Line 1: quantity').fill('3')
  await page.getByText('₦14,514.11').waitFor()
  await page.getByLabel('Line 1: price').press('Enter')
  await page.getByLabel('Line 2: description').pressSequentially('Delivery')
  await page.getByLabel('Line 2: price').fill('1000')
  await page.getByLabel('Line 2: price').press('ArrowUp')
  expect(await page.evaluate('document.activeElement.value')).toBe('4,500.50')
  await page.getByText('₦15,589.11').waitFor()
  await press(page, 'Remove line 2')
  await page.getByText('₦14,514.11').waitFor()
  await press(page, 'Save draft')
  await page.getByRole('heading', { name: /^Invoice INV/ }).waitFor()
  await page.getByText('Draft', { exact: true }).waitFor()
  const id = new URL(page.url()).pathname.split('/')[2] as string

  // Edits the draft. A change by another person in between must not be lost.
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Notes', exact: true }).fill('Thank you')
  await browser.app.a.patch(`/i/v1/invoices/${id}`, { token: own.token, body: { paymentTerms: '14 days' } })
  await press(page, 'Save draft')
  await press(page, 'Take the other version')
  expect(await page.getByRole('textbox', { name: 'Payment terms', exact: true }).inputValue()).toBe('14 days')
  await page.getByRole('textbox', { name: 'Notes', exact: true }).fill('Thank you')
  await press(page, 'Save draft')
  await page.getByText('Thank you').waitFor()

  await press(page, 'Finalise')
  await page.getByText('Ready: the tax authority would accept this document.').waitFor()
  await expectAccessible(page)
  await press(page, 'Finalise now')
  await press(page, 'Submit')
  await press(page, 'Submit to the tax authority')
  await page.getByText('Accepted', { exact: true }).waitFor()
  await page.getByText('The authority registered the document.').waitFor()
  await press(page, 'Show the PDF')
  await page.locator('iframe').waitFor()
  const saving = page.waitForEvent('download')
  await press(page, 'Download PDF/A-3')
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/^INV\d+-archive\.pdf$/)
  expect((await readFile(await saved.path())).includes('/EmbeddedFile')).toBe(true)

  await press(page, 'Record payment')
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('10,000')
  await expectAccessible(page)
  await press(page, 'Record the payment')
  await page.getByText('Partly paid').waitFor()
  await page.getByRole('row', { name: /₦10,000.00/ }).waitFor()
  await page.getByText('₦4,514.11').first().waitFor()
  await press(page, 'Reverse')
  await page.getByText('₦10,000.00 is due again.').waitFor()
  await expectAccessible(page)
  await press(page, 'Reverse the payment')
  await page.getByText('Reversed', { exact: true }).waitFor()
  await page.getByText('Unpaid').first().waitFor()

  await choose(page, 'Share by link')
  await expect.poll(() => page.getByRole('textbox', { name: 'Link', exact: true }).inputValue()).toMatch(/\/s\//)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await choose(page, 'Credit note')
  await page.getByLabel('How much').selectOption('amount')
  await page.getByLabel('Amount, tax included').fill('1000')
  await page.getByRole('textbox', { name: 'Reason', exact: true }).fill('One bag was torn')
  await expectAccessible(page)
  await press(page, 'Create the draft')
  await page.getByRole('heading', { name: /^Credit note/ }).waitFor()
  await choose(page, 'Delete draft')
  await press(page, 'Delete the draft')
  await page.waitForURL('**/invoices')
  expect(complaints).toEqual([])
})

test('a credit note takes back one of the bags', async () => {
  const { id } = await own.life.issued()
  const { page, complaints } = await open(`/invoices/${id}`)
  const line = (await browser.app.a.get(`/i/v1/invoices/${id}`, { token: own.token })).data.lineItems[0]
  await choose(page, 'Credit note')
  await page.getByLabel('How much').selectOption('lines')
  await page.getByLabel(line.description).first().fill('1')
  await page.getByRole('textbox', { name: 'Reason', exact: true }).fill('One bag was torn')
  await expectAccessible(page)
  await press(page, 'Create the draft')
  await page.waitForURL((url) => !url.pathname.endsWith(id))
  const noteId = new URL(page.url()).pathname.split('/').at(-1)
  const note = (await browser.app.a.get(`/i/v1/invoices/${noteId}`, { token: own.token })).data
  expect(note.lineItems).toMatchObject([{ description: line.description, quantity: '1', unitPrice: line.unitPrice }])
  expect(complaints).toEqual([])
})

test('a rejected invoice shows the reason and leads to its fix', async () => {
  authority.refuses = () => 'invoicerequest.invoice.accountingcustomerparty.tin must be a valid tin'
  const { id } = await own.submitted()
  await own.until(id, 'rejected')
  const { page, complaints } = await open(`/invoices/${id}`, { width: 390, theme: 'dark' })
  await page.getByRole('alert').waitFor()
  await page.getByText('Rejected', { exact: true }).waitFor()
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await press(page, 'More')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await press(page, 'Fix and resubmit')
  await page.waitForURL(`**/invoices/${id}/edit`)
  await page.getByLabel('Line 1: description').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(complaints).toEqual([])
})

test('two hundred lines stay as quick to edit as one, and values without a field on the page are kept', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => ({
    description: `Thing ${index + 1}`,
    hsnCode: '2523.29',
    quantity: '1',
    unitCode: 'EA',
    unitPrice: '10',
    taxCategory: 'standard',
  }))
  const { id } = await own.life.draft({ lineItems: lines, allowanceAmount: '100', notes: 'First\nsecond' })
  const { page, complaints, answered } = await open(`/invoices/${id}/edit`)
  const last = page.getByLabel('Line 200: description')
  await last.scrollIntoViewIfNeeded()
  // The focused field has the whole list of taxes, and the totals are loaded.
  await page.locator('[data-line]:first-child [data-field="taxCategory"]').focus()
  await page.locator('[data-line]:first-child option[value="CARBON_TAX"]').waitFor({ state: 'attached' })
  await last.focus()
  expect(await page.locator('[data-line] option[value="CARBON_TAX"]').count()).toBe(0)
  await page.getByText('₦2,042.50').waitFor()
  await answered()
  // Counts changes instead of time, because the machine may be busy: one key press changes only one line.
  await page.evaluate(`{
    const row = document.querySelector('[data-line]:first-child')
    globalThis.touched = new Set()
    new MutationObserver((all) => { for (const { target } of all) touched.add(target.closest?.('[data-line]')?.dataset.line) })
      .observe(row.parentElement, { subtree: true, childList: true, attributes: true, characterData: true })
  }`)
  await last.press('End')
  await last.pressSequentially(' more')
  expect(await last.inputValue()).toBe('Thing 200 more')
  expect(await page.evaluate('touched.size')).toBeLessThanOrEqual(1)
  await press(page, 'Save draft')
  await page.waitForURL(`**/invoices/${id}`)
  expect(await own.life.get(id)).toMatchObject({
    payableMinor: 204_250,
    allowanceMinor: 10_000,
    notes: 'First\nsecond',
  })
  expect(complaints).toEqual([])
})
