import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { walkByCursor } from '../../../../test/harness/cursors.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let person: Person
const path = '/i/v1/items'
const common = {
  productCategory: 'Unsearched',
  unitCode: 'EA',
  unitPriceMinor: '100',
  currency: 'NGN',
  taxCategory: 'standard',
}
const goods = { ...common, itemType: 'goods', hsnCode: '0105.11' }
const service = { ...common, itemType: 'service', serviceCode: '0112' }

async function withItems(...bodies: object[]): Promise<Person> {
  const made = await app.person()
  for (const body of bodies) {
    const reply = await app.a.post(path, { token: made.token, body })
    expect(reply.status, reply.text).toBe(201)
  }
  return made
}

beforeAll(async () => {
  app = await startTestApp()
  person = await withItems(
    { ...goods, name: 'Ọ̀ṣun Water', sku: 'WTR-75' },
    { ...goods, name: '100% Juice', description: 'Màńgò and Pineapple' },
    { ...goods, name: '1000 nails', hsnCode: '0105.94' },
    { ...service, name: 'Under_line work', description: 'back\\slash' },
    { ...service, name: 'Zobo serving', serviceCode: '0111' },
  )
  const old = await app.a.post(path, { token: person.token, body: { ...goods, name: 'Old water', sku: 'OLD' } })
  await app.a.post(`${path}/${old.data.id}/archive`, { token: person.token })
})
afterAll(() => app.close())

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const get = (query: string, { token }: Person = person) => app.client(form).get(`${path}${query}`, { token })
  const names = async (query: string, whose?: Person): Promise<string[]> => {
    const { status, data, text } = await get(query, whose)
    expect(status, text).toBe(200)
    return data.map(({ name }: { name: string }) => name)
  }
  const found = async (words: string, more = '') => new Set(await names(`?q=${encodeURIComponent(words)}${more}`))
  const all = ['Ọ̀ṣun Water', '100% Juice', '1000 nails', 'Under_line work', 'Zobo serving']

  test.each([
    ['name', 'water', ['Ọ̀ṣun Water']],
    ['the middle of a name', 'erv', ['Zobo serving']],
    ['description', 'pineapple', ['100% Juice']],
    ['sku', 'wtr-7', ['Ọ̀ṣun Water']],
    ['product code', '0105.94', ['1000 nails']],
    ['product code without its dot', '10594', ['1000 nails']],
    ['service code', '0111', ['Zobo serving']],
    ['what is not searched', 'unsearched', []],
    ['what nobody wrote', 'kerosene', []],
  ])('the search looks at %s', async (_, words, expected) => {
    expect(await found(words)).toEqual(new Set(expected))
  })

  test('case, accents and double blanks do not matter', async () => {
    for (const words of ['osun', 'ỌṢUN', 'Òsún', '  OSUN   water '])
      expect(await found(words)).toEqual(new Set(['Ọ̀ṣun Water']))
    expect(await found('mángo')).toEqual(new Set(['100% Juice']))
  })

  test('search has no wildcards', async () => {
    expect(await found('%')).toEqual(new Set(['100% Juice']))
    expect(await found('100%')).toEqual(new Set(['100% Juice']))
    expect(await found('_')).toEqual(new Set(['Under_line work']))
    expect(await found('r_l')).toEqual(new Set(['Under_line work']))
    expect(await found('k\\s')).toEqual(new Set(['Under_line work']))
    for (const words of ['1%0', '.*', '(', "'", 'a_t', '[0-9]']) expect(await found(words), words).toEqual(new Set())
  })

  test('one or two letters are found within words too', async () => {
    expect(await found('z')).toEqual(new Set(['Zobo serving']))
    expect(await found('j')).toEqual(new Set(['100% Juice']))
    expect(await found('bo')).toEqual(new Set(['Zobo serving']))
    expect(await found('ai')).toEqual(new Set(['1000 nails']))
    expect(await found('t')).toEqual(new Set(['Ọ̀ṣun Water']))
  })

  test('nothing matches across two fields', async () => {
    expect(await found('juice mango')).toEqual(new Set())
  })

  test('an empty search finds everything', async () => {
    for (const words of ['', '   ', '\u0301']) expect(await found(words)).toEqual(new Set(all))
  })

  test('the list can be filtered by kind and by archived', async () => {
    expect(new Set(await names(''))).toEqual(new Set(all))
    expect(new Set(await names('?itemType=service'))).toEqual(new Set(['Under_line work', 'Zobo serving']))
    expect(await names('?archived=true')).toEqual(['Old water'])
    expect(new Set(await names('?archived=false'))).toEqual(new Set(all))
    expect(new Set(await names('?archived=all'))).toEqual(new Set([...all, 'Old water']))
    expect(await found('water', '&archived=all')).toEqual(new Set(['Ọ̀ṣun Water', 'Old water']))
    expect(await found('water', '&archived=true')).toEqual(new Set(['Old water']))
    expect(await found('water', '&itemType=service')).toEqual(new Set())
  })

  test('pages do not overlap, omit nothing and have exact totals', async () => {
    const crowd = await withItems(...Array.from({ length: 23 }, (_, n) => ({ ...goods, name: `Crowd ${n}` })))
    for (const search of ['', '&q=crowd', '&q=o']) {
      for (const sort of ['-useCount', 'name', '-lastUsedAt']) {
        const seen: string[] = []
        for (const page of [1, 2, 3]) {
          const reply = await get(`?page=${page}&limit=10&sort=${sort}${search}`, crowd)
          expect(reply.body.meta.pagination).toMatchObject({ page, limit: 10, total: 23, totalPages: 3 })
          seen.push(...reply.data.map(({ id }: { id: string }) => id))
        }
        expect([seen.length, new Set(seen).size], `${sort}${search}`).toEqual([23, 23])
      }
      const beyond = await get(`?page=4&limit=10${search}`, crowd)
      expect([beyond.data, beyond.body.meta.pagination.total]).toEqual([[], 23])
    }
    for (const search of ['', '&q=crowd', '&q=o'])
      for (const sort of ['-useCount', 'name', '-lastUsedAt']) {
        const path = `?limit=10&sort=${sort}${search}`
        const whole = await get(`?limit=100&sort=${sort}${search}`, crowd)
        const walked = await walkByCursor((after) => get(after ? `${path}&after=${after}` : path, crowd))
        expect(walked).toEqual(whole.data)
      }
    expect((await get('?q=nobody', crowd)).body.meta.pagination).toMatchObject({
      page: 1,
      limit: 20,
      total: 0,
      totalPages: 0,
    })
    expect((await get('?q=nobody&page=2', crowd)).body.meta.pagination.total).toBe(0)
    expect((await get('?q=crowd', crowd)).data).toHaveLength(20)
    expect((await get('?limit=100', crowd)).data).toHaveLength(23)
  })

  test('the list has the requested order, and ties are stable', async () => {
    const whose = await withItems(...['beta', 'Alpha', 'Delta', 'alpha', 'gamma'].map((name) => ({ ...goods, name })))
    await app.runtime.db.run(sql`
      update items set use_count = case when name = 'Delta' then 5 when name = 'beta' then 2 else 0 end,
             last_used_at = case when name = 'gamma' then timestamptz '2026-02-01' when name = 'beta' then timestamptz '2026-03-01' end
       where organisation_id = ${whose.organisationId}`)
    for (const search of ['', '&q=a']) {
      expect(await names(`?sort=name${search}`, whose)).toEqual(['Alpha', 'alpha', 'beta', 'Delta', 'gamma'])
      expect(await names(`?sort=-useCount${search}`, whose)).toEqual(['Delta', 'beta', 'Alpha', 'alpha', 'gamma'])
      expect(await names(`?sort=-lastUsedAt${search}`, whose)).toEqual(['beta', 'gamma', 'Alpha', 'Delta', 'alpha'])
    }
    expect(await names('', whose)).toEqual(await names('?sort=-useCount', whose))
  })

  test.each([
    [`?q=${'a'.repeat(101)}`, 'q'],
    ['?itemType=product', 'itemType'],
    ['?archived=yes', 'archived'],
    ['?archived=', 'archived'],
    ['?sort=price', 'sort'],
    ['?sort=useCount', 'sort'],
    ['?sort=-name', 'sort'],
    ['?page=0', 'page'],
    ['?page=x', 'page'],
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?colour=red', 'colour'],
  ])('%s is refused', async (query, fault) => {
    const refused = await get(query)
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused)).toEqual([fault])
  })

  test('a search has at most a hundred characters, and a malformed id is not found', async () => {
    expect(await names(`?q=${'a'.repeat(100)}`)).toEqual([])
    expectRefusal(await get('/not-an-id'), 'resource.not_found')
  })
})

test('an edited item is found only by its new words', async () => {
  const { token } = await withItems({ ...goods, name: 'Kerosene' })
  const look = async (q: string) => (await app.a.get(`${path}?q=${q}`, { token })).data
  const [{ id }] = await look('kero')
  await app.a.patch(`${path}/${id}`, { token, body: { name: 'Diesel', sku: 'PMS' } })
  expect(await look('kero')).toEqual([])
  expect(await look('diesel')).toHaveLength(1)
  expect(await look('pms')).toHaveLength(1)
})
