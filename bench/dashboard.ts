import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../test/harness/chromium.ts'
import { median, type Row } from './measure.ts'
import { type Risiti, startRisiti } from './server-process.ts'

const rowsOnPage = 100
const invoicesInList = 150
const linesOfInvoice = 200
const filterRounds = 30
/** The pace of a very fast typist. */
const betweenKeysMs = 40
const mostMsToFilter = 100
const fewestFrames = 50
const mostLooks = 600

async function post(risiti: Risiti, path: string, body: object = {}): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${risiti.demo.sandboxKey}`, 'content-type': 'application/json' }
  const answer = await fetch(`${risiti.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { data: { id: string } }).data
}

const dayOf = (nth: number): string => new Date(Date.UTC(2025, 0, nth)).toISOString().slice(0, 10)

const invoiceOf = (lines: number, day = 1) => ({
  invoiceKind: 'B2C',
  invoiceDate: dayOf(day),
  currency: 'NGN',
  lineItems: Array.from({ length: lines }, (_, at) => ({
    description: `Palm oil of the ${at + 1}th press`,
    hsnCode: '1511.10',
    quantity: at + 1,
    unitCode: 'LTR',
    unitPrice: 1950.5,
    taxCategory: 'standard',
  })),
})

/** The script is passed as text because it runs in the browser. */
const asks = async <Answer>(page: Page, script: string): Promise<Answer> => (await page.evaluate(script)) as Answer

/**
 * Milliseconds from the last byte of the reply until 100 other invoices are painted, for each change of a filter. Each
 * change picks a new day, because the page caches recent replies.
 */
async function filterTimes(page: Page, url: string): Promise<number[]> {
  await page.goto(`${url}/invoices?limit=${rowsOnPage}&currency=NGN&invoiceDateTo=${dayOf(invoicesInList)}`)
  const times: number[] = []
  for (let round = 1; round <= filterRounds; round++) {
    const day = dayOf(invoicesInList - round)
    await page.locator(`tbody tr:nth-child(${rowsOnPage})`).waitFor()
    // Lets all other requests finish, so that only the filter is measured.
    await wait(400)
    await asks(
      page,
      `{
        performance.clearResourceTimings()
        globalThis.painted = undefined
        const first = () => document.querySelector('tbody a')?.textContent
        const before = first()
        const watch = new MutationObserver(() => {
          if (first() === before || first() === undefined) return
          watch.disconnect()
          requestAnimationFrame(() => {
            // A message that is sent from within a frame arrives after the frame is painted.
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => { globalThis.painted = performance.now() }
            port2.postMessage(undefined)
          })
        })
        watch.observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true })
      }`,
    )
    await page.getByLabel('Dated to').fill(day)
    let took: number | null = null
    for (let looks = 0; looks < mostLooks && took === null; looks++) {
      await wait(25)
      took = await asks<number | null>(
        page,
        `(() => {
          const answer = performance.getEntriesByType('resource').findLast(({ name }) => name.includes('invoiceDateTo=${day}'))
          return answer && globalThis.painted ? globalThis.painted - answer.responseEnd : null
        })()`,
      )
    }
    if (took === null) throw new Error('the list did not change with its filter')
    times.push(took)
  }
  return times
}

interface Frames {
  /** start time of each frame */
  readonly at: readonly number[]
  /** time from a key press until its effect is painted, as the browser measures it, in steps of 8 ms */
  readonly keys: readonly number[]
}

/** Records every frame while a person types in several fields of an invoice of 200 lines. */
async function framesWhileTyping(page: Page, url: string, id: string): Promise<Frames> {
  await page.goto(`${url}/invoices/${id}/edit`)
  await page.locator(`[data-line]:nth-child(${linesOfInvoice})`).waitFor()
  // Waits for the totals and the list of taxes.
  await page.locator('.editor-totals').getByText('₦').first().waitFor()
  await wait(1_500)
  await asks(
    page,
    `{
      globalThis.frames = []
      globalThis.keys = []
      new PerformanceObserver((list) => {
        for (const { name, duration } of list.getEntries()) if (/^key|input/.test(name)) keys.push(duration)
      }).observe({ type: 'event', durationThreshold: 16 })
      const next = (now) => { frames.push(now); requestAnimationFrame(next) }
      requestAnimationFrame(next)
    }`,
  )
  for (const line of [1, linesOfInvoice / 2, linesOfInvoice])
    for (const [field, words] of [
      ['description', ' and of the second press, filtered twice'],
      ['quantity', '123456'],
      ['unitPrice', '98765.25'],
    ] as const) {
      // Finds the field by position, because a search by label would use the page's own time.
      await page.locator(`[data-line]:nth-child(${line}) [data-field="${field}"]`).focus()
      await page.keyboard.press('End')
      await page.keyboard.type(words, { delay: betweenKeysMs })
      // Pauses, so that the totals are requested and the reply arrives while the next field is typed.
      await wait(200)
    }
  const [at, keys] = await asks<[number[], number[]]>(page, '[frames, keys]')
  return { at, keys }
}

/** The lowest number of frames in any window of one second. */
export function poorestSecond(at: readonly number[]): number {
  const end = at.at(-1) ?? 0
  let [fewest, to] = [Number.POSITIVE_INFINITY, 0]
  at.forEach((begin, from) => {
    if (begin + 1_000 > end) return
    while (to < at.length && (at[to] as number) < begin + 1_000) to++
    fewest = Math.min(fewest, to - from)
  })
  return fewest
}

async function signedIn(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/sign-in`)
  await page.getByRole('button', { name: /demo/i }).first().click()
  await page.waitForURL('**/overview')
  return page
}

/** Measures what a person notices: how soon a list follows its filter, and whether typing stutters. */
export async function benchDashboard(say: (text: string) => void): Promise<readonly Row[]> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('no Chromium is installed')
  const risiti = await startRisiti()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    for (let day = 1; day <= invoicesInList; day++) await post(risiti, '/i/v1/invoices', invoiceOf(1, day))
    const long = await post(risiti, '/i/v1/invoices', invoiceOf(linesOfInvoice, invoicesInList + 1))
    const page = await signedIn(browser, risiti.url)
    const times = await filterTimes(page, risiti.url)
    const { at, keys } = await framesWhileTyping(page, risiti.url, long.id)
    const gaps = at.slice(1).map((each, index) => each - (at[index] as number))
    const whole = (figure: number) => Math.round(figure)
    say(
      `from answer to paint: median ${whole(median(times))} ms, worst ${whole(Math.max(...times))} ms of ${times.length}`,
    )
    say(
      `frames while typing: median ${median(gaps).toFixed(1)} ms, longest ${whole(Math.max(...gaps))} ms of ${gaps.length}; ` +
        `keys that took 16 ms or longer: ${keys.length}, longest ${Math.max(0, ...keys)} ms`,
    )
    return [
      {
        name: `a list of ${rowsOnPage} invoices, from the answer to a filter until it is painted, worst of ${filterRounds}`,
        unit: 'ms',
        ours: Math.max(...times),
        yardstick: mostMsToFilter,
        yardstickName: 'what it must stay under, in ms',
        goal: 1,
        goalIs: 'at most',
      },
      {
        name: `typing in an invoice of ${linesOfInvoice} lines, frames of the poorest second`,
        unit: 'frames',
        ours: poorestSecond(at),
        yardstick: fewestFrames,
        yardstickName: 'what it must not fall below',
        goal: 1,
      },
    ]
  } finally {
    await browser.close()
    await risiti.stop()
  }
}
