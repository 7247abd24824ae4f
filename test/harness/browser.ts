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
  /** what the page complained of: errors of its scripts, and what its policy forbade */
  readonly complaints: string[]
  /** waits until everything that the page asked for was answered; the stream of changes never is */
  answered(): Promise<void>
}

export interface BrowserApp {
  readonly app: TestApp
  /** a browser that nobody has used before */
  visit(options?: { readonly width?: number; readonly theme?: 'light' | 'dark' }): Promise<Visit>
  /** signed in through the page, as a person does it */
  signIn(visit: Visit, person: Pick<Person, 'email'>): Promise<void>
  close(): Promise<void>
}

/** A real browser in front of a service that is there already. */
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
      // Less than a test may take, so that a failure says what was waited for.
      page.setDefaultTimeout(15_000)
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
      // An answer that nobody reads to its end, such as a refusal, would never be over.
      page.on('response', (response) => over(response.request()))
      page.on('requestfailed', over)
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        // A browser says of every refusal that it was one.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          complaints.push(message.text())
      })
      const answered = () =>
        expect.poll(() => asked.size === 0 && Date.now() - lastAt > 300, { timeout: 15_000 }).toBe(true)
      return { page, complaints, answered }
    },
    async close() {
      for (const context of contexts) await context.close()
      await browser.close()
    },
  }
}

/** The real service with its pages, and a real browser. */
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
      await page.waitForURL('**/overview')
    },
    async close() {
      await close()
      await app.close()
    },
  }
}

let pictures = 0
/** Keeps a picture of the page where somebody asked for pictures, to look at what no rule finds. */
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

/** Nothing on the page, as it is now, keeps out people who use it in another way. */
export async function expectAccessible(page: Page): Promise<void> {
  await keepPicture(page)
  // Run by the test and not by the page, so that its policy stays as it is.
  await page.evaluate(`${axe}; undefined`)
  const found = (await page.evaluate('axe.run(document)')) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  const grave = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    grave.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    ),
  ).toEqual([])
}
