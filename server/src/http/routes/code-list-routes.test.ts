import { get } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import { nigeria } from '../../jurisdictions/ng/index.ts'
import { type CodeEntry, listTypes } from '../../jurisdictions/port.ts'
import { sql } from '../../platform/database/sql.ts'
import { createRateLimiter } from '../../platform/limits/rate-limits.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startTestApp()
  person = await app.person()
})
afterAll(() => app.close())

const base = '/i/v1/invoices'
const codes = `${base}/hsn-codes`
const products = nigeria().builtInLists.find(({ type }) => type === 'product-codes')?.entries as readonly CodeEntry[]
const codesOf = (reply: Reply): string[] => reply.data.map(({ code }: { code: string }) => code)
const ownCodes = (wanted: (entry: CodeEntry) => boolean): string[] => products.filter(wanted).map(({ code }) => code)

/** As it comes over the wire, before anything unpacks it. */
function raw(
  path: string,
  headers: Record<string, string>,
): Promise<{ headers: Headers; status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(`${app.url}${path}`, { headers: { authorization: `Bearer ${person.token}`, ...headers } }, (message) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('error', reject)
      message.on('end', () =>
        resolve({
          status: message.statusCode as number,
          headers: new Headers(message.headers as Record<string, string>),
          body: Buffer.concat(chunks),
        }),
      )
    }).on('error', reject)
  })
}

describe.each(['A', 'B'] as const)('in form %s, product codes', (form) => {
  const search = (query: Record<string, string | number>) =>
    app.client(form).get(`${codes}?${new URLSearchParams(query as Record<string, string>)}`, { token: person.token })

  test('are listed in order, twenty to a page', async () => {
    const first = await app.client(form).get(codes, { token: person.token })
    expect(first.status).toBe(200)
    const total = products.length
    const totalPages = Math.ceil(total / 20)
    expect(first.body.meta.pagination).toMatchObject({ page: 1, limit: 20, total, totalPages })
    expect(codesOf(first)).toEqual(products.slice(0, 20).map(({ code }) => code))
    const [one] = products as [CodeEntry]
    const { code, name, category } = one
    expect(first.data[0]).toEqual({ code, description: name, category, suggestedTaxCategory: null })
    const [rice] = (await search({ search: '1006.30' })).data
    expect(rice).toMatchObject({ code: '1006.30', suggestedTaxCategory: 'ZERO_VAT' })
    const last = await search({ page: totalPages })
    expect(codesOf(last)).toEqual(products.slice((totalPages - 1) * 20).map(({ code }) => code))
    const beyond = await search({ page: totalPages + 1 })
    expect([beyond.status, beyond.data, beyond.body.meta.pagination.total]).toEqual([200, [], total])
  })

  test('are all found by turning pages of a hundred', async () => {
    const found: string[] = []
    for (let page = 1; page === 1 || found.length < products.length; page++) {
      const reply = await search({ page, limit: 100 })
      expect(reply.data.length, `page ${page}`).toBeGreaterThan(0)
      found.push(...codesOf(reply))
    }
    expect(found).toEqual(products.map(({ code }) => code))
  })

  test.each(['cattle', 'CATTLE', 'Cáttle', ' càttlè '])('are found by the word %j', async (words) => {
    const expected = ownCodes(({ name }) => /cattle/i.test(name))
    expect(expected.length).toBeGreaterThan(0)
    expect(codesOf(await search({ search: words, limit: 100 }))).toEqual(expected)
  })

  test.each([
    ['0105', /^0105/],
    ['0105.11', /^0105\.11$/],
    ['010511', /^0105\.11$/],
    ['0105.1', /^0105\.1/],
    ['01051', /^0105\.1/],
  ])('are found by the digits %s', async (digits, shape) => {
    const expected = ownCodes(({ code }) => shape.test(code))
    expect(expected).toContain('0105.11')
    const found = codesOf(await search({ search: digits, limit: 100 }))
    expect(found).toEqual(expect.arrayContaining(expected))
    // Digits stand inside of other codes too.
    for (const code of found) expect([code, code.replace('.', '')].some((text) => text.includes(digits))).toBe(true)
  })

  test.each(['%', '_', '\\', '.*', "'"])('treat %s as a character, not as a wildcard', async (character) => {
    const expected = ownCodes(({ code, name }) => `${code}\n${name}`.includes(character))
    expect(expected.length).toBeLessThan(products.length)
    const reply = await search({ search: character, limit: 100 })
    expect([reply.body.meta.pagination.total, codesOf(reply)]).toEqual([expected.length, expected.slice(0, 100)])
  })

  test('with a percent sign are found by that sign', async () => {
    const expected = ownCodes(({ name }) => name.includes('% fat'))
    expect(expected).toContain('0402.10')
    expect(codesOf(await search({ search: '% FAT' }))).toEqual(expected)
  })

  test('of one category are found by its whole name in any case', async () => {
    const name = 'Live animals and birds'
    const expected = ownCodes(({ category }) => category === name)
    expect(expected.length).toBeGreaterThan(3)
    for (const category of [name, name.toUpperCase(), name.toLowerCase()])
      expect(codesOf(await search({ category, limit: 100 })), category).toEqual(expected)
    for (const category of ['Live animals', `${name}x`, '%', 'Live animals_and birds'])
      expect((await search({ category })).data, category).toEqual([])
  })

  test('are found by words in a category', async () => {
    const category = 'Live animals and birds'
    const expected = ownCodes((entry) => entry.category === category && /cattle/i.test(entry.name))
    const elsewhere = ownCodes((entry) => entry.category !== category && /cattle|cow/i.test(entry.name))
    expect([expected.length, elsewhere.length]).not.toContain(0)
    expect(codesOf(await search({ category, search: 'cattle' }))).toEqual(expected)
    expect((await search({ category, search: 'laptop' })).data).toEqual([])
  })

  test('that are unknown give an empty list', async () => {
    const reply = await search({ search: 'no such thing on earth' })
    expect([reply.status, reply.data]).toEqual([200, []])
    expect(reply.body.meta.pagination).toMatchObject({ page: 1, limit: 20, total: 0, totalPages: 0 })
  })

  test('are returned one to a hundred per page', async () => {
    expect((await search({ limit: 1 })).data).toHaveLength(1)
    expect((await search({ limit: 100 })).data).toHaveLength(100)
    for (const limit of [0, 101, -1, 1.5, 'ten']) {
      const reply = await search({ limit })
      expectRefusal(reply, 'request.invalid')
      expect(faultPaths(reply)).toEqual(['limit'])
    }
    expect(faultPaths(await search({ page: 0 }))).toEqual(['page'])
  })

  test.each(['search', 'category'])('accept a %s of at most a hundred characters', async (field) => {
    expect((await search({ [field]: 'x'.repeat(100) })).status).toBe(200)
    const reply = await search({ [field]: 'x'.repeat(101) })
    expectRefusal(reply, 'request.invalid')
    expect([reply.body.error.code, faultPaths(reply)]).toEqual(['VAL001', [field]])
  })

  test('have categories in alphabetical order, with the counts of a search', async () => {
    const reply = await app.client(form).get(`${codes}/categories`, { token: person.token })
    expect(reply.status).toBe(200)
    const names: string[] = reply.data.map(({ category }: { category: string }) => category)
    expect(names).toEqual([...new Set(names)].sort())
    const sum = reply.data.reduce((total: number, { count }: { count: number }) => total + count, 0)
    expect(sum).toBe(products.length)
    for (const { category, count } of reply.data.slice(0, 5))
      expect((await search({ category })).body.meta.pagination.total, category).toBe(count)
  })
})

describe.each(['A', 'B'] as const)('in form %s, code lists', (form) => {
  const path = (type: string) => `${base}/resources/${type}`

  test('are the same together and one by one', async () => {
    const all = await app.client(form).get(`${base}/resources`, { token: person.token })
    expect(all.status).toBe(200)
    expect(all.data.map(({ type }: { type: string }) => type).sort()).toEqual([...listTypes].sort())
    for (const list of all.data) {
      const alone = await app.client(form).get(path(list.type), { token: person.token })
      expect([alone.status, alone.data]).toEqual([200, list])
      expect(list.count).toBe(list.entries.length)
      expect(list.count, list.type).toBeGreaterThan(0)
      expect(list.source).toBe('built-in')
    }
  })

  test('of an unknown type are refused', async () => {
    for (const type of ['colours', 'Countries', 'toString', '%20', 'product_codes']) {
      const reply = await app.client(form).get(path(type), { token: person.token })
      expectRefusal(reply, 'request.invalid')
      expect([reply.status, reply.body.error.code, faultPaths(reply)]).toEqual([400, 'VAL001', ['type']])
    }
  })

  test.each(['resources', 'resources/units', 'hsn-codes', 'hsn-codes/categories'])(
    '%s are not sent to clients with the current ETag',
    async (below) => {
      const ask = (headers = {}) => app.client(form).get(`${base}/${below}`, { token: person.token, headers })
      const first = await ask()
      const etag = first.headers.get('etag') as string
      expect(etag).toMatch(/^"[\w-]+"$/)
      for (const held of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
        const again = await ask({ 'if-none-match': held })
        expect([again.status, again.text, again.headers.get('etag')], held).toEqual([304, '', etag])
      }
      const other = await ask({ 'if-none-match': '"another"' })
      expect([other.status, other.data]).toEqual([200, first.data])
    },
  )

  test.each(['resources', 'resources/product-codes', 'hsn-codes?limit=100', 'hsn-codes/categories'])(
    '%s are compressed for clients that accept it, and plain for others',
    async (below) => {
      const at = `${app.client(form).form.prefix}${base}/${below}`
      const plain = await raw(at, {})
      expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null])
      const { data, meta } = JSON.parse(plain.body.toString())
      for (const refusing of ['identity', 'br', 'gzip;q=0'])
        expect((await raw(at, { 'accept-encoding': refusing })).headers.get('content-encoding')).toBeNull()
      // The first may be compressed in another way than those after it.
      for (let times = 0; times < 2; times++) {
        const small = await raw(at, { 'accept-encoding': 'br, gzip;q=0.5' })
        expect(small.headers.get('content-encoding')).toBe('gzip')
        expect(small.headers.get('vary')).toMatch(/accept-encoding/i)
        expect(small.headers.get('etag')).toBe(plain.headers.get('etag'))
        expect(Number(small.headers.get('content-length'))).toBe(small.body.length)
        expect(small.body.length).toBeLessThan(plain.body.length / 2)
        const read = JSON.parse(gunzipSync(small.body).toString())
        expect(read.data).toEqual(data)
        expect({ ...read.meta, requestId: '', timestamp: '' }).toEqual({ ...meta, requestId: '', timestamp: '' })
        expect(read.meta.requestId).not.toBe(meta.requestId)
      }
    },
  )

  test('need the capability to read them', async () => {
    const { token } = await memberHolding(app, person, 'item.read')
    const reader = await memberHolding(app, person, 'reference.read')
    const key = await app.key(person.organisationId, { capabilities: ['item.read'] })
    const readingKey = await app.key(person.organisationId, { capabilities: ['reference.read'], mode: 'live' })
    for (const below of ['resources', 'resources/units', 'hsn-codes', 'hsn-codes/categories']) {
      const ask = (token?: string) => app.client(form).get(`${base}/${below}`, token === undefined ? {} : { token })
      for (const without of [token, key]) expectRefusal(await ask(without), 'auth.capability_missing')
      for (const holding of [reader.token, readingKey]) expect((await ask(holding)).status).toBe(200)
      expect((await ask()).status).toBe(401)
    }
  })

  test('are not found for an organisation in an unsupported country', async () => {
    const { organisationId } = await app.person()
    await app.runtime.db.rows(sql`update organisations set country = 'GH' where id = ${organisationId} returning id`)
    const { token } = await app.member(organisationId, 'OWNER')
    const key = await app.key(organisationId)
    for (const below of [
      'resources',
      'resources/units',
      'hsn-codes',
      'hsn-codes/categories',
      'lookup/tax-id/20198222-0002',
    ])
      for (const caller of [token, key]) {
        const reply = await app.client(form).get(`${base}/${below}`, { token: caller })
        expectRefusal(reply, 'jurisdiction.unsupported')
        expect(reply.status).toBe(422)
      }
  })
})

test('no code list needs a database query, with a key or a session', async () => {
  const own = await startTestApp()
  try {
    const { token, organisationId } = await own.person()
    await own.openAccount(organisationId)
    const key = await own.key(organisationId)
    const { db, ports } = own.runtime
    // Code lists look for changes on the same pool, so they stop. No minute of the limiter ends while we count.
    await ports.codeLists.stop()
    Object.assign(own.runtime, { limiter: createRateLimiter(db, () => 1_800_000_000_000) })
    const paths = [
      'hsn-codes?search=rice',
      'hsn-codes/categories',
      'resources',
      ...listTypes.map((type) => `resources/${type}`),
    ]
    const askAll = async () => {
      for (const below of paths)
        for (const caller of [token, key])
          for (const client of [own.a, own.b])
            expect((await client.get(`${base}/${below}`, { token: caller })).status).toBe(200)
    }
    await askAll()
    await expect.poll(() => db.pool.idleCount === db.pool.totalCount).toBe(true)
    let taken = 0
    const count = () => taken++
    db.pool.on('acquire', count)
    // A starved machine may miss the moment to confirm what it remembers, and then asks, as it should: some rounds may.
    for (let round = 0; round === 0 || (taken > 0 && round < 5); round++) {
      taken = 0
      await askAll()
    }
    expect(taken).toBe(0)
    await own.a.get('/i/v1/buyers', { token: key })
    expect(taken, 'the count sees one').toBeGreaterThan(0)
  } finally {
    await own.close()
  }
})

describe.each(['A', 'B'] as const)('in form %s, the countries', (form) => {
  test('are listed without a token, with their defaults and words', async () => {
    const { status, data } = await app.client(form).get('/i/v1/jurisdictions', {})
    expect(status).toBe(200)
    expect(data).toHaveLength(1)
    const [nigeriaView] = data
    expect(nigeriaView).toMatchObject({
      country: 'NG',
      currency: 'NGN',
      timeZone: 'Africa/Lagos',
      taxCategories: [
        { code: 'STANDARD_VAT', label: 'VAT', rate: '7.5' },
        { code: 'ZERO_VAT', label: 'VAT', rate: '0' },
        { code: 'EXEMPTED', label: 'Exempt', rate: null },
      ],
      authorityReferenceName: 'IRN',
      districtName: 'Local government area',
      payerIdentifiers: [{ name: 'bvn', label: 'BVN' }],
    })
    expect(nigeriaView.currencies).toContainEqual({ code: 'USD', decimals: 2 })
    expect(nigeriaView.taxIdTypes.map(({ type }: { type: string }) => type)).toEqual(['tin', 'rn', 'foreign', 'none'])
  })
})
