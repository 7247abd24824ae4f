import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../server/src/kernel/ids.ts'
import { builtInMailbox, compose } from '../../server/src/modules/messages/index.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { type BrowserApp, expectAccessible, openBrowser } from '../harness/browser.ts'

let app: TestApp
let browser: Pick<BrowserApp, 'visit' | 'close'>
beforeAll(async () => {
  app = await startTestApp({ mailbox: true })
  browser = await openBrowser(app.url)
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

const send = (to: string, code: string) =>
  builtInMailbox(app.runtime, { textsPhones: true }).carry({
    id: newId(),
    channel: 'email',
    to,
    createdAt: new Date(),
    subject: `${code} is your Risiti code`,
    ...compose({
      greeting: 'Hello,',
      code,
      paragraphs: ['Enter this code to verify your email address. It works once, for 15 minutes.'],
      link: { words: 'Open the dashboard', href: `${app.url}/docs` },
    }),
    attachments: [],
  })

test.each([
  ['on a desk, light', { width: 1440, theme: 'light' }],
  ['on a phone, dark', { width: 320, theme: 'dark' }],
] as const)('a newcomer finds the code in the mailbox %s', async (_, look) => {
  const { page, complaints } = await browser.visit(look)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const to = `amaka-${look.width}@example.test`
  const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
  await page.goto(`/dev/mailbox?to=${to}`)
  await page.getByText(`No messages to ${to} yet.`).waitFor()
  await expectAccessible(page)

  await send(to, '493817')
  await page.getByRole('button', { name: 'Copy the code' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('493817')
  await expectAccessible(page)
  expect(await fits()).toBe(true)

  await page.getByRole('link', { name: '493817 is your Risiti code' }).click()
  const mail = page.frameLocator('iframe')
  await mail.getByText('Enter this code to verify').waitFor()
  await expectAccessible(page)
  expect(await fits()).toBe(true)
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    mail.getByRole('link', { name: 'Open the dashboard' }).click(),
  ])
  await opened.getByRole('heading', { level: 1 }).waitFor()
  expect(complaints).toEqual([])
})
