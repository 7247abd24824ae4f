import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'
import { dayFromToday, makeReminderDue, sendDueReminders } from '../../test/harness/due-reminders.ts'
import { issuer } from '../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../test/harness/issued.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'

test.each([
  ['on a desk, light', { width: 1440, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)(
  'a plan is written and switched on, an invoice is disputed and promised, a buyer is left out, %s',
  async (_, look) => {
    const { app } = browser
    const own = await issuer(app)
    const life = lifeOf(app, own)
    const day = (days: number) => dayFromToday(app, days)
    const dates = { invoiceDate: day(-10), dueDate: day(5) }
    const buyerId = await life.buyer({ name: 'Late Payers' })
    const invoice = await life.issued({ buyerId, ...dates })
    const visit = await browser.visit(look)
    const { page, complaints } = visit
    const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
    const inDialog = page.getByRole('dialog')
    const confirm = (name: string) => inDialog.getByRole('button', { name, exact: true }).click()
    const check = async () => {
      await expectAccessible(page)
      expect(await page.evaluate(fits)).toBe(true)
    }
    await browser.signIn(visit, own)
    await page.goto('/reminders')
    await page.getByText('Nothing is sent while reminders are switched off.').waitFor()
    await page.getByText('No reminder was sent yet.').waitFor()
    await check()

    await page.getByLabel('Step 2: days').fill('2')
    await page.getByLabel('Step 3: at least due (NGN)').fill('many')
    await page.getByLabel('Send reminders').check()
    await press('Save the plan')
    await page.getByText('Write an amount, such as 5000.').waitFor()
    await page.getByLabel('Step 3: at least due (NGN)').fill('5,000')
    await press('Remove step 4')
    await press('Standard words of step 1')
    await confirm('Write your own words')
    await inDialog.getByLabel('Subject').fill('{number} for {name}')
    await confirm('Show the mail')
    await inDialog.getByText('{name} is no placeholder').waitFor()
    await check()
    await inDialog.getByLabel('Subject').fill('Please pay {number}')
    await confirm('Show the mail')
    await inDialog.getByText('[Test] Please pay INV000042').waitFor()
    await check()
    await confirm('Use these words')
    await inDialog.waitFor({ state: 'detached' })
    await press('Save the plan')
    await page.getByText('The next reminders go out on').waitFor()
    await page.getByRole('table', { name: 'Next reminders' }).getByText('3 days before the due date').waitFor()
    expect(ok(await app.a.get('/i/v1/reminders/plan', { token: own.token }))).toMatchObject({
      on: true,
      steps: [
        { days: -3, templates: [{ language: null, subject: 'Please pay {number}' }] },
        { days: 2 },
        { days: 7, minimumAmounts: [{ currency: 'NGN', amountMinor: 500_000 }] },
      ],
    })
    await check()

    // The hour of the plan has come, and the first step too.
    await makeReminderDue(app, { organisationId: own.organisationId, invoiceId: invoice.id })
    await sendDueReminders(app)
    await page.goto('/reminders')
    await page.getByRole('table', { name: 'Sent reminders' }).getByText('6 days before the due date').waitFor()

    await page.goto(`/invoices/${invoice.id}`)
    await page.getByRole('list', { name: 'Sent reminders' }).waitFor()
    await press('Mark as disputed')
    await inDialog.getByLabel('What does the buyer dispute?').fill('Two bags were torn.')
    await check()
    await confirm('Mark as disputed')
    await page.getByText('Two bags were torn.').waitFor()
    await page.getByText('No reminder: the invoice is disputed.').waitFor()
    await press('Resolve the dispute')
    await page.getByText(/^Next: /).waitFor()
    await press('Record a promise')
    await inDialog.getByLabel('The buyer will pay by').fill(day(9))
    await inDialog.getByLabel('Remark (optional)').fill('By cheque')
    await check()
    await confirm('Record the promise')
    await page.getByText('By cheque').waitFor()
    await check()
    await press('Remove the promise')
    await page.getByText('By cheque').waitFor({ state: 'detached' })

    await page.goto(`/buyers/${buyerId}`)
    await page.getByLabel('This buyer gets reminders').selectOption('never')
    await page.getByText('The choice was saved.').waitFor()
    await check()
    await page.goto(`/invoices/${invoice.id}`)
    await page.getByText('No reminder: this buyer gets no reminders.').waitFor()
    expect(complaints).toEqual([])
  },
)
