import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp } from '../../test/harness/browser.ts'

let browser: BrowserApp
beforeAll(async () => {
  browser = await startBrowserApp()
})
afterAll(() => browser.close())

/** Waits for the email with this subject. */
async function mailed(to: string, words: string): Promise<string> {
  const find = async () => (await browser.app.mailTo(to)).find(({ subject }) => subject.includes(words))?.text
  await expect.poll(find).toBeDefined()
  return (await find()) as string
}

interface ListedMember {
  readonly id: string
  readonly status: string
  readonly role: { readonly name: string }
}

const looks = [
  ['on a desk, light', { width: 1280, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const

test.each(looks)('a person is invited, and the invitation is withdrawn %s', async (_, look) => {
  const owner = await browser.app.person()
  const visit = await browser.visit(look)
  const { page, complaints } = visit
  await browser.signIn(visit, owner)
  await page.goto('/team')
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Ada Obi')
  await dialog.getByLabel('Email').fill(`ada-${look.theme}@example.test`)
  await dialog.getByLabel('Role').selectOption('Accountant')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByRole('row', { name: 'Ada Obi' }).getByText('Accountant').waitFor()
  await page.getByRole('button', { name: 'Send again to Ada Obi' }).click()
  await page.getByText('Sent.').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.getByRole('button', { name: 'Withdraw the invitation of Ada Obi' }).click()
  await page.getByText('No open invitations').waitFor()
  expect(complaints).toEqual([])
})

test.each(looks)('a member gets another role, is suspended, restored and removed %s', async (_, look) => {
  const owner = await browser.app.person()
  await browser.app.member(owner.organisationId, 'VIEWER')
  const visit = await browser.visit(look)
  const { page, complaints } = visit
  await browser.signIn(visit, owner)
  await page.goto('/team')
  const dialog = page.getByRole('dialog')
  await page.getByText('Permissions: Accountant').click()
  await page.getByText('Record payments on invoices').filter({ visible: true }).waitFor()
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

  await page.getByRole('button', { name: 'Change role of' }).click()
  await dialog.getByLabel('Role').selectOption('Developer')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Developer' }).waitFor()
  const more = () => page.getByRole('button', { name: /^More for / }).click()
  await more()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  await dialog.getByLabel('Reason').fill('on leave')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Suspend the member' }).click()
  await page.getByText('Suspended', { exact: true }).waitFor()
  await more()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await dialog.getByRole('button', { name: 'Restore the member' }).click()
  await page.getByText('Suspended', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Remove / }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remove the member' }).click()
  await expect.poll(() => page.getByRole('table', { includeHidden: true }).first().getByRole('row').count()).toBe(2)
  expect(complaints).toEqual([])
})

test('an owner transfers the ownership, and leaves', async () => {
  const { app } = browser
  const owner = await app.person()
  const heir = await app.member(owner.organisationId, 'ADMIN')
  const visit = await browser.visit({ width: 390 })
  const { page, complaints } = visit
  await browser.signIn(visit, owner)
  await page.goto('/team')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: /^More for / }).click()
  await page.getByRole('menuitem', { name: 'Make owner' }).click()
  await expectAccessible(page)
  await dialog.getByLabel('Your password').fill('not this one')
  await dialog.getByRole('button', { name: 'Make owner' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Your password').fill(owner.password)
  await dialog.getByLabel('I stay an owner').uncheck()
  await dialog.getByRole('button', { name: 'Make owner' }).click()
  await page.getByRole('cell', { name: 'Administrator' }).waitFor()
  await page.getByRole('cell', { name: 'Owner' }).waitFor()
  // The new owner's old token lacks the new permissions, so they sign in again.
  const { email, password } = heir
  const { accessToken: token } = (await app.a.post('/a/v1/auth/login', { body: { email, password } })).data
  const active = async () =>
    ((await app.a.get('/a/v1/organizations/me/users', { token })).data as ListedMember[])
      .filter(({ status }) => status === 'active')
      .map(({ id, role }) => [id, role.name])
  expect(await active()).toContainEqual([heir.userId, 'OWNER'])
  expect(await active()).toContainEqual([owner.userId, 'ADMIN'])

  await page.getByRole('button', { name: 'Leave' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Leave the organisation' }).click()
  await page.waitForURL((url) => url.pathname !== '/team')
  await expect.poll(active).toEqual([[heir.userId, 'OWNER']])
  expect(complaints).toEqual([])
})

test('a lost second factor is removed, after a confirmation if the member belongs to other organisations', async () => {
  const { app } = browser
  const [owner, elsewhere] = [await app.person(), await app.person()]
  const { email, token, password } = await app.member(owner.organisationId, 'VIEWER')
  const { secret } = (await app.a.post('/a/v1/auth/totp/enrol', { token, body: { password } })).data
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now().getTime() })
  expect((await app.a.post('/a/v1/auth/totp/confirm', { token, body: { code } })).status).toBe(200)
  const invitation = { email, fullName: 'Ngozi Eze' }
  await app.a.post('/a/v1/organizations/me/invitations', { token: elsewhere.token, body: invitation })
  const invited = await mailed(email, 'You are invited')
  const invitationCode = /code=([0-9A-Z]+)/.exec(invited)?.[1]
  const body = { invitationCode }
  expect((await app.a.post('/a/v1/accept-invitation', { token, body })).status).toBe(200)
  const visit = await browser.visit({ width: 390, theme: 'dark' })
  const { page, complaints } = visit
  await browser.signIn(visit, owner)
  await page.goto('/team')
  await page.getByRole('button', { name: /^More for / }).click()
  await page.getByRole('menuitem', { name: 'Switch off second factor' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('got an email to confirm the change').waitFor()
  const text = await mailed(email, 'Confirm a change')
  const link = new URL(/Confirm the change: (\S+)/.exec(text)?.[1] as string)
  await page.goto(`${link.pathname}${link.hash}`)
  await page.getByLabel('Code').fill('AAAA-AAAA-AAAA')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm the change' }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(email)
  await page.getByLabel('Code').fill(/^\w{4}-\w{4}-\w{4}$/m.exec(text)?.[0] as string)
  await page.getByRole('button', { name: 'Confirm the change' }).click()
  await page.getByText('Your second factor is off').waitFor()
  await expectAccessible(page)
  expect(complaints).toEqual([])
})
