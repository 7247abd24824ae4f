import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, startBrowserApp } from '../../test/harness/browser.ts'
import { type Issuer, issuer } from '../../test/harness/invoices.ts'

let browser: BrowserApp
let person: Issuer
beforeAll(async () => {
  browser = await startBrowserApp()
  person = await issuer(browser.app)
})
afterAll(() => browser.close())

test('lists can be saved as CSV', async () => {
  const visit = await browser.visit()
  const { page, complaints } = visit
  await browser.signIn(visit, person)
  for (const [path, name, text] of [
    ['/buyers', 'buyers.csv', 'Chidi Stores Limited'],
    ['/sellers', 'sellers.csv', 'Name,Trading name,Tax number'],
    ['/team', 'members.csv', person.email],
    ['/developers/activity', 'activity.csv', 'buyer.created'],
  ] as const) {
    await page.goto(path)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe(name)
    expect(await readFile(await file.path(), 'utf8')).toContain(text)
  }
  expect(complaints).toEqual([])
})
