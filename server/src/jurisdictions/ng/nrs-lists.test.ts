import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthoritySimulator, startAuthoritySimulator } from '../../../../simulators/src/authority/index.ts'
import { outbound } from '../../../../test/harness/outbound.ts'
import { StubServer } from '../../../../test/harness/stub-server.ts'
import { type Authority, AuthorityUnavailable, type CodeEntry, type ListType } from '../port.ts'
import { nrsAuthority } from './nrs-client.ts'
import { listPath } from './nrs-lists.ts'

const keys = { apiKey: 'key', apiSecret: 'secret' }
const patience = new AbortController().signal
const stub = new StubServer()
let simulator: AuthoritySimulator
let authority: Required<Authority>
let stubbed: Required<Authority>

beforeAll(async () => {
  simulator = await startAuthoritySimulator(keys)
  await stub.start()
  authority = nrsAuthority({ outbound, ...keys, baseUrl: simulator.url })
  stubbed = nrsAuthority({ outbound, ...keys, baseUrl: stub.url })
})
afterAll(async () => {
  await simulator.close()
  await stub[Symbol.asyncDispose]()
})

function entriesFrom(type: ListType, items: unknown): Promise<CodeEntry[]> {
  stub.answer = () => ({ body: { code: 200, data: items } })
  return stubbed.readList(type, patience)
}

test.each<[ListType, string, object, CodeEntry]>([
  [
    'countries',
    'countries',
    { name: 'Nigeria', alpha_2: 'NG', alpha_3: 'NGA', country_code: '566', region: 'Africa' },
    { code: 'NG', name: 'Nigeria', facts: { alpha3: 'NGA', numeric: '566' } },
  ],
  ['countries', 'countries', { name: 'Nigeria', alpha_2: 'NG' }, { code: 'NG', name: 'Nigeria' }],
  [
    'currencies',
    'currencies',
    { symbol: '₦', name: 'Nigerian Naira', decimal_digits: 2, code: 'NGN' },
    { code: 'NGN', name: 'Nigerian Naira', facts: { decimals: 2 } },
  ],
  ['currencies', 'currencies', { name: 'Yen', decimal_digits: 'none', code: 'JPY' }, { code: 'JPY', name: 'Yen' }],
  ['currencies', 'currencies', { name: 'Yen', decimal_digits: null, code: 'JPY' }, { code: 'JPY', name: 'Yen' }],
  [
    'invoice-types',
    'invoice-types',
    { code: '381', value: 'Commercial Invoice' },
    { code: '381', name: 'Commercial Invoice' },
  ],
  [
    'invoice-types',
    'invoice-types',
    { code: 381, value: 'Commercial Invoice' },
    { code: '381', name: 'Commercial Invoice' },
  ],
  ['payment-means', 'payment-means', { code: '10', value: 'Cash' }, { code: '10', name: 'Cash' }],
  ['service-codes', 'services-codes', { code: '0111', description: 'Cereals' }, { code: '0111', name: 'Cereals' }],
  ['product-codes', 'hs-codes', { hscode: '0101.21', description: 'Horses' }, { code: '0101.21', name: 'Horses' }],
  [
    'tax-exemptions',
    'vat-exemptions',
    {
      heading_no: '07.01',
      harmonized_system_code: '0701.9000',
      tariff_category: 'FOOD',
      tariff: 'Others',
      description: 'Potatoes',
    },
    { code: '0701.9000', name: 'Potatoes: Others', category: 'FOOD' },
  ],
  [
    'tax-exemptions',
    'vat-exemptions',
    { harmonized_system_code: '0701.9000', tariff_category: '', tariff: 'Others', description: '' },
    { code: '0701.9000', name: 'Others' },
  ],
  ['units', 'invoice-quantity-codes', { code: 'EA', name: 'each', description: 'One' }, { code: 'EA', name: 'each' }],
  ['states', 'states', { name: 'Lagos', code: 'NG-LA' }, { code: 'NG-LA', name: 'Lagos' }],
  [
    'lgas',
    'lgas',
    { name: 'Epe', code: 'NG-LA-EPE', state_code: 'NG-LA' },
    { code: 'NG-LA-EPE', name: 'Epe', category: 'NG-LA' },
  ],
])('%s are read from the list %s, with entries such as %j', async (type, name, item, entry) => {
  expect(listPath(type)).toBe(`/api/v1/invoice/resources/${name}`)
  simulator.control.replaceList(name, [item as Record<string, unknown>])
  expect(await authority.readList(type, patience)).toEqual([entry])
})

test.each([
  ['7.5', '7.5'],
  [' 7.50 ', '7.5'],
  ['0.0', '0'],
  ['0', '0'],
  [7.5, '7.5'],
  [0, '0'],
  ['5%', undefined],
  ['Not Available', undefined],
  ['', undefined],
  [null, undefined],
  [true, undefined],
  ['-5', undefined],
  ['1e3', undefined],
  ['7,5', undefined],
  ['Infinity', undefined],
])('a percentage of %j is read as %j', async (percent, kept) => {
  const [entry] = await entriesFrom('tax-categories', [{ code: 'X', value: 'x', percent }])
  expect(entry).toEqual({ code: 'X', name: 'x', ...(kept === undefined ? {} : { facts: { percent: kept } }) })
})

/** A list with only invalid entries is rejected, so each has one valid entry. */
const clean = { hscode: '9999.99', harmonized_system_code: '9999.9999', description: 'clean' }

describe('a product code', () => {
  test.each([
    ['0101.21', '0101.21'],
    [' 8708.30 ', '8708.30'],
    ['8708. 30', '8708.30'],
    ['303.80', '0303.80'],
    ['010121', '0101.21'],
    ['8471', '8471'],
    ['8471.3', undefined],
    ['8471.300', undefined],
    ['8471.3000', undefined],
    ['30380', undefined],
    ['303', undefined],
    ['03.80', undefined],
    ['030.80', undefined],
    ['0012', undefined],
    ['44810.21', undefined],
    ['3104.20-30', undefined],
    ['3104.20-3104.30', undefined],
    ['3104,20', undefined],
    ['٠١٠١.٢١', undefined],
    ['n/a', undefined],
    ['', undefined],
    [null, undefined],
    [{}, undefined],
  ])('%j is read as %j', async (hscode, code) => {
    const entries = await entriesFrom('product-codes', [{ hscode, description: 'x' }, clean])
    expect(entries.slice(0, -1)).toEqual(code === undefined ? [] : [{ code, name: 'x' }])
  })
})

describe('an exemption', () => {
  test.each([
    ['0204.3000', '0204.3000'],
    ['8708.3900 ', '8708.3900'],
    ['303.8000', '0303.8000'],
    ['02043000', '0204.3000'],
    ['3104.1000-3000', undefined],
    ['3005.100', undefined],
    ['3005100', undefined],
    ['44810.2100', undefined],
    ['0204.30', undefined],
    ['0204', undefined],
  ])('%j is read as %j', async (harmonized_system_code, code) => {
    const entries = await entriesFrom('tax-exemptions', [{ harmonized_system_code, description: 'x' }, clean])
    expect(entries.slice(0, -1)).toEqual(code === undefined ? [] : [{ code, name: 'x' }])
  })
})

describe('the list of units', () => {
  test.each<[string, unknown[], CodeEntry[]]>([
    ['surrounding blanks are removed', [{ code: ' EA\n', name: '\teach  one ' }], [{ code: 'EA', name: 'each one' }]],
    [
      'the first of two equal codes stays',
      [
        { code: 'EA', name: 'each' },
        { code: 'BX', name: 'box' },
        { code: 'EA ', name: 'every' },
        { code: 'ea', name: 'any' },
      ],
      [
        { code: 'EA', name: 'each' },
        { code: 'BX', name: 'box' },
      ],
    ],
    [
      'entries without a code or a name are left out',
      [
        { code: 'A' },
        { code: 'B', name: ' ' },
        { name: 'c' },
        { code: '', name: 'd' },
        { code: null, name: 'e' },
        { code: 'F', name: ['f'] },
        { code: 'x'.repeat(65), name: 'long' },
        null,
        'G',
        7,
        ['H'],
        { code: 'EA', name: 'each' },
      ],
      [{ code: 'EA', name: 'each' }],
    ],
    [
      'an entry with a name replaces a nameless one',
      [
        { code: 'EA', name: '' },
        { code: 'EA', name: 'each' },
      ],
      [{ code: 'EA', name: 'each' }],
    ],
    [
      'characters that no database holds are replaced',
      [
        { code: 'E\u0000A', name: 'ea\u0000ch\ud800' },
        { code: 'B', name: 'b' },
      ],
      [
        { code: 'E A', name: 'ea ch\ufffd' },
        { code: 'B', name: 'b' },
      ],
    ],
    ['long names are cut', [{ code: 'EA', name: 'x'.repeat(5_000) }], [{ code: 'EA', name: 'x'.repeat(1_000) }]],
    ['an empty list stays empty', [], []],
  ])('%s', async (_, items, entries) => {
    expect(await entriesFrom('units', items)).toEqual(entries)
  })
})

test('null, which the authority sends for an empty list, is read as an empty list', async () => {
  simulator.control.replaceList('states', [])
  expect(await authority.readList('states', patience)).toEqual([])
})

test.each([[[{ kode: 'EA' }]], [[null]], [{ items: [] }], ['EA'], [7]])(
  '%j is not accepted as a list',
  async (data) => {
    await expect(entriesFrom('units', data)).rejects.toThrow(AuthorityUnavailable)
  },
)

test('a list with more than 100,000 entries is not accepted', async () => {
  const items = (count: number) => `{"code":200,"data":[{"code":"EA","name":"each"}${',{}'.repeat(count - 1)}]}`
  stub.answer = () => ({ body: items(100_001) })
  await expect(stubbed.readList('units', patience)).rejects.toThrow(AuthorityUnavailable)
  stub.answer = () => ({ body: items(100_000) })
  expect(await stubbed.readList('units', patience)).toEqual([{ code: 'EA', name: 'each' }])
})

test('a list may be larger than other answers', async () => {
  const items = Array.from({ length: 20_000 }, (_, at) => ({ code: `C${at}`, name: `name of the code ${at}` }))
  expect(JSON.stringify(items).length).toBeGreaterThan(256 * 1024)
  expect(await entriesFrom('units', items)).toHaveLength(20_000)
})
