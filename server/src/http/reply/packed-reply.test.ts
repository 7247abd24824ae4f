import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../test/harness/invoices.ts'

let app: TestApp
let own: Issuer
beforeAll(async () => {
  app = await startTestApp()
  own = await issuer(app)
  for (let nth = 0; nth < 5; nth++)
    expect((await app.a.post('/i/v1/invoices', { token: own.token, body: invoiceBody.A(own) })).status).toBe(201)
})
afterAll(() => app.close())

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

/** As it comes, without a client that unpacks it. */
function ask(path: string, { token = own.token, method = 'GET', body = '', ...headers }: Record<string, string> = {}) {
  return new Promise<Raw>((resolve, reject) => {
    const sent = {
      authorization: `Bearer ${token}`,
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    const asking = request(`${app.url}${path}`, { method, headers: sent }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(pieces) }),
      )
    })
    asking.on('error', reject)
    asking.end(body)
  })
}
const unpack = { br: brotliDecompressSync, gzip: gunzipSync }

describe.each([
  ['A', ''],
  ['B', '/form-b'],
])('Form %s', (form, prefix) => {
  const list = `${prefix}/i/v1/invoices`

  test.each(['br', 'gzip'] as const)(
    'a list is compressed for clients that accept %s, with the same content',
    async (encoding) => {
      const plain = await ask(list)
      expect(plain.headers['content-encoding']).toBeUndefined()
      const packed = await ask(list, { 'accept-encoding': encoding })
      expect([packed.status, packed.headers['content-encoding']]).toEqual([200, encoding])
      for (const { headers } of [plain, packed]) expect(headers.vary).toContain('accept-encoding')
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
      const dataOf = (bytes: Buffer) => JSON.parse(bytes.toString()).data
      expect(dataOf(unpack[encoding](packed.bytes))).toEqual(dataOf(plain.bytes))
    },
  )

  test('Brotli is preferred, and a refused encoding is not used', async () => {
    const encodingOf = async (accepted: string) =>
      (await ask(list, { 'accept-encoding': accepted })).headers['content-encoding']
    expect(await encodingOf('gzip, deflate, br')).toBe('br')
    expect(await encodingOf('gzip, br;q=0')).toBe('gzip')
    expect(await encodingOf('deflate')).toBeUndefined()
  })

  test('small replies and replies to changes are not compressed', async () => {
    const accepted = { 'accept-encoding': 'gzip, br' }
    expect((await ask(`${prefix}/a/v1/auth/me`, accepted)).headers['content-encoding']).toBeUndefined()
    const body = JSON.stringify(invoiceBody[prefix === '' ? 'A' : 'B'](own))
    const made = await ask(list, { ...accepted, method: 'POST', body })
    expect([made.status, made.headers['content-encoding']]).toEqual([201, undefined])
  })

  test('a long list of faults is compressed too, and a repeated reply is identical', async () => {
    const accepted = { 'accept-encoding': 'gzip', method: 'POST' }
    const wrong = JSON.stringify(Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`wrong${at}`, at])))
    const refused = await ask(list, { ...accepted, body: wrong })
    expect([refused.status, refused.headers['content-encoding']]).toEqual([400, 'gzip'])
    expect(JSON.parse(gunzipSync(refused.bytes).toString()).error.details.length).toBeGreaterThan(149)
    const body = JSON.stringify({ ...invoiceBody[prefix === '' ? 'A' : 'B'](own) })
    const keyed = { ...accepted, body, 'idempotency-key': `packed-reply-${form}` }
    const [first, again] = [await ask(list, keyed), await ask(list, keyed)]
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.bytes.equals(first.bytes)).toBe(true)
  })
})
