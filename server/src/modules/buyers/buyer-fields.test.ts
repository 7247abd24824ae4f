import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startTestApp()
  person = await app.person()
  await app.openAccount(person.organisationId)
})
afterAll(() => app.close())

type Form = 'A' | 'B'
const path = '/i/v1/buyers'
const address = { line1: '1 Marina', city: 'Lagos', country: 'NG' }
const full = {
  A: { name: 'Adebayo Stores' },
  B: { partyName: 'Adebayo Stores', email: 'b@example.test', phoneNumber: '+2348012345678', postalAddress: address },
}
const text = (length: number) => 'é'.repeat(length)
/** An address of an exact length, with the longest allowed local part. */
const emailOf = (length: number) => {
  const local = 'a'.repeat(64)
  const wanted = length - local.length - 1
  let domain = ''
  while (wanted - domain.length > 60) domain += `${'d'.repeat(49)}.`
  return `${local}@${domain}${'d'.repeat(wanted - domain.length - 3)}.ng`
}
const webOf = (length: number) => `https://example.test/${'w'.repeat(length - 21)}`

/** A field, a value just inside its limit, and one just outside. */
type Limit = [field: string, inside: unknown, outside: unknown]
const addressLimits = (field: string, withLga: boolean): Limit[] => [
  [`${field}.line1`, { ...address, line1: text(255) }, { ...address, line1: text(256) }],
  [`${field}.line1`, { ...address, line1: 'x' }, { ...address, line1: '' }],
  [`${field}.line1`, address, { city: 'Lagos', country: 'NG' }],
  [`${field}.line2`, { ...address, line2: text(255) }, { ...address, line2: text(256) }],
  [`${field}.city`, { ...address, city: text(100) }, { ...address, city: text(101) }],
  [`${field}.city`, { ...address, city: 'x' }, { ...address, city: ' ' }],
  [`${field}.city`, address, { line1: '1 Marina', country: 'NG' }],
  [`${field}.state`, { ...address, state: text(100) }, { ...address, state: text(101) }],
  [`${field}.postalCode`, { ...address, postalCode: text(20) }, { ...address, postalCode: text(21) }],
  [`${field}.country`, { ...address, country: 'GH' }, { ...address, country: 'GHA' }],
  [`${field}.country`, address, { ...address, country: 'ng' }],
  // Codes in common use that ISO 3166-1 has not assigned.
  ...['UK', 'EU', 'XK', 'QQ'].map((country): Limit => [`${field}.country`, address, { ...address, country }]),
  [`${field}.country`, address, { line1: '1 Marina', city: 'Lagos' }],
  [`${field}.planet`, address, { ...address, planet: 'Mars' }],
  withLga
    ? [`${field}.lga`, { ...address, lga: text(100) }, { ...address, lga: text(101) }]
    : [`${field}.lga`, address, { ...address, lga: 'Eti-Osa' }],
]
const limits: Record<Form, Limit[]> = {
  A: [
    ['name', text(255), text(256)],
    ['name', 'x', ''],
    ['name', 'x', ' '],
    ['name', 'x', null],
    ['legalName', text(255), text(256)],
    ['email', emailOf(320), emailOf(321)],
    ['email', 'a@b.ng', 'a@'],
    ['phone', '+1234567', '+123456'],
    ['phone', '+123456789012345', '+1234567890123456'],
    ['phone', '+2348012345678', '08012345678'],
    ['partyType', 'non_profit', 'charity'],
    ['taxIdType', 'none', 'vat'],
    ['businessDescription', text(1000), text(1001)],
    ['reference', text(100), text(101)],
    ['language', 'ar', 'de'],
    ...addressLimits('address', true),
  ],
  B: [
    ['partyName', text(255), text(256)],
    ['partyName', 'x', ''],
    ['tradingName', text(255), text(256)],
    ['partyType', 'government', 'charity'],
    ['vatNumber', text(50), text(51)],
    ['registrationNumber', text(100), text(101)],
    ['email', emailOf(255), emailOf(256)],
    ['email', 'a@b.ng', null],
    ['phoneNumber', text(50), text(51)],
    ['phoneNumber', '0801 234 5678', null],
    ['website', webOf(255), webOf(256)],
    ['website', 'http://eze.ng', 'eze.ng'],
    ['notes', text(1000), text(1001)],
    ['language', 'yo', 'fr-FR'],
    ...addressLimits('postalAddress', false),
  ],
}

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const client = () => app.client(form)
  const made = (more: object = {}) => client().post(path, { token: person.token, body: { ...full[form], ...more } })
  const changed = (id: string, body: object) => client().patch(`${path}/${id}`, { token: person.token, body })

  test('every field accepts values up to its limit, returns them, and refuses longer ones', async () => {
    const { id } = (await made()).data
    for (const [field, inside, outside] of limits[form]) {
      const top = field.split('.')[0] as string
      const taken = await made({ [top]: inside })
      expect(taken.status, `${field} ${taken.text}`).toBe(201)
      expect(taken.data[top], field).toEqual(inside)
      expect((await client().get(`${path}/${taken.data.id}`, { token: person.token })).data).toEqual(taken.data)
      for (const refused of [await made({ [top]: outside }), await changed(id, { [top]: outside })]) {
        expectRefusal(refused, 'request.invalid')
        expect([refused.status, refused.body.error.code]).toEqual([400, 'VAL001'])
        expect(new Set(faultPaths(refused)), field).toEqual(new Set([field]))
      }
    }
  })

  test('missing, unknown and read-only fields are all listed', async () => {
    const required = { A: ['name'], B: ['email', 'partyName', 'phoneNumber', 'postalAddress'] }[form]
    const empty = await client().post(path, { token: person.token, body: {} })
    expectRefusal(empty, 'request.invalid')
    expect(faultPaths(empty)).toEqual(required)
    const status = { A: 'taxIdStatus', B: 'taxNumberStatus' }[form]
    const forbidden = { [status]: 'verified', archivedAt: null, id: 'x', colour: 'red' }
    const { id } = (await made()).data
    for (const refused of [await made(forbidden), await changed(id, forbidden)]) {
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused)).toEqual(Object.keys(forbidden).sort())
    }
  })

  test('fields that only the other form has are unknown', async () => {
    const foreign = { A: { partyName: 'x', notes: 'x' }, B: { legalName: 'x', reference: 'x', taxIdType: 'tin' } }[form]
    const refused = await made(foreign)
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused)).toEqual(Object.keys(foreign).sort())
  })

  test('a buyer has a default party type, and starts unverified', async () => {
    const reply = await made()
    const location = `${app.url}${reply.headers.get('location')}`
    expect(location).toBe(`${client().url}${path}/${reply.data.id}`)
    const words = {
      A: { taxId: null, taxIdStatus: 'unverified', taxIdType: 'none' },
      B: { taxNumber: null, taxNumberStatus: 'unverified' },
    }
    expect(reply.data).toMatchObject({
      ...full[form],
      ...words[form],
      partyType: { A: 'company', B: 'individual' }[form],
      archivedAt: null,
      createdAt: app.clock.now().toISOString(),
      updatedAt: app.clock.now().toISOString(),
    })
  })

  test('null clears optional fields, but not the name', async () => {
    const optional = {
      A: {
        legalName: 'x',
        taxId: '30000001-0001',
        email: 'a@b.ng',
        phone: '+2348012345678',
        address,
        businessDescription: 'x',
        reference: 'x',
        language: 'fr',
      },
      B: {
        tradingName: 'x',
        taxNumber: '30000002-0001',
        vatNumber: 'x',
        registrationNumber: 'x',
        website: 'https://eze.ng',
        notes: 'x',
        language: 'ha',
      },
    }[form]
    const buyer = await made(optional)
    expect(buyer.data).toMatchObject(optional)
    const nulls = Object.fromEntries(Object.keys(optional).map((field) => [field, null]))
    const cleared = await changed(buyer.data.id, nulls)
    expect(cleared.status, cleared.text).toBe(200)
    expect(cleared.data).toMatchObject({ ...full[form], ...nulls })
    expect((await made(nulls)).data).toMatchObject(nulls)
    const name = { A: 'name', B: 'partyName' }[form]
    const refused = await changed(buyer.data.id, { [name]: null })
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused)).toEqual([name])
  })

  test('an invalid or too long tax number is refused with the code of the form', async () => {
    const field = { A: 'taxId', B: 'taxNumber' }[form]
    const { id } = (await made()).data
    for (const number of ['1234', 'abc', '12345678-00011', '1'.repeat({ A: 65, B: 51 }[form]), '']) {
      for (const refused of [await made({ [field]: number }), await changed(id, { [field]: number })]) {
        expectRefusal(refused, 'request.invalid')
        expect(new Set(faultPaths(refused)), number).toEqual(new Set([field]))
      }
    }
  })
})

describe('the kind of a tax number', () => {
  const make = (body: object) => app.a.post(path, { token: person.token, body: { name: 'Kind', ...body } })
  const change = (id: string, body: object) => app.a.patch(`${path}/${id}`, { token: person.token, body })

  test('is national with a number, and none without', async () => {
    expect((await make({ taxId: '30000003-0001' })).data).toMatchObject({ taxId: '30000003-0001', taxIdType: 'tin' })
    expect((await make({})).data).toMatchObject({ taxId: null, taxIdType: 'none' })
    expect((await make({ taxIdType: 'none' })).data).toMatchObject({ taxId: null, taxIdType: 'none' })
    expect((await make({ taxId: 'RC1401999', taxIdType: 'rn' })).data).toMatchObject({ taxIdType: 'rn' })
    const longest = `GB${'1'.repeat(62)}`
    const foreign = await make({ taxId: longest, taxIdType: 'foreign' })
    expect(foreign.data).toMatchObject({ taxId: longest, taxIdType: 'foreign' })
    const refused = await make({ taxId: `${longest}1`, taxIdType: 'foreign' })
    expect(faultPaths(refused)).toEqual(['taxId'])
  })

  test('must fit the number', async () => {
    const { id } = (await make({ taxId: '30000004-0001' })).data
    for (const body of [
      { taxId: '30000005-0001', taxIdType: 'none' },
      { taxIdType: 'tin' },
      { taxId: null, taxIdType: 'rn' },
      { taxId: 'GB123456789' },
      { taxId: 'GB123456789', taxIdType: 'rn' },
      { taxId: '--', taxIdType: 'foreign' },
    ]) {
      const refused = await make(body)
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused), JSON.stringify(body)).toEqual(['taxId'])
      if (!('taxId' in body)) continue
      const unchanged = await change(id, body)
      expectRefusal(unchanged, 'request.invalid')
      expect(faultPaths(unchanged)).toEqual(['taxId'])
    }
    expect((await app.a.get(`${path}/${id}`, { token: person.token })).data).toMatchObject({ taxId: '30000004-0001' })
  })

  test('follows the number when it changes', async () => {
    const { id } = (await make({ taxId: 'GB999000111', taxIdType: 'foreign' })).data
    expect((await change(id, { taxId: '30000006-0001' })).data).toMatchObject({ taxIdType: 'tin' })
    expect((await change(id, { taxId: 'RC77', taxIdType: 'rn' })).data).toMatchObject({
      taxId: 'RC77',
      taxIdType: 'rn',
    })
    expect((await change(id, { taxIdType: 'foreign' })).data).toMatchObject({ taxId: 'RC77', taxIdType: 'foreign' })
    expect((await change(id, { taxIdType: 'none' })).data).toMatchObject({ taxId: null, taxIdType: 'none' })
    expect((await change(id, { taxId: null })).data).toMatchObject({ taxId: null, taxIdType: 'none' })
  })

  test('the party type and optional lines of an address may be null', async () => {
    const nulls = { line2: null, state: null, lga: null, postalCode: null }
    const made = await make({
      taxId: '30000007-0001',
      taxIdType: null,
      partyType: null,
      address: { ...address, ...nulls },
    })
    expect(made.status, made.text).toBe(201)
    expect(made.data).toMatchObject({ taxIdType: 'tin', partyType: 'company' })
    expect(made.data.address).toEqual(address)
    const { id } = (await make({ partyType: 'government', address: { ...address, line2: 'Floor 2' } })).data
    const changed = await change(id, { partyType: null, taxIdType: null, address: { ...address, ...nulls } })
    expect(changed.data).toMatchObject({ partyType: 'company', taxIdType: 'none' })
    expect(changed.data.address).toEqual(address)
  })
})

test('fields of one form are kept when the other form edits', async () => {
  const { token } = person
  const inB = {
    ...full.B,
    tradingName: 'Ade',
    vatNumber: 'V1',
    registrationNumber: 'R1',
    website: 'https://ade.ng',
    notes: 'n',
  }
  const { id } = (await app.b.post(path, { token, body: inB })).data
  await app.a.patch(`${path}/${id}`, { token, body: { legalName: 'Adebayo Ltd', reference: 'C-1', phone: null } })
  expect((await app.b.get(`${path}/${id}`, { token })).data).toMatchObject({ ...inB, phoneNumber: null })
  await app.b.patch(`${path}/${id}`, { token, body: { notes: 'm', partyName: 'Ade' } })
  expect((await app.a.get(`${path}/${id}`, { token })).data).toMatchObject({
    name: 'Ade',
    legalName: 'Adebayo Ltd',
    reference: 'C-1',
    partyType: 'individual',
    address,
  })
  const row = await app.runtime.db.one(sql`select notes, trading_name from buyers where id = ${id}`)
  expect(row).toEqual({ notes: 'm', tradingName: 'Ade' })
})
