import { afterEach, beforeEach, expect, test } from 'vitest'
import { listNames } from './resources/lists.ts'
import { startClient, type TestClient } from './test-client.ts'

let client: TestClient
beforeEach(async () => {
  client = await startClient()
})
afterEach(() => client[Symbol.asyncDispose]())

type Entries = readonly Readonly<Record<string, unknown>>[]
const fetched = (name: string, headers: Record<string, string> = {}) =>
  client.ask('GET', `/api/v1/invoice/resources/${name}`, { headers })
const entriesOf = async (name: string) => (await fetched(name)).json().data as unknown as Entries
const column = async (name: string, field: string) => (await entriesOf(name)).map((entry) => entry[field])

const shapes: Record<string, string> = {
  countries:
    'name alpha_2 alpha_3 country_code iso_3166_2 region sub_region intermediate_region region_code sub_region_code intermediate_region_code',
  currencies: 'symbol name symbol_native decimal_digits rounding code name_plural',
  'invoice-types': 'code value',
  'services-codes': 'code description',
  'vat-exemptions': 'heading_no harmonized_system_code tariff_category tariff description',
  'payment-means': 'code value',
  'tax-categories': 'code value percent',
  'hs-codes': 'hscode description',
  lgas: 'name code state_code',
  states: 'name code',
  'invoice-quantity-codes': 'code name description',
}

test('these are all the lists', () => {
  expect([...listNames].sort()).toEqual(Object.keys(shapes).sort())
})

test.each(Object.entries(shapes))('%s needs no keys and has the fields %s', async (name, fields) => {
  const answer = await fetched(name)
  expect([answer.status, answer.json().code]).toEqual([200, 200])
  const entries = await entriesOf(name)
  expect(entries.length).toBeGreaterThanOrEqual(12)
  expect(entries.length).toBeLessThanOrEqual(60)
  for (const entry of entries) expect(Object.keys(entry).sort()).toEqual(fields.split(' ').sort())
})

test('the codes are those of the authority', async () => {
  expect(await entriesOf('invoice-types')).toEqual(
    expect.arrayContaining([
      { code: '380', value: 'Credit Note' },
      { code: '381', value: 'Commercial Invoice' },
    ]),
  )
  expect(await entriesOf('states')).toHaveLength(37)
  expect(await column('payment-means', 'code')).toContain('ZZZ')
  expect(await column('currencies', 'code')).toContain('NGN')
  expect(await column('lgas', 'code')).toEqual(expect.arrayContaining(['NG-AB-ANO', 'NG-LA-EPE']))
  const nigeria = (await entriesOf('countries')).find(({ alpha_2 }) => alpha_2 === 'NG')
  expect(nigeria).toMatchObject({ iso_3166_2: 'ISO 3166-2:NG', country_code: '566', region_code: '002' })
})

test('the lists are as dirty as the real ones', async () => {
  const exempt = await column('vat-exemptions', 'harmonized_system_code')
  expect(exempt.filter((code) => code === '0204.3000')).toHaveLength(2)
  expect(exempt).toEqual(expect.arrayContaining(['8708.3900 ', '303.8000', '3104.1000-3000']))
  expect(await column('hs-codes', 'hscode')).toEqual(expect.arrayContaining(['8708.30 ', '303.89', '3104.20-30']))
  const percents = await column('tax-categories', 'percent')
  expect(percents.every((percent) => typeof percent === 'string')).toBe(true)
  expect(percents).toEqual(expect.arrayContaining(['7.5', '', 'Not Fixed', '5%']))
  expect(await column('services-codes', 'code')).toContain('0111')
  for (const [name, field] of [
    ['hs-codes', 'hscode'],
    ['services-codes', 'code'],
    ['lgas', 'name'],
    ['invoice-quantity-codes', 'code'],
  ] as const) {
    const texts = (await column(name, field)).map((text) => String(text).trim())
    expect(new Set(texts).size, name).toBeLessThan(texts.length)
  }
})

test.each([
  ['application/xml', true],
  ['Application/XML; charset=utf-8', true],
  ['text/html,application/xml;q=0.9,*/*;q=0.8', true],
  ['application/xml, application/json', true],
  ['application/json, application/xml', false],
  ['application/json', false],
  ['text/plain', false],
  ['*/*', false],
])('Accept: %s', async (accept, xml) => {
  const { status, headers } = await fetched('states', { accept })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe(xml ? 'application/xml; charset=utf-8' : 'application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('private')
})

const xmlOf = async (name: string) => (await fetched(name, { accept: 'application/xml' })).text

test('XML says the same, in PascalCase', async () => {
  expect(await xmlOf('states')).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Response><Data><Name>Abia<\/Name><Code>NG-AB<\/Code><\/Data><Data>/,
  )
  for (const name of listNames)
    expect((await xmlOf(name)).match(/<Data>/g), name).toHaveLength((await entriesOf(name)).length)
  expect(await xmlOf('hs-codes')).toContain('<Hscode>8708.30 </Hscode>')
  expect(await xmlOf('lgas')).toContain('<StateCode>NG-LA</StateCode>')
  expect(await xmlOf('vat-exemptions')).toContain('<HarmonizedSystemCode>3104.1000-3000</HarmonizedSystemCode>')
  expect(await xmlOf('tax-categories')).toContain('<Percent>Not Fixed</Percent>')
  expect(await xmlOf('countries')).toContain('<Alpha2>NG</Alpha2><Alpha3>NGA</Alpha3>')
  expect(await xmlOf('countries')).toContain('<Name>Côte d&#39;Ivoire</Name>')
  expect(await xmlOf('currencies')).toContain('<DecimalDigits>2</DecimalDigits>')
})

test('a list can be replaced, and what was given is not touched', async () => {
  const entries = [{ code: 'A&B <"', value: null, more: { deep: [1] }, '2nd': `bell\u0007 \ud800 🎉` }]
  client.simulator.control.replaceList('payment-means', entries)
  entries[0]!.code = 'changed later'
  expect(await entriesOf('payment-means')).toMatchObject([{ code: 'A&B <"', value: null, more: { deep: [1] } }])
  expect(await xmlOf('payment-means')).toContain(
    '<Data><Code>A&amp;B &lt;&#34;</Code><Value></Value><More>{&#34;deep&#34;:[1]}</More><_2nd>bell\ufffd \ufffd 🎉</_2nd></Data>',
  )
  expect(await entriesOf('states')).toHaveLength(37)
})

test('an empty list is null', async () => {
  client.simulator.control.replaceList('lgas', [])
  expect((await fetched('lgas')).json()).toEqual({ code: 200, data: null })
  expect(await xmlOf('lgas')).toMatch(/<Response><\/Response>$/)
})

test.each(['service-codes', 'constructor', ''])('there is no list %s to replace', (name) => {
  expect(() => client.simulator.control.replaceList(name, [])).toThrow(/no list/)
})
