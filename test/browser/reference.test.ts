import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserApp, expectAccessible, startBrowserApp, type Visit } from '../harness/browser.ts'

let house: BrowserApp
let demoKey: string | undefined
let organisationId: Awaited<ReturnType<BrowserApp['app']['person']>>['organisationId']
/** The page is long, and the machine may be busy. */
const wholeTest = { timeout: 120_000 }
const forms = [
  { form: 'A', prefix: '' },
  { form: 'B', prefix: '/form-b' },
]

beforeAll(async () => {
  house = await startBrowserApp({ demoKey: async () => demoKey })
  const person = await house.app.person()
  organisationId = person.organisationId
  await house.app.openAccount(organisationId)
  demoKey = await house.app.key(organisationId)
}, wholeTest.timeout)
afterAll(() => house?.close())

async function open(path: string, options?: Parameters<BrowserApp['visit']>[0]): Promise<Visit> {
  const visit = await house.visit(options)
  await visit.page.goto(path)
  return visit
}

describe('the reference page, in a browser', wholeTest, () => {
  test('finds operations and events during typing, and old links lead to their pages', async () => {
    const { page, complaints } = await open('/docs')
    const found = page.locator('#found li')
    await page.getByLabel('Search').fill('Credit  NOTE amount')
    await expect.poll(() => found.count()).toBeGreaterThan(0)
    const told = page.getByRole('status').first()
    await expect.poll(() => told.textContent()).toMatch(/^\d+ of \d+ operations and events$/)
    await page.getByLabel('Search').fill('create a draft invoice')
    await page.locator('#found').getByRole('link', { name: 'Create a draft invoice', exact: true }).click()
    await page.waitForURL('**/docs/invoices/create')
    await page.getByLabel('Search').fill('invoice.accepted')
    await page.locator('#found').getByRole('link', { name: 'invoice.accepted', exact: true }).click()
    await page.waitForURL('**/docs/events/invoice#event-invoice.accepted')
    await page.goto('/docs#invoices_create')
    await page.waitForURL('**/docs/invoices/create')
    expect(complaints).toEqual([])
  })

  test('has samples that run unchanged, with this address and this key, in four languages', async () => {
    const { page, complaints } = await open('/docs/invoices/create')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const article = page.locator('#invoices_create')
    const heading = await article.getByRole('heading', { name: 'Create a draft invoice' }).boundingBox()
    expect(heading?.y).toBeGreaterThanOrEqual(0)
    expect(heading?.y).toBeLessThan(400)
    await expect.poll(() => page.getByLabel('Token for the samples').inputValue()).toBe(demoKey)
    const ways = [
      ['curl', `curl -X POST "${house.app.url}/i/v1/invoices"`, `Authorization: Bearer ${demoKey}`],
      ['JavaScript', `baseUrl: '${house.app.url}'`, `apiKey: '${demoKey}'`],
      ['Python', `"POST", "${house.app.url}/i/v1/invoices"`, `Bearer ${demoKey}`],
      ['PHP', `curl_init('${house.app.url}/i/v1/invoices')`, `Bearer ${demoKey}`],
    ] as const
    for (const [language, ...parts] of ways) {
      await article.getByRole('button', { name: language, exact: true }).click()
      const sample = article.locator(`[data-language="${language}"]`)
      await sample.getByRole('button', { name: 'Copy' }).click()
      await expect.poll(() => sample.getByRole('button').textContent()).toBe('Copied')
      const copied = (await page.evaluate('navigator.clipboard.readText()')) as string
      for (const part of parts) expect(copied).toContain(part)
    }
    // The choice of a language also holds on the next page.
    await page.goto('/docs/buyers/create')
    expect(await page.locator('#buyers_create [data-language="PHP"]').isVisible()).toBe(true)
    expect(complaints).toEqual([])
  })

  test.each(forms)('tries reads and, with a key of the sandbox, changes in Form $form', async ({ prefix }) => {
    const { page, complaints } = await open(`${prefix}/docs/buyers/create`)
    const keyIsShown = () => expect.poll(() => page.getByLabel('Token for the samples').inputValue()).toBe(demoKey)
    await keyIsShown()
    const trying = (id: string) => page.locator(`#${id} .trying`)
    const send = async (id: string) => {
      await trying(id).getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => trying(id).getByRole('status').textContent()).not.toBe('')
      return await trying(id).getByRole('status').textContent()
    }
    await trying('buyers_create').locator('summary').click()
    // Both forms share the buyers, and each buyer needs a unique tax number.
    const body = trying('buyers_create').getByLabel('Body')
    await body.fill((await body.inputValue()).replace('12345678-0001', `12345678-000${prefix.length}`))
    expect(await send('buyers_create')).toBe('201 Created')
    expect(await trying('buyers_create').getByLabel('Answer').textContent()).toContain('Adebayo Trading')
    await page.goto(`${prefix}/docs/buyers/list`)
    await keyIsShown()
    await trying('buyers_list').locator('summary').click()
    expect(await send('buyers_list')).toBe('200 OK')
    expect(await trying('buyers_list').getByLabel('Answer').textContent()).toContain('Adebayo Trading')
    // Live data must not change when a reader tries a route.
    const live = await house.app.key(organisationId, { mode: 'live' })
    await page.goto(`${prefix}/docs/buyers/create`)
    await keyIsShown()
    await trying('buyers_create').locator('summary').click()
    await page.getByLabel('Token for the samples').fill(live)
    expect(await send('buyers_create')).toContain('sk_test_')
    expect(await trying('buyers_create').getByLabel('Answer').isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })

  const paths = [
    '/docs',
    '/form-b/docs',
    '/docs/invoices',
    '/docs/invoices/create',
    '/docs/events/invoice',
    '/docs/errors/VAL001',
    '/docs/changes',
    '/guides',
    '/guides/invoices',
  ]
  test.each(paths)('%s covers and cuts nothing at any width', async (path) => {
    const { page } = await open(path)
    for (const width of [360, 600, 849, 1024, 1201, 1600]) {
      await page.setViewportSize({ width, height: 800 })
      for (const at of path.endsWith('/docs') ? ['#content', '#errors', '#operations'] : ['']) {
        if (at) await page.evaluate(`location.hash = '${at}'`)
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
        expect([width, at, await page.evaluate(findCovered)]).toEqual([width, at, []])
      }
    }
  })

  test.each(['light', 'dark'] as const)('is accessible, %s', async (theme) => {
    const { page } = await open('/docs', { theme })
    await expectAccessible(page)
    for (const path of paths.slice(2)) {
      await page.goto(path)
      await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
      await expectAccessible(page)
    }
  })

  test.each(forms)('loads with less than 60 kB in Form $form', async ({ prefix }) => {
    const { page } = await house.visit()
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) =>
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize)),
    )
    await page.goto(`${prefix}/docs`, { waitUntil: 'networkidle' })
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(5_000)
    expect(total).toBeLessThan(60_000)
  })
})

/** Runs in the page: finds visible elements that scroll sideways, are covered or are cut off. */
const findCovered = `(() => {
  const found = []
  const { scrollWidth } = document.documentElement
  if (scrollWidth > innerWidth) found.push('the page is ' + scrollWidth + ' wide')
  const told = (one) => one.tagName + '.' + one.className + ' ' + one.textContent.trim().slice(0, 40)
  for (const one of document.querySelectorAll('h1, h2, h3, h4, p, li, dt, dd, th, td, code, button, input, summary, label')) {
    const text = one.getClientRects()[0]
    if (!text || text.width === 0 || !one.checkVisibility()) continue
    const x = text.left + Math.min(text.width / 2, 20)
    const y = text.top + text.height / 2
    if (y < 0 || y >= innerHeight || text.left < -900) continue
    // Content beyond the edge of a scrolling element is reachable.
    const scrolls = one.closest('pre, .scroll, .sidebar, nav')
    if (!scrolls && text.right > innerWidth + 1) found.push('beyond the edge: ' + told(one))
    if (scrolls) {
      const frame = scrolls.getBoundingClientRect()
      if (x > frame.right || y > frame.bottom || y < frame.top) continue
    }
    const top = document.elementFromPoint(x, y)
    if (top && !one.contains(top) && !top.contains(one)) found.push('covered: ' + told(one) + ' by ' + told(top))
    if (getComputedStyle(one).overflowX === 'hidden' && one.scrollWidth > one.clientWidth + 1) found.push('cut: ' + told(one))
  }
  return found
})()`
