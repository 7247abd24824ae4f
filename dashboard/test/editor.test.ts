import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { password } from '../../test/harness/app.ts'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { type Reporter, reporter } from '../../test/harness/reporters.ts'

let browser: BrowserApp
let own: Reporter
beforeAll(async () => {
  browser = await startBrowserApp({ authority: ['sandbox'] })
  own = await reporter(browser.app)
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function open(path: string, look: Parameters<BrowserApp['visit']>[0] = {}) {
  const visit = await browser.visit(look)
  await browser.signIn(visit, own)
  await visit.page.goto(path)
  return visit
}

async function writeLine(page: Page, description: string) {
  await page.getByLabel('Line 1: description').fill(description)
  await page.getByLabel('Line 1: code').fill('2523.29')
  await page.getByLabel('Line 1: price').fill('12,50')
}

test('for an unknown buyer, the editor asks and then adds, checks and chooses the buyer', async () => {
  const { page, complaints } = await open('/invoices/new', { width: 390, theme: 'dark' })
  await page.getByRole('combobox', { name: 'Buyer' }).fill('Ngozi Fabrics')
  await page.getByRole('option', { name: 'Add “Ngozi Fabrics”' }).waitFor()
  await page.keyboard.press('Escape')
  await writeLine(page, 'Bag of cement')
  await page.getByText('₦13.44').waitFor()
  await press(page, 'Save draft')
  await page.getByRole('heading', { name: 'Who is “Ngozi Fabrics”?' }).waitFor()
  await expectAccessible(page)
  await press(page, 'Add the buyer')
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Ngozi Fabrics')
  await dialog.getByLabel('Tax number', { exact: true }).fill('20198222-0002')
  await dialog.getByLabel('Email').fill('shop@ngozi.test')
  await dialog.getByLabel('Street and number').fill('1 Marina')
  await dialog.getByLabel('City').fill('Lagos')
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await press(page, 'Add the buyer')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByRole('combobox', { name: 'Buyer' }).inputValue()).toBe('Ngozi Fabrics')
  await page.getByText('Ready: the tax authority would accept this document.').waitFor()
  await press(page, 'Save draft')
  await page.getByRole('heading', { name: /^Invoice INV/ }).waitFor()
  await page.getByText('Ngozi Fabrics').first().waitFor()
  expect(complaints).toEqual([])
})

test('a line becomes a saved item, and only codes for lines are offered', async () => {
  const { page, complaints } = await open('/invoices/new')
  await page.getByLabel('Line 1: code').focus()
  await page.getByLabel('Line 1: code').fill('cotton')
  await page.locator('#editor-codes option').first().waitFor({ state: 'attached' })
  const offered = await page
    .locator('#editor-codes option')
    .evaluateAll((all) => all.map((each) => (each as unknown as { value: string }).value))
  expect(offered.filter((code) => !/^\d{4}\.\d{2}$/.test(code))).toEqual([])
  await writeLine(page, 'Portland cement')
  await press(page, 'Save “Portland cement” as an item')
  await expectAccessible(page)
  await press(page, 'Add the item')
  await page.getByText('Portland cement was added to your items.').waitFor()
  const { data } = await browser.app.a.get('/i/v1/items?q=portland', { token: own.token })
  expect(data).toMatchObject([{ hsnCode: '2523.29', unitPriceMinor: '1250', currency: 'NGN' }])
  await page.getByLabel('Currency').selectOption('USD')
  await page.getByText('$13.44').waitFor()
  expect(complaints).toEqual([])
})

test('a draft saves itself, shows its document and survives the end of the session', async () => {
  const { page, complaints } = await open('/invoices/new', { width: 1440 })
  await writeLine(page, 'Autosaved cement')
  await page.getByText('Saved', { exact: true }).waitFor()
  await press(page, 'Preview')
  await page.getByTitle('Preview of the document').waitFor()
  await page.getByLabel('Line 1: quantity').fill('2')
  await page.getByText('Not saved yet', { exact: true }).waitFor()
  await page.context().clearCookies()
  await page.getByText('You were signed out.').waitFor()
  await page.getByLabel('Line 1: quantity').fill('3')
  await expectAccessible(page)
  await page.waitForTimeout(400)
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await page.getByLabel('Email').fill(own.email)
  await page.getByLabel('Password').fill(password)
  await press(page, 'Sign in')
  await page.waitForURL('**/invoices/new')
  await page.getByText('What you wrote earlier is back.').waitFor()
  expect(await page.getByLabel('Line 1: quantity').inputValue()).toBe('3')
  await page.getByText('Saved', { exact: true }).waitFor()
  await press(page, 'Save draft')
  await page.getByRole('heading', { name: /^Invoice INV/ }).waitFor()
  const { data } = await browser.app.a.get('/i/v1/invoices?search=Autosaved', { token: own.token })
  expect(data.length).toBeLessThan(2)
  await page.goto('/invoices/new')
  await page.getByLabel('Line 1: description').waitFor()
  expect(await page.getByLabel('Line 1: description').inputValue()).toBe('')
  expect(complaints).toEqual([])
})

test('an unsaved invoice is back after the tab was closed, and gone after signing out', async () => {
  const { page } = await open('/invoices/new')
  const context = page.context()
  await page.getByLabel('Line 1: description').fill('Half an invoice')
  await page.waitForTimeout(400)
  await page.close()
  const again = await context.newPage()
  await again.goto('/invoices/new')
  await again.getByText('What you wrote earlier is back.').waitFor()
  expect(await again.getByLabel('Line 1: description').inputValue()).toBe('Half an invoice')
  await press(again, 'Account')
  await press(again, 'Sign out')
  await again.waitForURL('**/sign-in')
  await again.getByLabel('Email').fill(own.email)
  await again.getByLabel('Password').fill(password)
  await press(again, 'Sign in')
  await again.waitForURL('**/overview')
  await again.goto('/invoices/new')
  await again.getByLabel('Line 1: description').waitFor()
  expect(await again.getByLabel('Line 1: description').inputValue()).toBe('')
})

test('if a draft is changed in two windows, the second window chooses a version', async () => {
  const { id } = await own.life.draft()
  const { page, complaints } = await open(`/invoices/${id}/edit`)
  const notes = page.getByRole('textbox', { name: 'Notes', exact: true })
  const change = (text: string) =>
    browser.app.a.patch(`/i/v1/invoices/${id}`, { token: own.token, body: { notes: text } })
  await notes.waitFor()
  await change('theirs')
  await notes.fill('mine')
  await page.getByRole('heading', { name: 'This draft was changed elsewhere' }).waitFor()
  await expectAccessible(page)
  await press(page, 'Keep my version')
  await page.getByText('Saved', { exact: true }).waitFor()
  const stored = async () => (await browser.app.a.get(`/i/v1/invoices/${id}`, { token: own.token })).data.notes
  expect(await stored()).toBe('mine')
  await change('theirs again')
  await notes.fill('mine again')
  await press(page, 'Take the other version')
  expect(await notes.inputValue()).toBe('theirs again')
  expect(await stored()).toBe('theirs again')
  expect(complaints).toEqual([])
})

test('an invoice is duplicated as a new draft of today', async () => {
  const { id, invoiceNumber } = await own.life.issued()
  const { page, complaints } = await open(`/invoices/${id}`)
  await press(page, 'More')
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.waitForURL('**/edit')
  await page.getByText(`The draft is a copy of ${invoiceNumber}.`).waitFor()
  expect(new URL(page.url()).pathname).not.toContain(id)
  expect(await page.getByLabel('Line 1: description').inputValue()).not.toBe('')
  expect(complaints).toEqual([])
})

const stored = async (id: string) => (await browser.app.a.get(`/i/v1/invoices/${id}`, { token: own.token })).data
const notesOf = (page: Page) => page.getByRole('textbox', { name: 'Notes', exact: true })

test('the last words of a person who leaves at once are saved', async () => {
  const { id } = await own.life.draft()
  const { page, complaints } = await open(`/invoices/${id}/edit`)
  await notesOf(page).fill('the last words')
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await page.getByRole('heading', { name: /^Invoice INV/ }).waitFor()
  await eventually(async () => expect((await stored(id)).notes).toBe('the last words'))
  await page.goto(`/invoices/${id}/edit`)
  expect(await notesOf(page).inputValue()).toBe('the last words')
  await notesOf(page).fill('dropped words')
  await page.waitForTimeout(400)
  await page.reload()
  await page.getByText('What you wrote earlier is back.').waitFor()
  await press(page, 'Discard my changes')
  await page.getByText('What you wrote earlier is back.').waitFor({ state: 'detached' })
  await page.waitForTimeout(2_000)
  expect(await notesOf(page).inputValue()).toBe('the last words')
  expect((await stored(id)).notes).toBe('the last words')
  expect(complaints).toEqual([])
})

test('values without a field in the editor stay as the other window saved them', async () => {
  const { id } = await own.life.draft()
  const { page } = await open(`/invoices/${id}/edit`)
  await notesOf(page).waitFor()
  const { invoiceDate } = await stored(id)
  const body = { notes: 'theirs', supplyDate: invoiceDate }
  await browser.app.a.patch(`/i/v1/invoices/${id}`, { token: own.token, body })
  await notesOf(page).fill('mine')
  await press(page, 'Take the other version')
  await notesOf(page).fill('after theirs')
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await stored(id)).toMatchObject({ notes: 'after theirs', supplyDate: invoiceDate })
})

test('a draft that somebody finalises meanwhile stays as it is, and the changes become another draft', async () => {
  const { id } = await own.life.draft()
  const { page } = await open(`/invoices/${id}/edit`)
  await notesOf(page).waitFor()
  const { status } = await browser.app.a.post(`/i/v1/invoices/${id}/finalise`, { token: own.token })
  expect(status).toBe(200)
  await notesOf(page).fill('too late')
  await page.getByRole('heading', { name: 'This invoice is no longer a draft' }).waitFor()
  await expectAccessible(page)
  await press(page, 'Save my version as another draft')
  await page.getByRole('heading', { name: /^Invoice INV/ }).waitFor()
  const another = new URL(page.url()).pathname.split('/').at(-1) as string
  expect(another).not.toBe(id)
  expect(await stored(another)).toMatchObject({ status: 'draft', notes: 'too late' })
  expect((await stored(id)).notes).not.toBe('too late')
})

test('a lost reply makes no second draft', async () => {
  const { page } = await open('/invoices/new')
  const count = async () =>
    (await browser.app.a.get('/i/v1/invoices?limit=1', { token: own.token })).body.meta.pagination.total
  const before = await count()
  let losses = 0
  await page.route('**/i/v1/invoices', async (route) => {
    if (route.request().method() !== 'POST') return await route.continue()
    await route.fetch()
    losses++
    await route.abort()
  })
  await writeLine(page, 'Lost cement')
  await eventually(async () => expect(losses).toBe(3), 20_000)
  await page.waitForTimeout(200)
  await page.unroute('**/i/v1/invoices')
  await page.getByLabel('Line 1: quantity').fill('2')
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await count()).toBe(before + 1)
})

test('a switch to live in another tab takes the editor along, and nothing of the sandbox gets there', async () => {
  const person = await browser.app.person()
  await browser.app.openAccount(person.organisationId)
  const visit = await browser.visit()
  await browser.signIn(visit, person)
  const { page } = visit
  await page.goto('/invoices/new')
  await page.getByLabel('Line 1: description').fill('Half an invoice')
  await page.waitForTimeout(400)
  const other = await page.context().newPage()
  await other.goto('/overview')
  await other.getByRole('button', { name: 'Sandbox' }).click()
  await other.getByRole('button', { name: 'Switch to live' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Switch to live' }).click()
  await other.getByText('Live', { exact: true }).waitFor()
  await page.waitForURL('**/overview')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.goto('/invoices/new')
  expect(await page.getByLabel('Line 1: description').inputValue()).toBe('')
})
