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

  test.each([`${prefix}/openapi.json`, `${prefix}/docs`, `${prefix}/docs.md`, `${prefix}/docs/changes`])(
    '%s is compressed, and cached',
    async (path) => {
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

  test('the Markdown describes every operation of the page', async () => {
    const markdown = await textOf(`${prefix}/docs.md`)
    for (const { module, name, route } of form.routes) {
      expect(markdown).toContain(`\`${module}_${name}\``)
      expect(markdown).toContain(`### ${route.definition.summary}`)
    }
    expect(markdown).toContain('- `lineItems[].quantity` (')
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
    expect(await served.body.text()).toContain('filterAsYouType()')
  })
})

test('llms.txt links to all of it', async () => {
  const text = await textOf('/llms.txt')
  const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link]) => link as string)
  expect(links.length).toBeGreaterThan(50)
  for (const link of links.filter((_, at) => at % 5 === 0))
    expect([link, (await get(link)).statusCode]).toEqual([link, 200])
})
