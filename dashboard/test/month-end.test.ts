import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { ok } from '../../test/harness/issued.ts'
import { reporter } from '../../test/harness/reporters.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp({ authority: ['sandbox'] })
})
afterAll(() => browser.close())

/** The goal of an accountant at month end, from the file to accepted invoices. */
const mostClicks = 20
/** `MONTH_END=468` walks with the number of drafts that an accountant had. */
const drafts = Number(process.env.MONTH_END ?? 60)
const faulty = 3
const unverified = 2

test(`${drafts} drafts go from a file to accepted within ${mostClicks} clicks, and what failed is named and selected again`, async () => {
  const own = await reporter(browser.app)
  // A buyer whose tax number nobody has checked: the authority would refuse invoices to it.
  const address = { line1: '1 Marina', city: 'Lagos', country: 'NG' }
  const body = { name: 'Unchecked Limited', taxId: '20345678-0001', email: 'shop@unchecked.test', address }
  const unchecked = ok(await browser.app.a.post('/i/v1/buyers', { token: own.token, body }), 201)
  const rows = Array.from({ length: drafts + faulty }, (_, nth) => {
    const buyer = nth < unverified ? 'Unchecked Limited' : 'Chidi Stores Limited'
    const quantity = nth >= drafts ? 'some' : String(1 + (nth % 9))
    return `END${String(nth + 1).padStart(4, '0')},${buyer},31/10/2026,Bag of cement,${quantity},"4,500.50",XBG,2523.29,standard`
  })
  const content = ['Invoice no,Buyer,Date,Description,Qty,Price,Unit,HS code,VAT', ...rows].join('\r\n')
  const visit = await browser.visit()
  const { page, complaints } = visit
  await browser.signIn(visit, own)
  let clicks = 0
  const click = async (what: Locator) => {
    clicks++
    await what.click()
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const slow = { timeout: 120_000 }

  await click(page.getByRole('link', { name: 'Import', exact: true }))
  clicks++
  await page.getByLabel('Content').selectOption('invoices')
  // A press on the field, and one on the file.
  clicks += 2
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'october.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await click(button('Check the file'))
  await page.getByText(`${drafts} invoices can be imported. ${faulty} invoices cannot`).waitFor(slow)
  await click(button(`Import ${drafts} invoices`))
  await page.getByText(`${drafts} invoices imported. ${faulty} invoices had errors`).waitFor(slow)
  await click(page.getByRole('link', { name: 'Go to the list' }))
  await click(page.getByRole('link', { name: 'Drafts' }))
  await page.getByText(`1–25 of ${drafts}`).waitFor()
  await click(page.getByLabel('Select all on this page'))
  await click(button(`Select all ${drafts} that match`))
  await click(button('Finalise'))
  await click(button(`Finalise ${drafts} invoices`))
  const result = page.getByRole('dialog', { name: 'Result' })
  await result.getByText(`All ${drafts} invoices finalised.`).waitFor(slow)
  await click(button(`Submit ${drafts} invoices`))
  await click(button(`Submit ${drafts} invoices`))
  await result.getByText(`${drafts - unverified} on the way to the tax authority, ${unverified} not.`).waitFor(slow)
  const failed = result.getByRole('list', { name: 'Invoices that could not be done' })
  await failed.getByRole('link', { name: 'END0001' }).waitFor()
  await failed.getByText('Must be verified').first().waitFor()
  expect(await failed.getByRole('link').count()).toBe(unverified)
  await expectAccessible(page)
  await click(button('Select the failed ones again'))
  await page.getByText(`${unverified} selected`).waitFor()
  process.stdout.write(`from the file to ${drafts} submitted invoices: ${clicks} clicks\n`)
  expect(clicks).toBeLessThanOrEqual(mostClicks)

  // Once the reason is gone, the selection is submitted as it is.
  ok(await browser.app.a.post(`/i/v1/buyers/${unchecked.id}/verify-tax-number`, { token: own.token }), 202)
  await browser.app.quiet()
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await button(`Submit ${unverified} invoices`).click()
  await result.getByText(`All ${unverified} invoices on the way to the tax authority.`).waitFor(slow)
  await eventually(async () => {
    const { body } = await browser.app.a.get('/i/v1/invoices?status=accepted&limit=1', { token: own.token })
    expect(body.meta.pagination.total).toBe(drafts)
  }, 180_000)
  expect(complaints).toEqual([])
}, 600_000)
