import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Risiti, startRisiti } from '../../bench/server-process.ts'
import { expectAccessible, openBrowser } from '../../test/harness/browser.ts'
import { eventually } from '../../test/harness/eventually.ts'

/** The elements to press, in order, until a popup is open. */
type OpeningClicks = readonly (readonly [
  role: 'button' | 'link' | 'menuitem' | 'combobox' | 'checkbox',
  name: string | RegExp,
])[]

interface Look {
  /** its address, if the route has parameters: an object of the demo */
  readonly at?: string
  /** each popup of the page, by its file; or the test file that opens it, if the demo has no data for it */
  readonly popups?: Readonly<Record<string, readonly OpeningClicks[] | `${string}.test.ts`>>
}

const more = (name: string | RegExp): OpeningClicks => [
  ['button', 'More'],
  ['menuitem', name],
]
const press = (name: string | RegExp): OpeningClicks => [['button', name]]

/** Every route of `routes.tsx`. The first test fails if a page or popup is missing here. */
const pages: Readonly<Record<string, Look | readonly Look[]>> = {
  '/': {},
  'sign-in': {},
  register: {},
  'verify-email': {},
  'forgot-password': {},
  'accept-invitation': {},
  'confirm-change': {},
  overview: {
    popups: {
      'shell/palette.tsx': [press(/^Go to/), [...press(/^Go to/), ['combobox', /Page, action/]]],
      'overview/getting-started.tsx': 'getting-started.test.ts',
      'buyers/new-buyer-dialog.tsx': 'getting-started.test.ts',
      'shell/account-menu.tsx': [press('Account'), [...press('Account'), ['button', 'Keyboard shortcuts']]],
      'shell/live-question.tsx': [[...press(/^Sandbox/), ['button', 'Switch to live']]],
      'shell/mode-switch.tsx': [press(/^Sandbox/)],
      'shell/navigation.tsx': 'moving-around.test.ts',
    },
  },
  invoices: [
    {
      at: 'invoices?status=finalised',
      popups: {
        'invoices/list/bulk-dialog.tsx': [
          [
            ['checkbox', /^Select all/],
            ['button', /^Submit/],
          ],
        ],
      },
    },
    {
      at: 'invoices?status=draft&currency=NGN',
      popups: {
        'invoices/list/view-links.tsx': [press('Save this view')],
        'invoices/list/invoice-filters.tsx': [press('Add filter'), press(/^Status: Draft/)],
      },
    },
  ],
  'invoices/new': {
    popups: {
      'buyers/buyer-field.tsx': [[['combobox', 'Buyer']]],
      'invoices/editor/unknown-buyer-dialog.tsx': 'editor.test.ts',
      'invoices/editor/conflict-dialog.tsx': 'editor.test.ts',
      'items/new-item-dialog.tsx': 'editor.test.ts',
    },
  },
  'invoices/$id/edit': { at: 'invoices/draft/edit' },
  'invoices/$id': [
    {
      at: 'invoices/draft',
      popups: {
        'invoices/detail/finalise-dialog.tsx': [press('Finalise')],
        'invoices/detail/actions.tsx': [press('More'), more('Delete draft')],
      },
    },
    {
      at: 'invoices/finalised',
      popups: { 'invoices/detail/actions.tsx': [press('Submit'), more(/^(Send to|Remind) buyer$/)] },
    },
    {
      at: 'invoices/accepted',
      popups: {
        'invoices/detail/payment-dialog.tsx': [press('Record payment')],
        'invoices/detail/authority-copy.tsx': [press('Authority’s copy')],
        'invoices/detail/share-dialog.tsx': [more('Share by link')],
        'invoices/detail/note-dialogs.tsx': [more('Credit note'), more('Debit note')],
        'invoices/detail/cancel-dialog.tsx': [more('Cancel invoice')],
        'invoices/detail/payment-account.tsx': [press('Open an account')],
      },
    },
    {
      at: 'invoices/partly_paid',
      popups: {
        'invoices/detail/payments.tsx': [press('Reverse')],
        'invoices/detail/reminders.tsx': 'reminders.test.ts',
      },
    },
    { at: 'invoices/rejected' },
    { at: 'invoices/failed' },
    { at: 'invoices/cancelled' },
  ],
  quotes: {},
  'quotes/new': {
    popups: {
      'buyers/buyer-field.tsx': [[['combobox', 'Buyer']]],
    },
  },
  'quotes/$id/edit': { at: 'quotes/quote/edit' },
  'quotes/$id': {
    at: 'quotes/quote',
    popups: {
      'quotes/quote-dialogs.tsx': [press('Send again'), press('Record the decision'), press('Make an invoice')],
      'quotes/quote-page.tsx': [press('Withdraw')],
      'invoices/detail/share-dialog.tsx': [press('Share')],
    },
  },
  recurring: {},
  reminders: { popups: { 'reminders/template-dialog.tsx': [press(/words of step 1$/)] } },
  'recurring/new': {
    popups: {
      'buyers/buyer-field.tsx': [[['combobox', 'Buyer']]],
    },
  },
  'recurring/$id/edit': { at: 'recurring/schedule/edit' },
  'recurring/$id': {
    at: 'recurring/schedule',
    popups: { 'recurring/schedule-page.tsx': [press(/^Skip/), press('End')] },
  },
  buyers: {
    popups: {
      'buyers/buyer-list-page.tsx': [press('Add a buyer'), press(/^Edit/), press(/^Delete/)],
      'buyers/bulk-delete.tsx': [
        [
          ['checkbox', /^Select/],
          ['button', 'Delete selected'],
        ],
      ],
      'buyers/verification-dialog.tsx': [press(/^Check the tax number/)],
    },
  },
  'buyers/$id': {
    at: 'buyers/buyer',
    popups: {
      'buyers/buyer-page.tsx': [press('Edit')],
      'buyers/statement-dialog.tsx': [press('Statement of account')],
      'buyers/verification-dialog.tsx': [press('Check the tax number')],
    },
  },
  sellers: { popups: { 'sellers/seller-list-page.tsx': [press(/^Edit/)] } },
  items: { popups: { 'items/item-list-page.tsx': [press('Add an item'), press(/^Edit/), press(/^Delete/)] } },
  received: { popups: { 'received/received-dialog.tsx': [press(/^View/)] } },
  'tax-returns': {},
  'tax-returns/rates': {
    popups: {
      'tax-returns/rate-dialog.tsx': [press('Enter a rate'), press(/^Edit/)],
      'tax-returns/rate-file-dialog.tsx': [press('Import a file')],
    },
  },
  'tax-returns/$period': {
    at: 'tax-returns/month',
    popups: { 'tax-returns/return-page.tsx': [press('Close the month')] },
  },
  'tax-returns/$period/documents': {
    at: 'tax-returns/month/documents',
    popups: { 'received/received-dialog.tsx': [press(/^View/)] },
  },
  collection: { popups: { 'collection/refund-dialog.tsx': [press(/^Refund/)] } },
  'collection/exceptions': { popups: { 'collection/match-dialog.tsx': [press(/^Match/)] } },
  'collection/accounts': {
    popups: {
      'collection/account-list-page.tsx': [press('Open an account'), press(/^Close/)],
      'collection/transfer-dialog.tsx': [press(/^Simulate a transfer/)],
    },
  },
  'collection/credits': {},
  'collection/payouts': {},
  'collection/settlement': { popups: { 'collection/settlement-page.tsx': [press('Add a bank account')] } },
  import: {},
  'import/$id': { at: 'import/none', popups: { 'imports/import-page.tsx': 'imports.test.ts' } },
  developers: {
    popups: {
      'developers/key-list-page.tsx': [press('New key'), press(/^Edit/), press(/^Replace/), press(/^Revoke/)],
    },
  },
  'developers/webhooks': {
    popups: {
      'developers/webhook-list-page.tsx': [
        press('New endpoint'),
        press('Edit'),
        press('Replace the secret'),
        press('Delete'),
      ],
      'developers/resend-dialog.tsx': [press('Send failed deliveries again')],
      'developers/switch-on-dialog.tsx': 'developers.test.ts',
    },
  },
  'developers/deliveries': {
    popups: {
      'developers/delivery-dialog.tsx': [press('View')],
      'developers/resend-dialog.tsx': [press('Send all failed again')],
    },
  },
  'developers/events': {},
  'developers/requests': { popups: { 'developers/request-dialog.tsx': [press(/^View/)] } },
  'developers/test-clock': {},
  'developers/activity': { popups: { 'developers/activity-page.tsx': [press(/^View/)] } },
  team: {
    popups: {
      'team/team-page.tsx': [
        press('Invite somebody'),
        press('Leave'),
        press(/^Change role/),
        press(/^Remove/),
        press(/^More for/),
        [
          ['button', /^More for/],
          ['menuitem', 'Suspend'],
        ],
        [
          ['button', /^More for/],
          ['menuitem', 'Make owner'],
        ],
      ],
    },
  },
  billing: { popups: { 'billing/subscription-panel.tsx': 'billing.test.ts' } },
  'billing/costs': {},
  'billing/plans': {},
  settings: { popups: { 'session/fresh-sign-in.tsx': 'settings.test.ts' } },
  'settings/programs': { popups: { 'programs/programs-page.tsx': 'programs.test.ts' } },
  connect: {},
  'connect/device': { at: 'connect/device?code=bcdf-ghjk' },
  'settings/security': { popups: { 'settings/security/second-factor-panel.tsx': [press('Set up')] } },
  'settings/tax': {
    popups: {
      'settings/tax/connect-form.tsx': [press('Edit')],
      'settings/tax/tax-page.tsx': [press('Disconnect')],
    },
  },
  $: { at: 'settings/nonsense' },
}

const source = join(import.meta.dirname, '../src')
const looks = Object.values(pages).flat()

test('the table contains every page and every popup', () => {
  const routes = [...readFileSync(join(source, 'routes.tsx'), 'utf8').matchAll(/\bpath: '([^']+)'/g)].map(
    ([, path]) => path,
  )
  expect(Object.keys(pages).sort()).toEqual(routes.sort())
  const drawn = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.startsWith('ui/'))
    .filter((file) =>
      /<(Dialog|ConfirmDialog|Menu|Combobox|Popup|FilterBar)\b/.test(readFileSync(join(source, file), 'utf8')),
    )
    .map((file) => file.replace(/^features\//, ''))
  const looked = new Set(looks.flatMap(({ popups = {} }) => Object.keys(popups)))
  expect([...looked].sort()).toEqual(drawn.sort())
  for (const walk of looks.flatMap(({ popups = {} }) => Object.values(popups)))
    if (typeof walk === 'string')
      expect(readFileSync(join(import.meta.dirname, walk), 'utf8')).toContain('expectAccessible(page)')
})

let risiti: Risiti
let browser: Awaited<ReturnType<typeof openBrowser>>
const invoices = new Map<string, string>()
let buyerId = ''
let scheduleId = ''
let month = ''
let monthWithReceived = ''
let quoteId = ''
beforeAll(async () => {
  risiti = await startRisiti()
  browser = await openBrowser(risiti.url)
  const headers = { authorization: `Bearer ${risiti.demo.sandboxKey}` }
  const statuses = ['draft', 'finalised', 'accepted', 'rejected', 'failed', 'cancelled', 'partly_paid']
  await eventually(async () => {
    const answer = await fetch(`${risiti.url}/i/v1/invoices?limit=100&invoiceType=standard`, { headers })
    const { data } = (await answer.json()) as {
      data: {
        id: string
        status: string
        paymentStatus: string
        buyerId: string | null
        buyer: { taxId: string | null } | null
        dueMinor: number
      }[]
    }
    for (const { id, status, paymentStatus, buyer, dueMinor, ...of } of data) {
      if (of.buyerId && buyer?.taxId) buyerId = of.buyerId
      if (status === 'cancelled' || (buyer && dueMinor > 0)) invoices.set(status, id)
      if (paymentStatus === 'partially_paid') invoices.set('partly_paid', id)
    }
    expect(statuses.filter((status) => !invoices.has(status))).toEqual([])
    const months = await fetch(`${risiti.url}/i/v1/tax-returns`, { headers })
    const returns = ((await months.json()) as { data: { period: string; canClose: boolean }[] }).data
    month = returns.find(({ canClose }) => canClose)?.period ?? ''
    expect(month).not.toBe('')
    for (const { period } of returns) {
      const documents = await fetch(`${risiti.url}/i/v1/tax-returns/${period}/documents?limit=100`, { headers })
      const { data: counted } = (await documents.json()) as { data: { documents: { section: string }[] } }
      if (counted.documents.some(({ section }) => !section.startsWith('output'))) monthWithReceived = period
    }
    expect(monthWithReceived).not.toBe('')
    // A quote with two versions that waits for the buyer.
    const waiting = await fetch(`${risiti.url}/i/v1/quotes?status=sent&quoteType=quote`, { headers })
    quoteId = ((await waiting.json()) as { data: { id: string }[] }).data[0]?.id ?? ''
    expect(quoteId).not.toBe('')
    // The schedule whose first period failed.
    const listed = await fetch(`${risiti.url}/i/v1/recurring-invoices?limit=100`, { headers })
    const schedules = (
      (await listed.json()) as { data: { id: string; name: string; startsOn: string; nextOn: string }[] }
    ).data
    const failing = schedules.find(({ name }) => name === 'Rice for the canteen')
    scheduleId = failing?.id ?? ''
    expect(failing?.nextOn).not.toBe(failing?.startsOn)
  })
})
afterAll(async () => {
  await browser?.close()
  await risiti?.stop()
})

const addressOf = (path: string): string =>
  `/${path
    .replace('buyers/buyer', `buyers/${buyerId}`)
    .replace('tax-returns/month/', `tax-returns/${monthWithReceived}/`)
    .replace('tax-returns/month', `tax-returns/${month}`)
    .replace('quotes/quote', `quotes/${quoteId}`)
    .replace('recurring/schedule', `recurring/${scheduleId}`)
    .replace(
      /^invoices\/(\w+)(?=\/edit|$)/,
      (_, status: string) => `invoices/${invoices.get(status) ?? status}`,
    )}`.replace('//', '/')

const fits = 'document.documentElement.scrollWidth <= innerWidth'
const focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"

/** Opens the popup, checks it, closes it with Escape and expects the focus at its previous place. */
async function lookInto(page: Page, opening: OpeningClicks): Promise<void> {
  let opener = ''
  for (const [role, name] of opening) {
    const control = page.getByRole(role, { name, ...(typeof name === 'string' ? { exact: true } : {}) }).first()
    if (role === 'button' && opener === '')
      opener = (await control.getAttribute('aria-label')) ?? (await control.textContent()) ?? ''
    await control.click()
  }
  const popup = page.locator(['dialog', 'menu', 'listbox'].map((role) => `[role=${role}]:visible`).join(', ')).last()
  await popup.waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(fits)).toBe(true)
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog]:visible, [role=menu]:visible').waitFor({ state: 'hidden' })
  if (opener !== '') await expect.poll(() => page.evaluate<string>(focused)).toBe(opener)
}

test.each([
  ['on a desk, light', { width: 1440, theme: 'light' }],
  ['on a phone, dark', { width: 390, theme: 'dark' }],
] as const)(
  'every page and popup is accessible, fits the screen and returns the focus %s',
  async (_, look) => {
    const { page, complaints, answered } = await browser.visit(look)
    const faults: string[] = []
    const noting = async (what: string, check: () => Promise<void>) => {
      try {
        await check()
      } catch (error) {
        const found = error instanceof Error && 'actual' in error ? JSON.stringify(error.actual) : ''
        faults.push(`${what}: ${error instanceof Error ? error.message : error} ${found}`)
      }
    }
    const at = async (path: string) => {
      await page.goto(addressOf(path))
      await answered()
    }
    for (const [route, all] of Object.entries(pages))
      for (const { at: path = route, popups = {} } of [all].flat()) {
        if (route === 'overview') {
          await page.goto('/sign-in')
          await page.getByRole('button', { name: 'Enter the demo' }).click()
          await page.waitForURL('**/overview')
        }
        await at(path)
        await noting(path, async () => {
          await expectAccessible(page)
          expect(await page.evaluate(fits)).toBe(true)
        })
        for (const opening of Object.values(popups).flatMap((each) => (typeof each === 'string' ? [] : each)))
          await noting(`${path} ${opening.join(', ')}`, async () => {
            try {
              await lookInto(page, opening)
            } finally {
              if (await page.locator('[role=dialog]:visible, [role=menu]').count()) await at(path)
            }
          })
      }
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
  },
  1_200_000,
)
