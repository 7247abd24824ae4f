import { afterEach, beforeEach, expect, test } from 'vitest'
import { validationFailed } from './envelope.ts'
import { failed, failureIn, startClient, type TestClient } from './test-client.ts'

const id = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'
const others = ['0197a3b0-1111-7000-8000-00000000000a', '0197a3b0-2222-7000-8000-00000000000b']

let clock = Date.parse('2026-11-15T09:30:00Z')
let client: TestClient
beforeEach(async () => {
  client = await startClient({
    now: () => {
      clock += 1_000
      return new Date(clock)
    },
  })
})
afterEach(() => client[Symbol.asyncDispose]())

interface Entity {
  readonly id: string
  readonly reference: string
  readonly businesses: readonly { id: string; name: string; tin: string; irn_template: string }[]
}
const entity = async (of: string) => (await client.get(`/api/v1/entity/${of}`)).json().data as unknown as Entity
const found = async (query = '') => {
  const { items, ...rest } = (await client.get(`/api/v1/entity${query}`)).json().data as { items: Entity[] | null }
  return { ids: items?.map((item) => item.id) ?? null, ...rest } as { ids: string[] | null; page: object }
}

test('an id is an entity with one business', async () => {
  const answer = await client.get(`/api/v1/entity/${id}`)
  expect(answer.status).toBe(200)
  expect(answer.json()).toMatchObject({ code: 200, data: { id, custom_settings: null, is_active: true } })
  const { businesses } = await entity(id)
  expect(businesses).toEqual([
    expect.objectContaining({
      id,
      name: expect.stringMatching(/^[A-Z ]+$/),
      tin: expect.stringMatching(/^\d{8}-0001$/),
      support_peppol: true,
      irn_template: expect.stringMatching(
        /^\{\{invoice_id\(e\.g:INV00XXX\)}}-5985[A-F0-9]{4}-\{\{YYYYMMDD\(e\.g:20250629\)}}$/,
      ),
    }),
  ])
})

test('the same id is the same entity, here and at another authority', async () => {
  const { businesses } = await entity(id)
  expect((await entity(id.toUpperCase())).businesses).toEqual(businesses)
  await using another = await startClient()
  const there = (await another.get(`/api/v1/entity/${id}`)).json().data as unknown as Entity
  expect(there.businesses[0]).toMatchObject({
    name: businesses[0]?.name,
    tin: businesses[0]?.tin,
    irn_template: businesses[0]?.irn_template,
  })
})

test('different ids are different entities', async () => {
  const all = await Promise.all([id, ...others].map(entity))
  for (const field of ['reference', 'tin', 'irn_template'] as const)
    expect(new Set(all.map((one) => (field === 'reference' ? one.reference : one.businesses[0]?.[field]))).size).toBe(3)
})

test('its tax id is known, and on the network', async () => {
  const tin = (await entity(id)).businesses[0]?.tin
  expect((await client.post('/api/v1/utilities/verify-tin/', { tin })).status).toBe(200)
  const { data } = (await client.get(`/api/v1/invoice/transmit/lookup/tin/${tin}`)).json()
  expect(data).toMatchObject({ tin, is_active: true })
})

test('an id that ends in 0000 is nobody, and leaves no trace', async () => {
  const error = { handler: 'entity_actions', details: 'record not found', public_message: 'entity not found' }
  expect(failureIn(await client.get('/api/v1/entity/6cd4ee57-5985-4e0f-8f3c-5b8c1f4c0000'))).toEqual(failed(404, error))
  expect((await found()).ids).toBeNull()
})

test.each([
  ['6cd4ee57-5985', 'invalid UUID length: 13'],
  ['6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d1g', 'invalid UUID format'],
  ['6cd4ee575985-4e0f-8f3c-5b8c1f4c7d11a-', 'invalid UUID length: 37'],
])('%s is no UUID', async (text, details) => {
  const error = { handler: 'entity_actions', details, public_message: validationFailed }
  expect(failureIn(await client.get(`/api/v1/entity/${text}`))).toEqual(failed(400, error))
})

test('a search that finds nothing says null', async () => {
  expect((await client.get('/api/v1/entity')).json()).toEqual({
    code: 200,
    data: {
      items: null,
      page: { page: 1, size: 10, hasNextPage: false, hasPreviousPage: false, totalCount: 0 },
      attributes: null,
    },
  })
})

test('a search finds those who were asked for, a page at a time', async () => {
  const [first, second] = others
  const { reference } = await entity(id)
  await entity(first as string)
  await entity(second as string)
  await entity(id)
  expect(await found()).toMatchObject({ ids: [id, first, second], page: { totalCount: 3, hasNextPage: false } })
  expect(await found('?size=2')).toEqual({
    ids: [id, first],
    page: { page: 1, size: 2, hasNextPage: true, hasPreviousPage: false, totalCount: 3 },
    attributes: null,
  })
  expect(await found('?size=2&page=2')).toMatchObject({
    ids: [second],
    page: { page: 2, hasNextPage: false, hasPreviousPage: true },
  })
  expect((await found('?page=9')).ids).toBeNull()
  expect((await found('?sort_by=id')).ids).toEqual([first, second, id])
  expect((await found('?sort_by=created_at&sort_direction_desc=true')).ids).toEqual([second, first, id])
  expect((await found('?sort_by=nothing')).ids).toEqual([id, first, second])
  expect((await found(`?reference=${reference}`)).ids).toEqual([id])
  expect((await found('?reference=nobody')).ids).toBeNull()
})

test.each(['size=0', 'size=-1', 'page=x', 'page=1.5', 'size=9999999'])('%s is refused', async (query) => {
  expect(failureIn(await client.get(`/api/v1/entity?${query}`))).toMatchObject({
    status: 400,
    error: { details: expect.stringMatching(/must be a positive number/) },
  })
})
