import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { issuer } from '../../test/harness/invoices.ts'
import { ok } from '../../test/harness/issued.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'

test.each([
  ['on a desk, light', { width: 1440, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)('a quote is written, sent, changed, accepted on its page and invoiced %s', async (_, look) => {
  const own = await issuer(browser.app)
  const visit = await browser.visit(look)
  const { page, complaints } = visit
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  const check = async () => {
    await expectAccessible(page)
    expect(await page.evaluate(fits)).toBe(true)
  }
  await browser.signIn(visit, own)
  await page.goto('/quotes')
  await page.getByRole('heading', { name: 'No quotes yet' }).waitFor()
  await check()

  await page.getByRole('link', { name: 'New quote' }).first().click()
  await page.getByRole('heading', { name: 'New quote' }).waitFor()
  await page.getByLabel('Line 1: description').fill('Cement')
  await page.getByLabel('Line 1: code').fill('2523.29')
  await page.getByLabel('Line 1: quantity').fill('many')
  await page.getByLabel('Line 1: price').fill('5000')
  await press('Save the draft')
  await page.getByText('Some fields are missing or wrong').waitFor()
  await check()
  await page.getByLabel('Line 1: quantity').fill('2')
  await press('Save the draft')
  await page.getByRole('heading', { name: /^Quote QUO/ }).waitFor()
  await check()
  await press('Send')
  await confirm('Open without a mail')
  await page.getByRole('alert').waitFor()
  await page.keyboard.press('Escape')

  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const { token, buyerId } = own
  const quote = ok(await browser.app.a.get(`/i/v1/quotes/${id}`, { token }))
  const { quoteDate, validUntil, currency, lineItems } = quote
  const [{ description, hsnCode, unitCode, unitPrice, taxCategory }] = lineItems
  const lines = [{ description, hsnCode, unitCode, unitPrice, taxCategory, quantity: '2' }]
  const body = { buyerId, quoteDate, validUntil, currency, lineItems: lines }
  ok(await browser.app.a.put(`/i/v1/quotes/${id}`, { token, body }))
  await page.reload()
  await press('Send')
  await check()
  await confirm('Open without a mail')
  await page.getByText('Waits for the buyer', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Change' }).click()
  await page.getByText('Saving writes version 2.').waitFor()
  await page.getByLabel('Discount on the whole quote').fill('500')
  await check()
  await press('Save the change')
  await page.getByRole('table', { name: 'Versions' }).waitFor()
  await check()

  const { url } = ok(await browser.app.a.post(`/i/v1/quotes/${id}/share`, { token }), 201)
  await page.goto(new URL(url).pathname)
  await page.getByLabel('Your name').fill('Chidi Okafor')
  await page.getByLabel('Remark (optional)').fill('On a Monday, please.')
  await check()
  await press('Accept')
  await page.getByText(/^By Chidi Okafor on/).waitFor()
  await check()

  await page.goto(`/quotes/${id}`)
  await page.getByText('On a Monday, please.').waitFor()
  await press('Make an invoice')
  await page.getByLabel('Make').selectOption('percent')
  await page.getByLabel('Percent of the total').fill('30')
  await page.getByLabel('Finalise at once').check()
  await check()
  await confirm('Create it')
  await page.getByRole('heading', { name: /PP000001/ }).waitFor()
  await page.goto(`/quotes/${id}`)
  await press('Make the final invoice')
  await check()
  await confirm('Create it')
  await page.getByRole('heading', { name: /INV/ }).waitFor()
  await page.goto('/quotes')
  await page.getByText('Invoiced', { exact: true }).waitFor()
  await check()
  expect(complaints).toEqual([])
})
