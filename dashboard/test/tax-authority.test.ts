import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFilter, type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { keyFileText } from '../../test/harness/key-files.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp({ authority: ['sandbox'] })
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'

test.each([
  ['on a desk, dark', { width: 1280, theme: 'dark' }],
  ['on a phone, light', { width: 390, theme: 'light' }],
] as const)(
  'a business is connected with its key file, receives an invoice and is disconnected %s',
  async (_, look) => {
    const person = await browser.app.person()
    const visit = await browser.visit(look)
    const { page, complaints } = visit
    await browser.signIn(visit, person)
    await page.goto('/received')
    await page.getByRole('heading', { name: 'Not connected yet' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Connect to the tax authority' }).click()
    await page.getByText('Not connected', { exact: true }).waitFor()
    await page.getByLabel('Business id').fill('not an id')
    await page.getByLabel('Service id').fill('TEST1234')
    await page.getByLabel('I agree').check()
    await page.getByRole('button', { name: 'Connect the sandbox' }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Business id').fill(randomUUID().replace(/.{4}$/, '7d11'))
    await page.getByRole('button', { name: 'Connect the sandbox' }).click()
    await page.getByText('Connected', { exact: true }).waitFor()

    // The request must not contain any part of the plain file.
    const text = keyFileText()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.postData() ?? ''))
    const picked = (name: string, content: string) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
    await picked('notes.txt', 'nothing of the kind')
    await page.getByRole('alert').waitFor()
    await picked('crypto_keys.txt', text)
    await page.getByText('The key file is stored, encrypted.').waitFor()
    const said = ['nothing of the kind', text.trim().split('\n').at(-1) as string]
    expect(sent.filter((body) => said.some((words) => body.includes(words)))).toEqual([])
    expect(sent.filter((body) => body.includes('envelope'))).toHaveLength(2)
    await page.getByText('Fingerprint').waitFor()
    await expectAccessible(page)
    expect(await page.evaluate(fits)).toBe(true)

    await page.goto('/received')
    await page.getByRole('button', { name: 'Send me a test invoice' }).click()
    await page.getByText('A test invoice is on its way').waitFor()
    await eventually(async () =>
      expect((await browser.app.a.get('/i/v1/inbound-invoices', { token: person.token })).data.items).toHaveLength(1),
    )
    await page.reload()
    await page.getByRole('button', { name: /^View/ }).waitFor()
    await page.getByText('Deductible VAT').waitFor()
    await expectAccessible(page)
    expect(await page.evaluate(fits)).toBe(true)
    await page.getByRole('button', { name: /^View/ }).click()
    await page.getByText(/The VAT is( not)? deductible/).waitFor()
    await expectAccessible(page)
    expect(await page.evaluate(fits)).toBe(true)
    await page.keyboard.press('Escape')
    await addFilter(page, 'Payment', 'Rejected')
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.getByRole('button', { name: /^View/ }).waitFor()

    await page.goto('/settings/tax')
    await page.getByRole('button', { name: 'Check the connection' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Service id').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Disconnected', { exact: true }).first().waitFor()
    expect(complaints).toEqual([])
  },
)
