import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { issuer } from '../../test/harness/invoices.ts'
import { lifeOf } from '../../test/harness/issued.ts'
import { type Reporter, reporter } from '../../test/harness/reporters.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp({ authority: ['sandbox'] })
})
afterAll(() => browser.close())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const rows = (page: Page) => page.locator('tbody tr')
const fits = 'document.documentElement.scrollWidth <= innerWidth'

/** 60 drafts, of which two have no buyer any more and cannot be finalised. */
async function withDrafts(): Promise<Reporter> {
  const own = await reporter(browser.app)
  const gone = await own.life.buyer()
  for (let nth = 0; nth < 60; nth++) await own.life.draft(nth % 30 === 7 ? { buyerId: gone } : {})
  await browser.app.a.delete(`/i/v1/buyers/${gone}`, { token: own.token })
  return own
}

test('60 drafts are finalised and submitted with nine clicks, and the refused ones are named with a link', async () => {
  const own = await withDrafts()
  const visit = await browser.visit()
  const { page, complaints } = visit
  await browser.signIn(visit, own)
  let clicks = 0
  const click = async (what: Locator) => {
    clicks++
    await what.click()
  }
  await click(page.getByRole('link', { name: 'Invoices', exact: true }))
  await click(page.getByRole('link', { name: 'Drafts' }))
  await page.getByText('1–25 of 60').waitFor()
  await click(page.getByLabel('Select all on this page'))
  await page.getByText('25 selected').waitFor()
  await click(button(page, 'Select all 60 that match'))
  await page.getByText('60 selected').waitFor()
  await expectAccessible(page)
  await click(button(page, 'Finalise'))
  await page.getByRole('dialog', { name: 'Finalise 60 invoices?' }).waitFor()
  await expectAccessible(page)
  await click(button(page, 'Finalise 60 invoices'))
  const result = page.getByRole('dialog', { name: 'Result' })
  await result.getByText('58 finalised, 2 not.').waitFor({ timeout: 60_000 })
  const failed = result.getByRole('list', { name: 'Invoices that could not be done' })
  await failed.getByText('Buyer: Is required on an invoice of kind B2B.').first().waitFor()
  expect(await failed.getByRole('link').count()).toBe(2)
  await expectAccessible(page)
  await click(button(page, 'Submit 58 invoices'))
  await page.getByRole('dialog', { name: 'Submit 58 invoices?' }).waitFor()
  await click(button(page, 'Submit 58 invoices'))
  await result.getByText('All 58 invoices on the way to the tax authority.').waitFor({ timeout: 60_000 })
  await click(button(page, 'Done'))
  expect(clicks).toBe(9)
  const accepted = `/i/v1/invoices?status=accepted&limit=1`
  await eventually(async () => {
    const { body } = await browser.app.a.get(accepted, { token: own.token })
    expect(body.meta.pagination.total).toBe(58)
  }, 90_000)
  await page.getByText('All 58 invoices on the way to the tax authority.').waitFor()
  await button(page, 'Dismiss').click()
  expect(complaints).toEqual([])
}, 240_000)

test('the failed ones are selected again, and what cannot be done is left out with the reason', async () => {
  const own = await issuer(browser.app)
  const life = lifeOf(browser.app, own)
  const draft = await life.draft()
  await life.issued()
  const silent = await life.buyer({ email: undefined })
  const noMail = await life.issued({ buyerId: silent })
  const visit = await browser.visit({ width: 390, theme: 'dark' })
  const { page, complaints } = visit
  await browser.signIn(visit, own)
  await page.goto('/invoices')
  await rows(page).first().waitFor()
  await page.getByLabel('Select all on this page').check()
  await page.getByText('3 selected').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await button(page, 'Send 2').click()
  await page.getByRole('dialog', { name: 'Send 2 invoices?' }).waitFor()
  await page.getByText('Drafts, rejected and cancelled invoices cannot be sent. One is left out.').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await button(page, 'Send 2 invoices').click()
  const result = page.getByRole('dialog', { name: 'Result' })
  await result.getByText('1 sent, 1 not.').waitFor()
  await result.getByRole('link', { name: noMail.invoiceNumber }).waitFor()
  await expectAccessible(page)
  await button(page, 'Select the failed one again').click()
  await page.getByText('1 selected').waitFor()
  expect(await page.getByLabel(`Select ${noMail.invoiceNumber}`).isChecked()).toBe(true)

  // The PDFs of all three.
  await button(page, 'Clear selection').click()
  await page.getByLabel('Select all on this page').check()
  await button(page, 'Download').click()
  await button(page, 'Download 3 invoices').click()
  await result.getByText('All 3 invoices ready.').waitFor()
  await expectAccessible(page)
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Save the ZIP file').click()])
  expect(file.suggestedFilename()).toBe('invoices.zip')
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK')
  await button(page, 'Done').click()
  await button(page, 'Dismiss').click()

  // By keyboard: only the draft, deleted.
  await page.getByLabel(`Select ${draft.invoiceNumber}`).focus()
  await page.keyboard.press('Space')
  await page.getByText('1 selected').waitFor()
  await button(page, 'Delete').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Delete one invoice?' }).waitFor()
  await button(page, 'Delete one invoice').focus()
  await page.keyboard.press('Enter')
  await result.getByText('One invoice deleted.').waitFor()
  await page.keyboard.press('Escape')
  await result.waitFor({ state: 'hidden' })
  await page.getByText('One invoice deleted.').waitFor()
  await expect.poll(() => rows(page).count()).toBe(2)
  expect(complaints).toEqual([])
}, 120_000)

test('a running action can be left and stopped; a notice follows it across pages', async () => {
  const own = await issuer(browser.app)
  const life = lifeOf(browser.app, own)
  for (let nth = 0; nth < 3; nth++) await life.draft()
  const visit = await browser.visit()
  const { page, complaints } = visit
  await browser.signIn(visit, own)
  await page.goto('/invoices')
  await rows(page).first().waitFor()
  await browser.app.stopWork()
  try {
    await page.getByLabel('Select all on this page').check()
    await button(page, 'Finalise').click()
    await button(page, 'Finalise 3 invoices').click()
    await page.getByRole('dialog').getByText('0 of 3').waitFor()
    await expectAccessible(page)
    await button(page, 'Continue in the background').click()
    const notice = page.getByText('Finalising 3 invoices: 0 of 3')
    await notice.waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Buyers' }).click()
    await page.getByRole('heading', { name: 'Buyers' }).waitFor()
    await page.getByRole('link', { name: 'Invoices', exact: true }).click()
    await notice.waitFor()
    await page.reload()
    await notice.waitFor()
    await button(page, 'Show').click()
    await button(page, 'Stop').waitFor()
    await page.keyboard.press('Escape')
    await button(page, 'Stop').waitFor({ state: 'hidden' })
    await button(page, 'Show').click()
    await button(page, 'Stop').click()
    await page.getByText('0 finalised, 0 not. You stopped it before 3 invoices had their turn.').waitFor()
    await button(page, 'Done').click()
    await button(page, 'Dismiss').click()
    await page.getByText('You stopped it').waitFor({ state: 'hidden' })
  } finally {
    await browser.app.startWork()
  }
  expect(complaints).toEqual([])
}, 120_000)
