import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** As browsers ask for a page. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

async function ask(path: string, accept?: string, method = 'GET') {
  const answer = await fetch(app.url + path, { method, headers: accept === undefined ? {} : { accept } })
  const { status, headers } = answer
  return { status, headers, type: headers.get('content-type')?.split(';')[0], text: await answer.text() }
}

test.each([
  ['/nonsense', 404],
  ['/nonsense/deeper?x=1', 404],
  ['/downloads/nothing', 404],
  ['/%zz', 400],
  ['/<script>alert(1)</script>', 404],
])('a browser at %s gets a page with a link back', async (path, status) => {
  const shown = await ask(path, browser)
  expect([shown.status, shown.type]).toEqual([status, 'text/html'])
  expect(shown.text).toContain('There is no such page')
  expect(shown.text).toContain('href="/"')
  expect(shown.text).not.toContain('<script')
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(shown.headers.get('x-request-id')).toBeTruthy()
})

test.each([
  ['/nonsense', undefined, 'GET'],
  ['/nonsense', '*/*', 'GET'],
  ['/nonsense', 'application/json, text/html;q=0.5', 'GET'],
  ['/nonsense', browser, 'POST'],
  ['/i/v1/nonsense', browser, 'GET'],
  ['/form-b/i/v1/nonsense', browser, 'GET'],
])('programs get the envelope: %s, accepting %s, by %s', async (path, accept, method) => {
  const told = await ask(path, accept, method)
  expect([told.status, told.type]).toEqual([404, 'application/json'])
  expect(JSON.parse(told.text)).toMatchObject({ error: expect.any(Object) })
})

test('a rate-limited browser gets a page in words', async () => {
  const strict = await startTestApp({ limits: { address: 1 } })
  const answers = []
  for (let time = 0; time < 3; time++)
    answers.push(await fetch(`${strict.url}/nonsense`, { headers: { accept: browser } }))
  const last = answers.at(-1)
  expect([last?.status, await last?.text()]).toEqual([429, expect.stringContaining('Please try again in a moment')])
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  await strict.close()
})
