import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startTestApp()
  person = await withBuyers(
    { name: 'Adébáyọ̀ Stores', taxId: '20198222-0002' },
    { name: 'Ọlá & Sons', legalName: 'Olatunji Adebayo Nigeria Limited', taxId: '201982220003' },
    { name: '100% Pure_Water', taxId: 'GB-12.34 56', taxIdType: 'foreign' },
    { name: '1000 Pure Water', taxId: 'RC1401999', taxIdType: 'rn' },
    { name: 'Zenith adebayo' },
    { name: 'Back\\slash (Ltd.)' },
  )
})
afterAll(() => app.close())

const path = '/i/v1/buyers'
async function withBuyers(...bodies: object[]): Promise<Person> {
  const made = await app.person()
  await app.openAccount(made.organisationId)
  for (const body of bodies) {
    const reply = await app.a.post(path, { token: made.token, body })
    expect(reply.status, reply.text).toBe(201)
  }
  return made
}
const q = encodeURIComponent

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const nameField = { A: 'name', B: 'partyName' }[form]
  const names = (data: Record<string, string>[]) => data.map((one) => one[nameField])
  const get = (rest: string, { token }: Person = person) => app.client(form).get(`${path}${rest}`, { token })
  const search = async (words: string, more = '') => names((await get(`/search?q=${q(words)}${more}`)).data)

  test('search ignores accents and case, and lists names that start with the words first', async () => {
    expect(await search('adebayo')).toEqual(['Adébáyọ̀ Stores', 'Ọlá & Sons', 'Zenith adebayo'])
    expect(await search('ADÉBAYO')).toEqual(['Adébáyọ̀ Stores', 'Ọlá & Sons', 'Zenith adebayo'])
    expect(await search('  olatunji   ADEBAYO ')).toEqual(['Ọlá & Sons'])
    expect(await search('zenith')).toEqual(['Zenith adebayo'])
    expect(await search('nobody')).toEqual([])
  })

  test('search has no wildcards', async () => {
    expect(await search('100%')).toEqual(['100% Pure_Water'])
    expect(await search('pure_')).toEqual(['100% Pure_Water'])
    expect(await search('pure w')).toEqual(['1000 Pure Water'])
    expect(await search('%%')).toEqual([])
    expect(await search('__')).toEqual([])
    expect(await search('k\\s')).toEqual(['Back\\slash (Ltd.)'])
    expect(await search('(l')).toEqual(['Back\\slash (Ltd.)'])
    expect(await search('.*')).toEqual([])
    expect(await search('a.')).toEqual([])
  })

  test('two letters match the start of a word', async () => {
    expect(await search('st')).toEqual(['Adébáyọ̀ Stores'])
    expect(await search('ol')).toEqual(['Ọlá & Sons'])
    expect(await search('to')).toEqual([])
  })

  test('search finds tax numbers with and without dashes', async () => {
    for (const words of ['20198222-0002', '201982220002', '2019 8222-0002'])
      expect(await search(words)).toEqual(['Adébáyọ̀ Stores'])
    for (const words of ['20198222-0003', '201982220003', '8222-0003'])
      expect(await search(words)).toEqual(['Ọlá & Sons'])
    expect(new Set(await search('20198222'))).toEqual(new Set(['Adébáyọ̀ Stores', 'Ọlá & Sons']))
    expect(await search('gb-12.34')).toEqual(['100% Pure_Water'])
    expect(await search('GB123456')).toEqual(['100% Pure_Water'])
    expect(await search('rc1401999')).toEqual(['1000 Pure Water'])
  })

  test('search needs 2 to 100 characters, and returns 1 to 20 buyers', async () => {
    for (const [rest, fault] of [
      ['', 'q'],
      ['?q=', 'q'],
      ['?q=a', 'q'],
      [`?q=${'a'.repeat(101)}`, 'q'],
      ['?q=ad&limit=0', 'limit'],
      ['?q=ad&limit=21', 'limit'],
      ['?q=ad&limit=x', 'limit'],
      ['?q=ad&page=1', 'page'],
    ]) {
      const refused = await get(`/search${rest}`)
      expectRefusal(refused, 'request.invalid')
      expect(new Set(faultPaths(refused)), rest).toEqual(new Set([fault]))
    }
    expect(await search('a'.repeat(100))).toEqual([])
    expect(await search('adebayo', '&limit=1')).toEqual(['Adébáyọ̀ Stores'])
    expect(await search('adebayo', '&limit=20')).toHaveLength(3)
    const crowd = await withBuyers(...Array.from({ length: 21 }, (_, i) => ({ name: `Crowd ${i}` })))
    expect((await get('/search?q=crowd', crowd)).data).toHaveLength(10)
    expect((await get('/search?q=crowd&limit=20', crowd)).data).toHaveLength(20)
  })

  test('punctuation without letters finds nobody', async () => {
    expect(await search('\u0301\u0301')).toEqual([])
  })

  test('the list is newest first, in pages, with exact totals', async () => {
    const crowd = await withBuyers(...Array.from({ length: 23 }, (_, i) => ({ name: `Crowd ${i}` })))
    const first = await get('', crowd)
    expect(first.body.meta.pagination).toMatchObject({ page: 1, limit: 20, total: 23, totalPages: 2 })
    expect(names(first.data)).toEqual(Array.from({ length: 20 }, (_, i) => `Crowd ${22 - i}`))
    const second = await get('?page=2', crowd)
    expect(names(second.data)).toEqual(['Crowd 2', 'Crowd 1', 'Crowd 0'])
    const beyond = await get('?page=9&limit=5', crowd)
    expect([beyond.data, beyond.body.meta.pagination]).toEqual([
      [],
      expect.objectContaining({ page: 9, limit: 5, total: 23, totalPages: 5, hasMore: false }),
    ])
    expect((await get('?limit=100', crowd)).data).toHaveLength(23)
    for (const rest of ['?page=0', '?limit=0', '?limit=101', '?page=x', '?colour=red'])
      expectRefusal(await get(rest, crowd), 'request.invalid')
  })
})

describe('the list', () => {
  const get = (rest: string) => app.a.get(`${path}${rest}`, { token: person.token })

  test('can be searched', async () => {
    const found = await get(`?search=${q('Adebayo')}`)
    expect(found.data.map(({ name }: { name: string }) => name)).toEqual([
      'Zenith adebayo',
      'Ọlá & Sons',
      'Adébáyọ̀ Stores',
    ])
    expect(found.body.meta.pagination.total).toBe(3)
    expect((await get('?search=20198222-0003')).data).toHaveLength(1)
    expect((await get('?search=adebayo&page=2&limit=2')).data).toHaveLength(1)
    expect((await get('?search=')).body.meta.pagination.total).toBe(6)
    expect((await get(`?search=${'a'.repeat(100)}`)).data).toEqual([])
    expect(faultPaths(await get(`?search=${'a'.repeat(101)}`))).toEqual(['search'])
    expect(faultPaths(await app.b.get(`${path}?search=ade`, { token: person.token }))).toEqual(['search'])
  })

  test('can be filtered by the status of the tax number', async () => {
    await app.runtime.db.run(sql`
      update buyers set tax_id_status = 'verified' where organisation_id = ${person.organisationId} and name like 'Z%'`)
    expect((await get('?taxIdStatus=verified')).data).toHaveLength(1)
    expect((await get('?taxIdStatus=unverified')).body.meta.pagination.total).toBe(5)
    expect((await get('?taxIdStatus=verified&search=stores')).data).toEqual([])
    for (const status of ['pending', 'not_found', 'name_mismatch', 'unavailable', 'valid_off_network', 'checking'])
      expect((await get(`?taxIdStatus=${status}`)).data, status).toEqual([])
    expect(faultPaths(await get('?taxIdStatus=good'))).toEqual(['taxIdStatus'])
  })
})

test('only one form has the form options', async () => {
  const { token } = person
  const { data } = await app.a.get(`${path}/setup`, { token })
  expect(data.partyTypes).toEqual(['individual', 'company', 'partnership', 'non_profit', 'government'])
  expect(data.taxIdTypes.map(({ type }: { type: string }) => type)).toEqual(['tin', 'rn', 'foreign', 'none'])
  expect(data.countries).toContainEqual({ code: 'NG', name: 'Nigeria' })
  const elsewhere = await app.b.get(`${path}/setup`, { token })
  expectRefusal(elsewhere, 'route.elsewhere')
  expect([elsewhere.status, elsewhere.body.error.message]).toEqual([404, expect.stringContaining(`GET ${path}/setup`)])
})
