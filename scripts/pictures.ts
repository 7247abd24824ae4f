import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type BrowserContext, chromium } from 'playwright-core'
import { findChromium } from '../test/harness/chromium.ts'

/** Takes the pictures of the README: the demo of a fresh start, in a real browser. */

const root = join(import.meta.dirname, '..')
const pictures = join(root, 'docs/img')
const mostWaits = 600

interface Demo {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  readonly sandboxKey: string
}

/** Waits until the demo is complete: its slow part has a file until it is done. */
async function demoOf(home: string): Promise<Demo> {
  for (let waits = 0; waits < mostWaits; waits++) {
    await wait(200)
    if (existsSync(join(home, 'demo.json')) && !existsSync(join(home, 'demo-left.json')))
      return JSON.parse(await readFile(join(home, 'demo.json'), 'utf8'))
  }
  throw new Error('the demo was not made in time')
}

async function acceptedInvoice({ baseUrl, sandboxKey }: Demo): Promise<string> {
  const headers = { authorization: `Bearer ${sandboxKey}` }
  const reply = await fetch(`${baseUrl}/i/v1/invoices?status=accepted&invoiceType=standard&limit=50`, { headers })
  const { data } = (await reply.json()) as { data: { id: string; buyerId: string | null }[] }
  const toBusiness = data.find(({ buyerId }) => buyerId !== null)
  if (!toBusiness) throw new Error('the demo has no accepted invoice to a business')
  return toBusiness.id
}

async function signedIn(context: BrowserContext, { email, password }: Demo): Promise<void> {
  const page = await context.newPage()
  await page.goto('/')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/overview')
  await page.close()
}

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('Chromium was not found: install it, or set CHROMIUM to where it is')
const home = await mkdtemp(join(tmpdir(), 'risiti-pictures-'))
const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: home, LOG_LEVEL: 'warn' }
const service = spawn(process.execPath, [join(root, 'server/src/bin/start.ts')], { env, stdio: 'ignore' })
const gone = new Promise((resolve) => service.once('exit', resolve))
try {
  const demo = await demoOf(home)
  const invoice = await acceptedInvoice(demo)
  await mkdir(pictures, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const sizes = { desk: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } }
  const shots = [
    ['accepted', 'desk', `/invoices/${invoice}`],
    ['overview', 'desk', '/overview'],
    ['invoice-phone', 'phone', `/invoices/${invoice}`],
  ] as const
  for (const size of ['desk', 'phone'] as const) {
    const context = await browser.newContext({ viewport: sizes[size], baseURL: demo.baseUrl })
    await signedIn(context, demo)
    for (const [name, of, path] of shots) {
      if (of !== size) continue
      const page = await context.newPage()
      // The stream of changes never ends, so the page is ready when its heading and its data are there.
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await wait(1_500)
      await page.screenshot({ path: join(pictures, `${name}.png`) })
      await page.close()
      process.stdout.write(`docs/img/${name}.png\n`)
    }
    await context.close()
  }
  await browser.close()
} finally {
  service.kill('SIGTERM')
  await gone
  await rm(home, { recursive: true, force: true })
}
