import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { sessionAgain } from '../../../../test/harness/session-again.ts'
import type { CodeEntry, ListType } from '../../jurisdictions/port.ts'
import { systemCaller } from '../../kernel/callers.ts'
import { sql } from '../../platform/database/sql.ts'
import { silentLogger } from '../../platform/logger.ts'
import { type CodeLists, createCodeLists } from './code-lists.ts'
import { loadList } from './load-list.ts'

let app: TestApp
const noon = '2026-11-15T12:00:00.000Z'
beforeAll(async () => {
  app = await startTestApp({ now: noon })
  // Reading happens only when the test asks for it.
  await lists().stop()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(noon)
  await app.owner.rows(sql`delete from code_lists returning version`)
  await lists().refresh()
})

const lists = (): CodeLists => app.runtime.ports.codeLists
const units = () => lists().list('NG', 'units')
const codes = () => units().entries.map(({ code }) => code)

interface ListToLoad {
  readonly type?: ListType
  readonly version: string
  readonly effectiveFrom: string
  readonly entries?: readonly CodeEntry[]
}
/** A list with one entry, named after its version, unless other entries are given. */
async function load({
  type = 'units',
  version,
  effectiveFrom,
  entries = [{ code: version, name: version }],
}: ListToLoad) {
  const input = { country: 'NG', source: 'import', type, version, effectiveFrom, entries } as const
  await app.runner.run(loadList, { caller: systemCaller, origin, input })
}

test('without a loaded list, the built-in lists are served', () => {
  expect([units().source, codes().length > 100]).toEqual(['built-in', true])
})

test('a loaded list replaces its built-in list only', async () => {
  const before = lists().all('NG')
  await load({ version: 'v1', effectiveFrom: '2026-11-15' })
  await lists().refresh()
  expect([units().source, units().version, units().effectiveFrom]).toEqual(['import', 'v1', '2026-11-15'])
  expect(codes()).toEqual(['v1'])
  expect(units().find('KGM')).toBeUndefined()
  const after = lists().all('NG')
  expect(after.map(({ type }) => type)).toEqual(before.map(({ type }) => type))
  expect(after.filter((list, at) => list !== before[at]).map(({ type }) => type)).toEqual(['units'])
})

test('the list with the latest start date counts, in any order of loading', async () => {
  await load({ version: 'middle', effectiveFrom: '2026-06-01' })
  await load({ version: 'newest', effectiveFrom: '2026-11-01' })
  await load({ version: 'oldest', effectiveFrom: '2026-02-01' })
  await lists().refresh()
  expect(codes()).toEqual(['newest'])
})

test('of two lists with the same start date, the one that was loaded later counts', async () => {
  await load({ version: 'b', effectiveFrom: '2026-11-01' })
  app.clock.advance({ seconds: 1 })
  await load({ version: 'a', effectiveFrom: '2026-11-01' })
  await lists().refresh()
  expect(codes()).toEqual(['a'])
})

test('a list with a start date of tomorrow counts from midnight of the country', async () => {
  await load({ version: 'today', effectiveFrom: '2026-11-15' })
  await load({ version: 'tomorrow', effectiveFrom: '2026-11-16' })
  await lists().refresh()
  expect(codes()).toEqual(['today'])
  app.clock.set('2026-11-15T22:59:59.999Z')
  await lists().refresh()
  expect(codes()).toEqual(['today'])
  app.clock.set('2026-11-15T23:00:00.000Z')
  await lists().refresh()
  expect(codes()).toEqual(['tomorrow'])
})

test('a repeated version replaces its earlier list, even within the same instant', async () => {
  await load({ version: 'v1', effectiveFrom: '2026-11-15' })
  await lists().refresh()
  await load({ version: 'v1', effectiveFrom: '2026-11-15', entries: [{ code: 'NEW', name: 'New' }] })
  await lists().refresh()
  expect(codes()).toEqual(['NEW'])
  const kept = sql`select version from code_lists`
  expect(await app.runtime.db.rows(kept)).toEqual([{ version: 'v1' }])
})

test('a replacement by a node with a late clock is noticed too', async () => {
  await load({ version: 'v1', effectiveFrom: '2026-11-15' })
  app.clock.advance({ minutes: 2 })
  await load({ version: 'v1', effectiveFrom: '2026-11-15', type: 'states' })
  await lists().refresh()
  app.clock.advance({ minutes: -1 })
  await load({ version: 'v1', effectiveFrom: '2026-11-15', entries: [{ code: 'NEW', name: 'New' }] })
  await lists().refresh()
  expect(codes()).toEqual(['NEW'])
})

test('another node sees the list at its next check', async () => {
  const { db, ports } = app.runtime
  const there = createCodeLists(db, ports.jurisdictions, app.clock, silentLogger)
  await there.start()
  try {
    await there.stop()
    const builtIn = there.tag('NG')
    await load({ version: 'v1', effectiveFrom: '2026-11-15' })
    expect(there.list('NG', 'units').source).toBe('built-in')
    await Promise.all([there.refresh(), lists().refresh()])
    expect(there.list('NG', 'units').entries).toEqual([{ code: 'v1', name: 'v1' }])
    expect(there.tag('NG')).not.toBe(builtIn)
    expect(there.tag('NG')).toBe(lists().tag('NG'))
    expect(there.list('NG', 'units').tag).toBe(units().tag)
  } finally {
    await there.stop()
  }
})

test.each(['countries', 'product-codes', 'units', 'lgas'] as const)(
  'new %s change their ETag and that of all lists, and no other',
  async (type) => {
    const before = new Map(
      lists()
        .all('NG')
        .map((list) => [list.type, list.tag]),
    )
    const whole = lists().tag('NG')
    await load({ type, version: 'v1', effectiveFrom: '2026-11-15' })
    await lists().refresh()
    expect(lists().tag('NG')).not.toBe(whole)
    const changed = lists()
      .all('NG')
      .filter((list) => list.tag !== before.get(list.type))
    expect(changed.map((list) => list.type)).toEqual([type])
  },
)

test('a check without news changes nothing', async () => {
  await load({ version: 'v1', effectiveFrom: '2026-11-15' })
  await lists().refresh()
  const before = units()
  await lists().refresh()
  expect(units()).toBe(before)
})

test('a list of an unsupported country is ignored', async () => {
  const input = { country: 'GH', source: 'import', type: 'units', version: 'v1', effectiveFrom: '2026-11-15' } as const
  const entries = [{ code: 'GH', name: 'Ghana' }]
  await app.runner.run(loadList, { caller: systemCaller, origin, input: { ...input, entries } })
  await lists().refresh()
  expect(units().source).toBe('built-in')
  expect(() => lists().all('GH')).toThrow('GH')
})

test.each(['A', 'B'] as const)('a client with old lists gets the new ones, through form %s', async (form) => {
  const person = await app.person()
  const ask = async (below: string, headers = {}) => {
    const { token } = await sessionAgain(app, person, 'sandbox')
    return await app.client(form).get(`/i/v1/invoices/${below}`, { token, headers })
  }
  const paths = ['resources', 'resources/product-codes', 'hsn-codes', 'hsn-codes/categories']
  const held = new Map<string, string>()
  for (const path of paths) held.set(path, (await ask(path)).headers.get('etag') as string)
  const entries = [
    { code: '0101.21', name: 'Àṣẹ horses', category: 'Animals', facts: { unit: 'KGM' }, from: '2026-01-01' },
    { code: '9999', name: 'Other' },
  ]
  await load({ type: 'product-codes', version: 'v1', effectiveFrom: '2026-11-15', entries })
  await lists().refresh()
  for (const path of paths)
    expect((await ask(path, { 'if-none-match': held.get(path) as string })).status, path).toBe(200)

  const list = (await ask('resources/product-codes')).data
  expect(list).toMatchObject({ type: 'product-codes', version: 'v1', effectiveFrom: '2026-11-15', source: 'import' })
  expect(list.entries).toEqual([
    { code: '0101.21', name: 'Àṣẹ horses', category: 'Animals', unit: 'KGM', from: '2026-01-01' },
    { code: '9999', name: 'Other' },
  ])
  const all: { type: string }[] = (await ask('resources')).data
  expect(all.find(({ type }) => type === 'product-codes')).toEqual(list)
  const horses = { code: '0101.21', description: 'Àṣẹ horses', category: 'Animals', suggestedTaxCategory: null }
  for (const search of ['ase', 'HORSES', '010121', '0101.21'])
    expect((await ask(`hsn-codes?search=${search}`)).data, search).toEqual([horses])
  const other = { code: '9999', description: 'Other', category: null, suggestedTaxCategory: null }
  expect((await ask('hsn-codes?search=other')).data).toEqual([other])
  expect((await ask('hsn-codes/categories')).data).toEqual([{ category: 'Animals', count: 1 }])
})

test.each(['KGM', 'kgm', ' K G M ', 'K.GM'])('the unit %j is found in any spelling', (spelling) => {
  expect(units().find(spelling)?.code).toBe('KGM')
})
