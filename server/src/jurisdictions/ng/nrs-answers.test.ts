import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { outbound } from '../../../../test/harness/outbound.ts'
import { type StubAnswer, StubServer } from '../../../../test/harness/stub-server.ts'
import { type Authority, AuthorityUnavailable } from '../port.ts'
import { nrsAuthority } from './nrs-client.ts'

const keys = { apiKey: '3f0c7a52-5d0e-4b7e-9d55-0f3f5a1f2b10', apiSecret: 'secret-that-nobody-may-read' }
const entityId = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'
const patience = new AbortController().signal
const stub = new StubServer()
let authority: Required<Authority>

beforeAll(() => stub.start())
afterAll(() => stub[Symbol.asyncDispose]())
beforeEach(() => {
  authority = nrsAuthority({ outbound, ...keys, baseUrl: stub.url })
})

const says = (answer: StubAnswer): void => {
  stub.answer = () => answer
}
const yes = (data: unknown): void => says({ body: { code: 200, data } })
const no = (status: number, error: object | undefined, code = status): void =>
  says({ status, body: { code, data: null, message: 'error has occurred', error } })

const questions: Readonly<Record<string, () => Promise<unknown>>> = {
  findTaxpayer: () => authority.findTaxpayer('201982220002', patience),
  findNetworkEntry: () => authority.findNetworkEntry('201982220002', patience),
  findBusiness: () => authority.findBusiness(entityId, entityId, patience),
  readList: () => authority.readList('product-codes', patience),
}
const ask = (method: string): Promise<unknown> => questions[method]?.() as Promise<unknown>

async function reasonOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => new Error('it answered'),
    (reason: Error) => reason,
  )
  expect(error).toBeInstanceOf(AuthorityUnavailable)
  expect(error.message.length).toBeLessThan(120)
  for (const hidden of [...Object.values(keys), 'from the body']) expect(error.message).not.toContain(hidden)
  return error.message
}

describe('an answer that means "unknown tax number"', () => {
  test.each([
    [404, 'taxpayer not found', 'record not found'],
    [404, 'error', undefined],
    [400, 'TIN not found', undefined],
    [400, 'validation failed: we are unable to process your request', 'tin 20198222-0002 not found'],
    [400, 'validation failed', 'Taxpayer record does not exist'],
    [400, 'TIN number could not be found', undefined],
    [400, 'no taxpayer found', undefined],
    [400, 'no such Tax ID', undefined],
  ])('%i %j %j', async (status, public_message, details) => {
    no(status, { public_message, details })
    expect(await authority.findTaxpayer('201982220002', patience)).toBeUndefined()
  })
})

describe('an answer that does not mean "unknown tax number"', () => {
  test.each([
    [400, 'validation failed: we are unable to process your request. also confirm this is not a duplicate', undefined],
    [400, 'validation failed', 'tin is required'],
    [400, 'validation failed', 'tin is not a valid tax identification number'],
    [400, 'validation failed', 'no tin provided'],
    [400, 'tin service not found', undefined],
    [400, 'webhook url not found', undefined],
    [400, 'validation failed', 'record not found'],
    [400, 'unable to validate api key', 'taxpayer not found'],
    [400, 'unable to complete this operation at this time, kindly try again later', 'tin not found'],
    [404, 'unable to complete this operation at this time', 'tin not found'],
    [404, 'Unable to validate API key', 'record not found'],
    [400, 'validation failed', { tin: 'tin not found' }],
  ])('%i %j %j', async (status, public_message, details) => {
    no(status, { public_message, details })
    await reasonOf(authority.findTaxpayer('201982220002', patience))
  })
})

test('an answer with a very long text is read in linear time', async () => {
  // Other work on the machine takes no computing time of this process.
  const started = process.cpuUsage()
  for (const details of [`tin ${'1'.repeat(200_000)}`, 'tin '.repeat(50_000), `tin${' '.repeat(200_000)}not found`]) {
    no(400, { public_message: 'validation failed', details })
    await reasonOf(authority.findTaxpayer('201982220002', patience))
  }
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000)
})

test.each([
  ['keys', 'unable to validate api key', 'the authority refused our keys'],
  ['busy', 'unable to complete this operation at this time', 'the authority asks us to come later'],
  ['later', 'Kindly TRY AGAIN LATER', 'the authority asks us to come later'],
])('a 404 about a failure of the authority (%s) does not mean "not found"', async (_, public_message, reason) => {
  no(404, { public_message })
  for (const method of ['findTaxpayer', 'findNetworkEntry', 'findBusiness', 'readList'])
    expect(await reasonOf(ask(method))).toBe(reason)
})

const known = { tin: '20198222-0002', taxpayer_name: 'ABC' }

describe('the tax number in an answer', () => {
  test.each([
    ['201982220002', { tin: '20198222-0002' }],
    ['201982220002', { tin: ' 201982220002 ' }],
    ['1234567890', { tin: '20198222-0002', jtb_tin: '1234567890' }],
    ['RN-1401999', { tin: '20198222-0002', rc_number: 'RC1401999' }],
    ['RN-1401999', { tin: 'rn-1401999' }],
    ['RN-1234567890', { tin: 'RN-1234567890' }],
  ])('matches the number asked for: %s, %j', async (taxId, own) => {
    yes({ ...known, ...own })
    expect(await authority.findTaxpayer(taxId, patience)).toMatchObject({ taxId, name: 'ABC' })
  })

  test.each([
    ['201982220002', { tin: '20198222-0003' }],
    ['201982220002', { tin: '' }],
    ['201982220002', { tin: null }],
    ['201982220002', { tin: undefined }],
    ['1234567890', { tin: '20198222-0002', jtb_tin: '1234567891' }],
    ['1234567890', { tin: '20198222-0002', rc_number: '1234567890' }],
    ['1234567890', { tin: 'RN-1234567890' }],
    ['RN-1401999', { tin: '20198222-0002', rc_number: '1401998' }],
    ['RN-1234567890', { tin: '1234567890' }],
  ])('differs from the number asked for: %s, %j', async (taxId, own) => {
    yes({ ...known, ...own })
    expect(await reasonOf(authority.findTaxpayer(taxId, patience))).toBe('the authority answered about another number')
  })

  test('must be the number asked for in answers of the network too', async () => {
    yes({ tin: '20198222-0003', is_active: true, app_name: 'Oke' })
    expect(await reasonOf(ask('findNetworkEntry'))).toBe('the authority answered about another number')
  })
})

test('each text of a taxpayer becomes one clean line, or undefined if nothing is left', async () => {
  yes({
    ...known,
    taxpayer_name: ' ABC\u0000\n AND\u202e\ud800 XYZ ',
    address: ' \t',
    email: null,
    phone: '0601\u200b2',
  })
  expect(await ask('findTaxpayer')).toEqual({
    taxId: '201982220002',
    name: 'ABC AND\ufffd XYZ',
    address: undefined,
    email: undefined,
    phone: '06012',
  })
})

test.each([{ taxpayer_name: 7 }, { address: {} }, { email: ['a'] }, { taxpayer_name: 'x'.repeat(3_000) }])(
  'a taxpayer with %j is not accepted as an answer',
  async (own) => {
    yes({ ...known, ...own })
    expect(await reasonOf(ask('findTaxpayer'))).toMatch(/^the authority answered in another form than it should, at \//)
  },
)

test.each([
  [
    { is_active: true, app_name: ' Oke ' },
    { reachable: true, provider: 'Oke' },
  ],
  [
    { is_active: true, app_name: '' },
    { reachable: true, provider: undefined },
  ],
  [{ is_active: true }, { reachable: true, provider: undefined }],
  [
    { is_active: false, app_name: 'Oke' },
    { reachable: false, provider: 'Oke' },
  ],
])('the network entry %j is %j', async (own, entry) => {
  yes({ tin: '20198222-0002', ...own })
  expect(await ask('findNetworkEntry')).toEqual(entry)
})

test.each([{}, { is_active: 'true' }, { is_active: null }, { is_active: true, app_name: 3 }])(
  'the network entry %j is not accepted as an answer',
  async (own) => {
    yes({ tin: '20198222-0002', ...own })
    await reasonOf(ask('findNetworkEntry'))
  },
)

const business = { id: entityId, name: ' Zuma  Farms ', tin: '29445920-4211', irn_template: 'X-59854B81-Y' }

test.each([
  [[business], { id: entityId, name: 'Zuma Farms', taxId: '294459204211', numberTemplate: 'X-59854B81-Y' }],
  [[{ id: 'other' }, { ...business, tin: 'TIN-0099990001' }], { taxId: 'TIN-0099990001' }],
  [[{ ...business, tin: 'rn-12' }], { taxId: 'RN-12' }],
])('among the businesses %j, ours is %j', async (businesses, found) => {
  yes({ id: entityId, businesses })
  expect(await ask('findBusiness')).toMatchObject(found)
})

test.each([[null], [undefined], [[]], [[{ id: 'other' }]]])(
  'among the businesses %j, ours is missing',
  async (businesses) => {
    yes({ id: entityId, businesses })
    expect(await ask('findBusiness')).toBeUndefined()
  },
)

test.each([
  ['another entity', { id: 'other', businesses: [business] }],
  ['no template', { id: entityId, businesses: [{ ...business, irn_template: '' }] }],
  ['no name', { id: entityId, businesses: [{ ...business, name: undefined }] }],
  ['businesses without id', { id: entityId, businesses: [{}] }],
  ['no entity', null],
])('an entity with %s is not accepted as an answer', async (_, data) => {
  yes(data)
  await reasonOf(ask('findBusiness'))
})

test.each<[string, StubAnswer, boolean]>([
  ['500', { status: 500, body: '' }, true],
  ['a web page', { body: '<p>Welcome</p>' }, true],
  ['429', { status: 429, body: '' }, false],
])('the result says whether %s counts against the health of the authority', async (_, answer, countsAgainstHealth) => {
  for (const method of Object.keys(questions)) {
    says(answer)
    await expect(ask(method)).rejects.toMatchObject({ countsAgainstHealth })
  }
})

test('a message that the authority also uses for duplicates does not count as an outage', async () => {
  for (const method of Object.keys(questions)) {
    no(400, { public_message: 'unable to complete this operation at this time, kindly try again later' })
    await expect(ask(method)).rejects.toMatchObject({ name: 'AuthorityUnavailable', countsAgainstHealth: false })
    no(400, { public_message: 'unable to validate api key' })
    await expect(ask(method)).rejects.toMatchObject({ countsAgainstHealth: false })
  }
})

test('a business whose entity is unknown is searched among all entities that we can read', async () => {
  const found = { id: entityId, name: 'ZUMA', tin: '20198222-0002', irn_template: '{{a}}-59854B81-{{b}}' }
  const paths: string[] = []
  stub.answer = ({ path }) => {
    paths.push(path)
    if (path === `/api/v1/entity/${entityId}`)
      return { status: 404, body: { code: 404, data: null, error: { public_message: 'entity not found' } } }
    const isLast = path.endsWith('page=2')
    const items = isLast ? [{ id: 'other', businesses: [found] }] : null
    return { body: { code: 200, data: { items, page: { hasNextPage: !isLast } } } }
  }
  expect(await authority.findBusiness(entityId, entityId, patience)).toMatchObject({ id: entityId, name: 'ZUMA' })
  expect(paths.slice(1)).toEqual(['/api/v1/entity?size=100&page=1', '/api/v1/entity?size=100&page=2'])
})
