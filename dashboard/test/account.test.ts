import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { password } from '../../test/harness/app.ts'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

const fits = 'document.documentElement.scrollWidth <= innerWidth'
const codeIn = async (email: string, mails = 1) =>
  /^\d{6}/.exec((await browser.app.mailTo(email, mails))[0]?.subject ?? '')?.[0] as string

test('a person registers, verifies the address, and later resets the password', async () => {
  const email = 'zainab@example.test'
  const visit = await browser.visit({ width: 390, theme: 'dark' })
  const { page, complaints } = visit
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.waitForURL('**/register')
  await page.getByLabel('First name').fill('Zainab')
  await page.getByLabel('Last name').fill('Bello')
  await page.getByLabel('Name of your business').fill('Bello Stores')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('password123')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByText('among the most used passwords').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.waitForURL('**/verify-email?*')
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Code').fill(await codeIn(email))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/overview')
  await page.getByText('Bello Stores').waitFor()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()

  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  // The address changes before the page does, and both pages have a field for the email.
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByLabel('New password').fill('a better horse battery')
  await expectAccessible(page)
  await page.getByLabel('Code').fill(await codeIn(email, 2))
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.waitForURL('**/overview')
  expect(complaints).toEqual([])
})

test('an invitation link is accepted with a new account, and by a signed-in person', async () => {
  const owner = await browser.app.person()
  const invite = async (email: string) => {
    const { status } = await browser.app.a.post('/a/v1/organizations/me/invitations', {
      token: owner.token,
      body: { email, fullName: 'Ada Obi', message: 'Come and help with the books.' },
    })
    expect(status).toBe(201)
    const [mail] = await browser.app.mailTo(email)
    const link = new URL(/https?:\S+accept-invitation\S+/.exec(mail?.text ?? '')?.[0] as string)
    return link.pathname + link.hash
  }
  const visit = await browser.visit({ width: 390 })
  const { page, complaints } = visit
  await page.goto(await invite('ada@example.test'))
  await page.getByText('Come and help with the books.').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  expect(await page.getByLabel('First name').inputValue()).toBe('Ada')
  await page.getByLabel('Password').fill('password123')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText('among the most used passwords').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.waitForURL('**/overview')
  await page.getByText('Eze Stores').first().waitFor()

  const other = await browser.app.person()
  const second = await browser.visit()
  await browser.signIn(second, other)
  await second.page.goto(await invite(other.email))
  await second.page.getByRole('button', { name: 'Join' }).click()
  await second.page.waitForURL('**/overview')
  const organisations = second.page.getByLabel('Organisation')
  await expect.poll(() => organisations.inputValue()).toBe(owner.organisationId)
  await expectAccessible(second.page)
  await organisations.selectOption(other.organisationId)
  await expect.poll(() => organisations.inputValue()).toBe(other.organisationId)
  await expect.poll(() => organisations.isEnabled()).toBe(true)

  // The invited address has an account, and somebody else is signed in.
  const invited = await browser.app.person()
  await second.page.goto(await invite(invited.email))
  await second.page.getByText(`You are signed in as ${other.email}`).waitFor()
  await second.page.getByLabel('Password').fill('not the password')
  await second.page.getByRole('button', { name: 'Join' }).click()
  await second.page.getByRole('alert').waitFor()
  await expectAccessible(second.page)
  await second.page.getByLabel('Password').fill(invited.password)
  await second.page.getByRole('button', { name: 'Join' }).click()
  await second.page.waitForURL('**/overview')
  await expect.poll(() => organisations.inputValue()).toBe(owner.organisationId)
  expect([...complaints, ...second.complaints]).toEqual([])
})

test.each([
  ['on a desk, light', { width: 1280, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)('a person ends a session, sets up a second factor and changes the password %s', async (_, look) => {
  const person = await browser.app.person()
  const visit = await browser.visit(look)
  await browser.signIn(visit, person)
  const { page, complaints } = visit
  await page.goto('/settings/security')
  // The other session is the one that the harness created for this person.
  await page.getByRole('button', { name: 'End' }).click()
  await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2)

  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('img', { name: 'QR code' }).waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  const codeNow = () => new TOTP({ secret }).generate({ timestamp: browser.app.clock.now().getTime() })
  await dialog.getByLabel('Code from the app').fill(codeNow())
  await dialog.getByRole('button', { name: 'Switch on the second factor' }).click()
  const recovery = await page.getByLabel('Recovery codes').inputValue()
  expect(recovery.split('\n')).toHaveLength(10)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'I have saved the codes' }).click()
  await page.getByText('On', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(recovery.split('\n')[0])

  await page.getByLabel('Current password').fill(person.password)
  await page.getByLabel('New password').fill('another horse battery')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Your password is changed.').waitFor()
  expect(complaints).toEqual([])
})
