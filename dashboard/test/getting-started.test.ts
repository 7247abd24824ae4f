import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { ownBankAccount } from '../../test/harness/collection.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp({ authority: ['sandbox'], bank: true })
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'

test('a new organisation does its first steps on the overview', async () => {
  const person = await browser.app.person()
  await browser.app.openAccount(person.organisationId)
  const visit = await browser.visit({ width: 390, theme: 'dark' })
  const { page, complaints } = visit
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  const done = (count: number) => page.getByText(`${count} of 5 steps done.`).waitFor()
  await browser.signIn(visit, person)
  await done(0)
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)

  await press('Add your details')
  await dialog.getByLabel('Contact email').fill('accounts@eze.test')
  await dialog.getByLabel('Street and number').fill('4 Broad Street')
  await dialog.getByLabel('City').fill('Lagos')
  await dialog.getByLabel('State').fill('Lagos')
  await expectAccessible(page)
  await press('Save the profile')
  await done(1)

  await press('Connect')
  await dialog.getByLabel('Business id').fill(randomUUID().replace(/.{4}$/, '7d11'))
  await dialog.getByLabel('Service id').fill('TEST7001')
  await dialog.getByLabel('I agree').check()
  await expectAccessible(page)
  await press('Connect the sandbox')
  await done(2)

  await press('Add the account')
  await dialog.getByLabel('Bank', { exact: true }).selectOption(ownBankAccount.bankCode)
  await dialog.getByLabel('Account number').fill(ownBankAccount.accountNumber)
  await press('Check with the bank')
  await press('Use this account')
  await done(3)

  await press('Add a buyer')
  await dialog.getByLabel('Name').fill('Ade Stores')
  await dialog.getByLabel('Tax number', { exact: true }).fill('20198222-9404')
  await dialog.getByText('More', { exact: true }).click()
  await dialog.getByLabel('Phone').fill('0803 123 4567')
  await expectAccessible(page)
  await press('Add the buyer')
  // The tax number is checked at once, and can be corrected in the same place.
  await dialog.getByText('does not know this number').waitFor()
  await expectAccessible(page)
  await press('Correct the buyer')
  await dialog.getByLabel('Tax number', { exact: true }).fill('20198222-0002')
  await press('Save')
  await dialog.waitFor({ state: 'detached' })
  await done(4)
  const { data } = await browser.app.a.get('/i/v1/buyers', { token: person.token })
  expect(data).toMatchObject([{ name: 'Ade Stores', phone: '+2348031234567', taxIdStatus: 'verified' }])

  await expectAccessible(page)
  await page.getByRole('link', { name: 'Write an invoice' }).click()
  await page.waitForURL('**/invoices/new')
  expect(complaints).toEqual([])
})

test('a person can hide the first steps', async () => {
  const visit = await browser.visit()
  const { page, complaints } = visit
  await browser.signIn(visit, await browser.app.person())
  await page.getByRole('heading', { name: 'Getting started' }).waitFor()
  await page.getByRole('button', { name: 'Hide these steps' }).click()
  await page.getByRole('heading', { name: 'Getting started' }).waitFor({ state: 'detached' })
  // Once the steps are hidden, the missing connection needs attention.
  await page.getByText('You are not connected to the tax authority').waitFor()
  await page.reload()
  await page.getByText('You are not connected to the tax authority').waitFor()
  expect(await page.getByRole('heading', { name: 'Getting started' }).count()).toBe(0)
  expect(complaints).toEqual([])
})
