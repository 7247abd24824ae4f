import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { refusals } from '../../kernel/refusals.ts'
import { formA } from '../form-a/index.ts'
import { formB } from '../form-b/index.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.close())

const get = (path: string, headers: Record<string, string> = {}) => request(`${app.url}${path}`, { headers })
const textOf = async (path: string) => (await get(path)).body.text()

describe.each([formA, formB])('the reference of $title', (form) => {
  const { prefix } = form

  const some = ['/openapi.json', '/docs', '/docs.md', '/docs/changes', '/docs/invoices', '/docs/invoices/create']
  test.each([...some, '/docs/invoices.md', '/docs/events', '/docs/events/invoice', '/docs/events.md'])(
    '%s is compressed, and cached',
    async (page) => {
      const path = `${prefix}${page}`
      const plain = await get(path)
      const whole = await plain.body.text()
      const zipped = await get(path, { 'accept-encoding': 'gzip, br;q=0' })
      expect(zipped.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(await zipped.body.arrayBuffer()).toString()).toBe(whole)
      // As browsers ask.
      const packed = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
      expect(packed.headers['content-encoding']).toBe('br')
      const bytes = Buffer.from(await packed.body.arrayBuffer())
      expect(brotliDecompressSync(bytes).toString()).toBe(whole)
      expect(bytes.length).toBeLessThan(120_000)
      const etag = String(packed.headers.etag)
      const again = await get(path, { 'if-none-match': etag })
      expect([again.statusCode, await again.body.text()]).toEqual([304, ''])
      expect((await get(path, { 'if-none-match': '"another"' })).statusCode).toBe(200)
    },
  )

  test('every code has a page with its meaning and remedy, as HTML and as Markdown', async () => {
    const codes = new Set(Object.values(form.answers).map(({ code }) => code))
    for (const code of codes) {
      const page = await textOf(`${prefix}/docs/errors/${code}`)
      expect(page).toContain(`<h1>${code}</h1>`)
      for (const words of ['What it means', 'What to do', '&quot;error&quot;']) expect(page).toContain(words)
    }
    const markdown = await textOf(`${prefix}/docs/errors/VAL001.md`)
    expect(markdown).toContain('# VAL001')
    expect(markdown).toContain(refusals['request.invalid'])
    expect((await get(`${prefix}/docs/errors/NONE999`)).statusCode).toBe(404)
  })

  test('every operation has a page, and is in the Markdown of its resource', async () => {
    const modules = new Set(form.routes.map(({ module }) => module))
    const first = await textOf(`${prefix}/docs`)
    for (const module of modules) {
      const markdown = await textOf(`${prefix}/docs/${module}.md`)
      for (const { name, route } of form.routes.filter((one) => one.module === module)) {
        expect(markdown).toContain(`\`${module}_${name}\``)
        expect(markdown).toContain(`## ${route.definition.summary}`)
        const path = `${prefix}/docs/${module}/${name}`
        expect(first).toContain(`href="${path}"`)
        const page = await get(path)
        expect([path, page.statusCode]).toEqual([path, 200])
        expect(await page.body.text()).toContain(`id="${module}_${name}"`)
      }
    }
    expect(await textOf(`${prefix}/docs/invoices.md`)).toContain('- `lineItems[].quantity` (')
    for (const page of ['nothing', 'nothing.md', 'invoices/nothing', 'events/nothing'])
      expect((await get(`${prefix}/docs/${page}`)).statusCode).toBe(404)
  })

  test('no page has more than 5,000 elements', async () => {
    const paths = ['/docs', '/docs/events', '/docs/events/invoice', '/docs/invoices', '/docs/invoices/create']
    for (const path of paths) {
      const elements = (await textOf(`${prefix}${path}`)).match(/<[a-z]/g)?.length ?? 0
      expect([path, elements > 100, elements <= 5_000]).toEqual([path, true, true])
    }
  })

  test('the search finds every operation and event by its address', async () => {
    const found = JSON.parse(await textOf(`${prefix}/docs/index.json`)) as { id: string; href: string; words: string }[]
    expect(found.filter(({ id }) => !id.startsWith('event-'))).toHaveLength(form.routes.length)
    const create = found.find(({ id }) => id === 'invoices_create')
    expect(create?.href).toBe(`${prefix}/docs/invoices/create`)
    expect(create?.words).toContain('lineitems[].quantity')
  })

  test('the page may run only our script, and connect only to this server', async () => {
    const page = await get(`${prefix}/docs`)
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    )
    const [script, ...others] = [...(await page.body.text()).matchAll(/<script src="([^"]+)"/g)].map(
      ([, source]) => source,
    )
    expect(others).toEqual([])
    const served = await get(script as string)
    expect(served.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(await served.body.text()).toContain('searchAsYouType()')
  })
})

describe('the guides', () => {
  test('are pages in the order of their index, and Markdown', async () => {
    const index = await textOf('/guides')
    const names = [...index.matchAll(/<li><a href="\/guides\/([a-z-]+)"/g)].map(([, name]) => name as string)
    expect(names.slice(0, 3)).toEqual(['tour', 'which-form', 'requests'])
    expect(names.length).toBeGreaterThan(20)
    for (const name of names) {
      const page = await textOf(`/guides/${name}`)
      expect(page.match(/<h1/g)).toHaveLength(1)
      expect(page.match(/<script/g)).toHaveLength(1)
      expect(await textOf(`/guides/${name}.md`)).toMatch(/^# /)
    }
    expect((await get('/guides/nothing')).statusCode).toBe(404)
    expect((await get('/guides/..%2fpackage')).statusCode).toBe(404)
  })

  test('link to each other, and every link and anchor exists', async () => {
    const names = [...(await textOf('/guides')).matchAll(/<li><a href="(\/guides\/[a-z-]+)"/g)].map(([, path]) => path)
    const pages = new Map<string, string>()
    for (const path of ['/guides', ...names] as string[]) pages.set(path, await textOf(path))
    const broken = [...pages].flatMap(([from, text]) =>
      [...text.matchAll(/href="((?:\/guides[^"#]*)?)(?:#([^"]+))?"/g)]
        .filter(([, path, anchor]) => path || anchor)
        .filter(([, path, anchor]) => {
          const target = path?.endsWith('.md') ? '' : pages.get(path || from)
          return target === undefined || (anchor !== undefined && !target.includes(`id="${anchor}"`))
        })
        .map(([link]) => `${from}: ${link}`),
    )
    expect(broken).toEqual([])
  })
})

test('llms.txt links to all of it', async () => {
  const text = await textOf('/llms.txt')
  const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link]) => link as string)
  expect(links.length).toBeGreaterThan(50)
  for (const link of links.filter((_, at) => at % 5 === 0))
    expect([link, (await get(link)).statusCode]).toEqual([link, 200])
})
