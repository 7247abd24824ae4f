import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startTestApp()
  person = await app.person()
})
afterAll(() => app.close())

const path = '/i/v1/items'
const goods = {
  name: 'Broiler',
  itemType: 'goods',
  hsnCode: '0105.11',
  productCategory: 'Poultry',
  unitCode: 'EA',
  unitPriceMinor: '350000',
  currency: 'NGN',
  taxCategory: 'STANDARD_VAT',
}
const { hsnCode: _, ...withoutCode } = goods
const service = { ...withoutCode, name: 'Rice farming', itemType: 'service', serviceCode: '0112' }

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const create = (body: unknown) => app.client(form).post(path, { token: person.token, body })
  const made = async (body: object) => {
    const reply = await create(body)
    expect(reply.status, reply.text).toBe(201)
    const read = await app.client(form).get(`${path}/${reply.data.id}`, { token: person.token })
    expect(read.data, 'what was made is what is read').toEqual(reply.data)
    return reply
  }
  const refused = async (body: unknown) => {
    const reply = await create(body)
    expectRefusal(reply, 'request.invalid')
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VAL001'])
    return faultPaths(reply)
  }

  test('an item is saved with its fields, and a use count of zero', async () => {
    const reply = await made({ ...goods, description: 'Day old', sku: `S-${form}` })
    expect(reply.headers.get('location')).toContain(`${path}/${reply.data.id}`)
    expect(reply.data).toEqual({
      ...goods,
      id: expect.any(String),
      description: 'Day old',
      serviceCode: null,
      sku: `S-${form}`,
      useCount: 0,
      lastUsedAt: null,
      createdAt: app.clock.now().toISOString(),
      updatedAt: app.clock.now().toISOString(),
      archivedAt: null,
    })
  })

  test('optional fields are null if absent or null', async () => {
    const nothing = { description: null, serviceCode: null, sku: null }
    expect((await made(goods)).data).toMatchObject(nothing)
    expect((await made({ ...goods, ...nothing })).data).toMatchObject(nothing)
    expect((await made(service)).data).toMatchObject({ serviceCode: '0112', hsnCode: null })
    expect((await made({ ...service, hsnCode: null })).data.hsnCode).toBeNull()
  })

  test.each([
    ['name', 255],
    ['description', 1000],
    ['productCategory', 500],
    ['sku', 64],
  ])('%s has at most %i characters', async (field, most) => {
    const longest = `${form}${'é'.repeat(most - 1)}`
    expect((await made({ ...goods, [field]: longest })).data[field]).toBe(longest)
    expect(await refused({ ...goods, [field]: `${longest}e` })).toEqual([field])
  })

  test.each(['name', 'productCategory', 'sku', 'unitCode', 'taxCategory', 'hsnCode'])(
    '%s is not empty',
    async (field) => {
      for (const blank of ['', '   '])
        expect(new Set(await refused({ ...goods, [field]: blank }))).toEqual(new Set([field]))
    },
  )

  test('a single letter is enough for texts', async () => {
    expect((await made({ ...goods, name: 'x', productCategory: 'y' })).data).toMatchObject({
      name: 'x',
      productCategory: 'y',
    })
  })

  test('all missing fields are listed', async () => {
    const needed = ['currency', 'itemType', 'name', 'productCategory', 'taxCategory', 'unitCode', 'unitPriceMinor']
    expect(await refused({})).toEqual(needed)
    for (const field of needed) expect(await refused({ ...goods, [field]: null }), field).toContain(field)
  })

  test('fields that no item has are refused by name', async () => {
    expect(await refused({ ...goods, colour: 'red', useCount: 5 })).toEqual(['colour', 'useCount'])
    for (const body of ['[]', '"goods"', 'null', '{']) expect((await create(body)).status).toBe(400)
  })

  test('goods need a product code, services a service code, and each refuses the other', async () => {
    expect(await refused(withoutCode)).toEqual(['hsnCode'])
    expect(await refused({ ...goods, hsnCode: null })).toEqual(['hsnCode'])
    expect(await refused({ ...goods, serviceCode: '0112' })).toEqual(['serviceCode'])
    expect(await refused({ ...withoutCode, itemType: 'service' })).toEqual(['serviceCode'])
    expect(await refused({ ...service, hsnCode: '0105.11' })).toEqual(['hsnCode'])
    expect(await refused({ ...goods, itemType: 'service' })).toEqual(['hsnCode', 'serviceCode'])
    for (const itemType of ['product', 'GOODS', '', 1])
      expect(new Set(await refused({ ...goods, itemType }))).toEqual(new Set(['itemType']))
  })

  test('all unknown codes are listed', async () => {
    const unknown = { unitCode: 'NOUNIT', currency: 'QQQ', taxCategory: 'LUCK_TAX' }
    expect(await refused({ ...goods, ...unknown, hsnCode: '9999.99' })).toEqual([
      'currency',
      'hsnCode',
      'taxCategory',
      'unitCode',
    ])
    expect(await refused({ ...service, ...unknown, serviceCode: '0000' })).toEqual([
      'currency',
      'serviceCode',
      'taxCategory',
      'unitCode',
    ])
    expect(await refused({ ...goods, currency: 'NG' })).toEqual(['currency'])
    expect(await refused({ ...goods, currency: 'NGNN' })).toEqual(['currency'])
  })

  test('property names of JavaScript objects are not tax categories', async () => {
    for (const taxCategory of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
      expect(await refused({ ...goods, taxCategory }), taxCategory).toEqual(['taxCategory'])
  })

  test.each([
    ['standard', 'STANDARD_VAT'],
    ['zero', 'ZERO_VAT'],
    ['exempt', 'EXEMPTED'],
    ['Standard', 'STANDARD_VAT'],
    ['zero_vat', 'ZERO_VAT'],
  ])('the tax category %s is saved as %s', async (said, stored) => {
    expect((await made({ ...goods, taxCategory: said })).data.taxCategory).toBe(stored)
  })

  test('codes are saved as their lists spell them', async () => {
    for (const hsnCode of ['010511', '0105.11', ' 0105 11', '01.05.11'])
      expect((await made({ ...goods, hsnCode })).data.hsnCode).toBe('0105.11')
    expect((await made({ ...goods, unitCode: 'kgm', currency: 'usd' })).data).toMatchObject({
      unitCode: 'KGM',
      currency: 'USD',
    })
  })

  test.each([
    ['0', '0'],
    ['0.01', '0.01'],
    ['1.25', '1.25'],
    ['1.5', '1.5'],
    ['1.50', '1.5'],
    ['120.00', '120'],
    ['100', '100'],
    ['99999999999999.99', '99999999999999.99'],
    ['100000000000000', '100000000000000'],
    ['100000000000000.00', '100000000000000'],
  ])('a price of %s is exactly %s', async (said, stored) => {
    expect((await made({ ...goods, unitPriceMinor: said })).data.unitPriceMinor).toBe(stored)
  })

  test.each([
    '1.255',
    '100000000000000.01',
    '100000000000001',
    '1000000000000000',
    '-1',
    '-0',
    '+1',
    '1e3',
    '0x10',
    '01',
    '00',
    '.5',
    '1.',
    '1,000',
    '1 000',
    ' 1',
    '1\n',
    '١',
    'NaN',
    '',
    350000,
    1.25,
    null,
    true,
  ])('a price of %j is refused', async (unitPriceMinor) => {
    expect(new Set(await refused({ ...goods, unitPriceMinor }))).toEqual(new Set(['unitPriceMinor']))
  })
})
