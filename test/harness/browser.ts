import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { expect } from 'vitest'
import { prepareDashboard } from '../../server/src/bin/dashboard.ts'
import { type Person, password, startTestApp, type TestApp, type TestAppOptions } from './app.ts'
import { findChromium } from './chromium.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Visit {
  readonly page: Page
  /** script errors of the page and violations of its content policy */
  readonly complaints: string[]
  /** waits until all requests of the page have a reply, except the endless event stream */
  answered(): Promise<void>
}

export interface BrowserApp {
  readonly app: TestApp
  /** opens a new browser profile */
  visit(options?: { readonly width?: number; readonly theme?: 'light' | 'dark' }): Promise<Visit>
  /** signs in through the page, as a person does */
  signIn(visit: Visit, person: Pick<Person, 'email'>): Promise<void>
  close(): Promise<void>
}

/** Opens a real browser for a running service. */
export async function openBrowser(url: string): Promise<Pick<BrowserApp, 'visit' | 'close'>> {
  const browser = await chromium.launch({
    executablePath: findChromium() as string,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
  const contexts: BrowserContext[] = []
  return {
    async visit({ width = 1280, theme = 'light' } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme: theme,
        baseURL: url,
      })
      contexts.push(context)
      const page = await context.newPage()
      // Long, because the machine may be busy, and shorter than the test timeout, so that a failure names what was missing.
      page.setDefaultTimeout(60_000)
      const complaints: string[] = []
      const asked = new Set<Request>()
      let lastAt = Date.now()
      const noted = (change: (request: Request) => unknown) => (request: Request) => {
        if (request.url().endsWith('/i/v1/stream')) return
        change(request)
        lastAt = Date.now()
      }
      const begun = noted((request) => asked.add(request))
      const over = noted((request) => asked.delete(request))
      page.on('request', begun)
      // A reply whose body is never read, such as a refusal, would never count as finished.
      page.on('response', (response) => over(response.request()))
      page.on('requestfailed', over)
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        // A browser logs every refused request as an error, so these are ignored.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          complaints.push(message.text())
      })
      const answered = () => expect.poll(() => asked.size === 0 && Date.now() - lastAt > 300).toBe(true)
      return { page, complaints, answered }
    },
    async close() {
      for (const context of contexts) await context.close()
      await browser.close()
    },
  }
}

/** Starts the real service with its pages, and a real browser. */
export async function startBrowserApp(options: TestAppOptions = {}): Promise<BrowserApp> {
  const folder = await prepareDashboard(() => {})
  if (folder === undefined) throw new Error('the dashboard cannot be built')
  const app = await startTestApp({ ...options, dashboard: folder })
  const { visit, close } = await openBrowser(app.url)
  return {
    app,
    visit,
    async signIn({ page }, { email }) {
      await page.goto('/sign-in')
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      // The address changes before the page does.
      await page.locator('#page h1').waitFor()
    },
    async close() {
      await close()
      await app.close()
    },
  }
}

/** Adds a filter to the list of a page, as a person does. */
export async function addFilter(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click()
  const popup = page.getByRole('dialog', { name: 'Add filter' })
  await popup.getByRole('button', { name, exact: true }).click()
  await popup.getByRole('button', { name: value, exact: true }).click()
}

let pictures = 0
/** Saves a screenshot if requested, for a visual check by a person. */
async function keepPicture(page: Page): Promise<void> {
  const folder = process.env.PICTURES
  if (folder === undefined) return
  const name = new URL(page.url()).pathname.slice(1).replaceAll(/[^a-z]+/g, '-')
  const width = page.viewportSize()?.width ?? 0
  await page.screenshot({
    path: `${folder}/${String(++pictures).padStart(3, '0')}-${name}-${width}.png`,
    fullPage: true,
  })
}

/** The page as it is now has no accessibility faults, and follows the best practices that axe knows. */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that still loads has no heading yet.
  await page.locator('h1').first().waitFor()
  await keepPicture(page)
  // The test injects the script, so the page's content policy stays unchanged.
  await page.evaluate(`${axe}; undefined`)
  const { violations } = (await page.evaluate('axe.run(document)')) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  expect(
    violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    ),
  ).toEqual([])
}
