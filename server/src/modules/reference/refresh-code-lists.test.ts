import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { capturedLog, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { nigeria } from '../../jurisdictions/ng/index.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
const { log, text: logText } = capturedLog()
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], log, now: '2026-11-15T02:17:00.000Z' })
})
afterAll(() => app.close())

/** By default the authority has only codes that we have. */
beforeEach(async () => {
  app.authority.control.misbehave(undefined)
  for (const [name, entry] of known) app.authority.control.replaceList(name, [entry])
  await app.owner.rows(sql`delete from code_lists returning version`)
  await app.runtime.ports.codeLists.refresh()
})

const known = [
  ['hs-codes', { hscode: '0105.11', description: 'Chicks' }],
  ['services-codes', { code: '0111', description: 'Farming' }],
  ['tax-categories', { code: 'STANDARD_VAT', value: 'VAT', percent: '7.5' }],
  ['payment-means', { code: '10', value: 'Notes and coins' }],
  ['invoice-types', { code: '381', value: 'Credit' }],
  ['invoice-quantity-codes', { code: 'KGM', name: 'Kilo' }],
] as const

const refresh = () => app.runJob('refresh-code-lists')
const products = () => app.runtime.ports.codeLists.list('NG', 'product-codes')
const builtIn = nigeria().builtInLists.find(({ type }) => type === 'product-codes')?.entries ?? []
/** Entries after the built-in ones. */
const added = () => products().entries.slice(builtIn.length)
const kept = () =>
  app.runtime.db.rows<{ type: string; version: string; source: string; effectiveFrom: string }>(
    sql`select type, version, source, effective_from from code_lists order by type, version`,
  )
const tell = (...rows: [code: string, description: string][]) =>
  app.authority.control.replaceList(
    'hs-codes',
    rows.map(([hscode, description]) => ({ hscode, description })),
  )

test('nothing is loaded if the authority has nothing new', async () => {
  const before = products()
  await refresh()
  expect(await kept()).toEqual([])
  expect(products()).toBe(before)
})

test('new codes are appended in the category of their chapter, and ours stay', async () => {
  tell(['0105.11', 'Other words for chicks'], ['0106.99', 'Snails, live'], ['9803.01', 'A chapter of its own'])
  await refresh()
  expect(products().entries.slice(0, builtIn.length)).toEqual(builtIn)
  expect(added()).toEqual([
    { code: '0106.99', name: 'Snails, live', category: 'Live animals and birds' },
    { code: '9803.01', name: 'A chapter of its own' },
  ])
  expect(products().find('010511')?.name).not.toBe('Other words for chicks')
  expect(products().search('snails, live', 'live animals and birds')).toHaveLength(1)
  expect(await kept()).toEqual([
    { type: 'product-codes', version: 'authority-2026-11-15', source: 'authority', effectiveFrom: '2026-11-15' },
  ])
})

test('half an hour after midnight in Lagos, new codes count from the new day', async () => {
  const before = app.clock.now()
  app.clock.set('2026-11-15T23:30:00Z')
  tell(['0106.99', 'Snails, live'])
  await refresh()
  expect(await kept()).toMatchObject([{ version: 'authority-2026-11-16', effectiveFrom: '2026-11-16' }])
  expect(added()).toHaveLength(1)
  app.clock.set(before)
})

test('duplicates, blanks, lost zeros, ranges and empty rows are handled', async () => {
  tell(
    ['0106.99 ', 'Snails, live'],
    ['0106.99', 'Snails again'],
    ['106.98', 'Lost its zero'],
    ['010697', 'Lost its dot'],
    ['3104.20-30', 'A range'],
    ['', 'Nothing'],
    ['0106.96', ''],
    ['0105.11 ', 'Known already'],
    ['<b>', 'Markup'],
  )
  await refresh()
  expect(added().map(({ code, name }) => [code, name])).toEqual([
    ['0106.99', 'Snails, live'],
    ['0106.98', 'Lost its zero'],
    ['0106.97', 'Lost its dot'],
  ])
})

test('a known code in another case is the same code, and keeps our description', async () => {
  const units = () => app.runtime.ports.codeLists.list('NG', 'units')
  const ours = units().find('KGM')
  app.authority.control.replaceList('invoice-quantity-codes', [
    { code: 'kgm', name: 'Kilo' },
    { code: 'QQQ', name: 'A new unit' },
  ])
  await refresh()
  expect(units().entries.filter(({ code }) => code.toUpperCase() === 'KGM')).toEqual([ours])
  expect([units().find('kgm'), units().find('QQQ')?.name]).toEqual([ours, 'A new unit'])
})

test('two runs leave one version, and a new code of the same day is added to it', async () => {
  tell(['0106.99', 'Snails, live'])
  await refresh()
  const before = products()
  await refresh()
  expect(await kept()).toHaveLength(1)
  expect(products()).toBe(before)
  tell(['0106.98', 'Bees'])
  await refresh()
  expect(added().map(({ code }) => code)).toEqual(['0106.99', '0106.98'])
  expect(await kept()).toHaveLength(1)
})

test('codes that the authority drops stay, because drafts and items may use them', async () => {
  tell(['0106.99', 'Snails, live'])
  await refresh()
  tell(['0106.98', 'Bees'])
  app.clock.advance({ days: 1 })
  await refresh()
  expect(added().map(({ code }) => code)).toEqual(['0106.99', '0106.98'])
  expect((await kept()).map(({ version }) => version)).toEqual(['authority-2026-11-15', 'authority-2026-11-16'])
  app.clock.advance({ days: -1 })
})

test.each(['down', 'nonsense', 'truncated', 'error', 'busy'] as const)(
  'if the authority is %s, the last good copy stays, and the log reports it',
  async (fault) => {
    tell(['0106.99', 'Snails, live'])
    await refresh()
    const [before, rows, said] = [products(), await kept(), logText().length]
    tell(['0106.98', 'Bees'])
    app.authority.control.misbehave(fault)
    await refresh()
    expect(products()).toBe(before)
    expect(await kept()).toEqual(rows)
    const lines = logText()
      .slice(said)
      .split('\n')
      .filter((line) => line.includes('code_list.not_refreshed'))
    expect(lines).toHaveLength(nigeria().refreshableLists.length)
    for (const line of lines) expect(line).toMatch(/"level":"warn"/)
    app.authority.control.misbehave(undefined)
    await refresh()
    expect(added().map(({ code }) => code)).toEqual(['0106.99', '0106.98'])
  },
)

test.each([
  ['empty', []],
  ['of another form', [{ number: '0106.99', words: 'Snails' }]],
])('a list that is %s changes nothing, and the other lists are still refreshed', async (_, entries) => {
  app.authority.control.replaceList('hs-codes', entries)
  app.authority.control.replaceList('payment-means', [{ code: '77', value: 'Cowries' }])
  await refresh()
  expect((await kept()).map(({ type }) => type)).toEqual(['payment-means'])
  expect(products().entries).toEqual(builtIn)
  expect(app.runtime.ports.codeLists.list('NG', 'payment-means').find('77')?.name).toBe('Cowries')
})

test('the lists are served as soon as the job has run', async () => {
  const { token } = await app.person()
  tell(['0106.99', 'Snails, live'])
  await refresh()
  const { data } = await app.a.get('/i/v1/invoices/hsn-codes?search=snails,%20live', { token })
  expect(data).toEqual([
    { code: '0106.99', description: 'Snails, live', category: 'Live animals and birds', suggestedTaxCategory: null },
  ])
})

test('an installation without access to an authority keeps its lists', async () => {
  const alone = await startTestApp()
  try {
    await alone.runJob('refresh-code-lists')
    expect(alone.runtime.ports.codeLists.list('NG', 'product-codes').source).toBe('built-in')
    expect(await alone.runtime.db.rows(sql`select version from code_lists`)).toEqual([])
  } finally {
    await alone.close()
  }
})
