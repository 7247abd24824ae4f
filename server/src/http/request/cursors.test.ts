import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { walkByCursor } from '../../../../test/harness/cursors.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../test/harness/invoices.ts'
import { formA } from '../form-a/index.ts'
import { formB } from '../form-b/index.ts'

let app: TestApp
let owner: Issuer
const drafts = 9

beforeAll(async () => {
  app = await startTestApp({ bank: true })
  owner = await issuer(app)
  const { token } = owner
  for (let at = 0; at < drafts; at++) {
    const made = await app.a.post('/i/v1/invoices', {
      token,
      body: invoiceBody.A(owner, { invoiceDate: `2026-11-0${1 + (at % 4)}` }),
    })
    expect(made.status, made.text).toBe(201)
    await app.a.post('/i/v1/buyers', { token, body: { name: `Buyer ${at}` } })
    const item = {
      name: `Item ${at}`,
      itemType: 'goods',
      unitCode: 'EA',
      unitPriceMinor: '100',
      productCategory: 'Cement',
      hsnCode: '2523.29',
      taxCategory: 'standard',
      currency: 'NGN',
    }
    await app.a.post('/i/v1/items', { token, body: item })
    await app.a.post('/a/v1/organizations/me/invitations', {
      token,
      body: { email: `i${at}@example.test`, roleId: '00000000-0000-7000-8000-000000000006' },
    })
    const further = {
      partyName: `Seller ${at}`,
      taxNumber: `4000000${at}-0001`,
      email: 's@eze.ng',
      phoneNumber: '0801',
      postalAddress: { line1: '1 Marina', city: 'Lagos', country: 'NG' },
    }
    await app.b.post('/i/v1/sellers', { token, body: further })
    await app.key(owner.organisationId)
    await app.member(owner.organisationId, 'VIEWER')
  }
  await app.quiet()
})
afterAll(() => app.close())

const written = (...cursor: unknown[]) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

/** None of them is a cursor that any list gave. */
const hostile = [
  'x',
  '%00',
  '..',
  written(),
  written('id'),
  written('id', 1),
  written('id', 'x'),
  written('id', null),
  written('id', '00000000-0000-7000-8000-000000000001', 'more'),
  written('newest', '2026-02-30T00:00:00.000000Z', '00000000-0000-7000-8000-000000000001'),
  written('newest', '2026-02-28 ago T00:00:00.000000Z', '00000000-0000-7000-8000-000000000001'),
  written('oldest', '2026-02-28 ago T00:00:00.000000Z', '00000000-0000-7000-8000-000000000001'),
  written('-createdAt', '2026-02-28 ago T00:00:00.000000Z', '00000000-0000-7000-8000-000000000001'),
  written('newest', 'infinity', '00000000-0000-7000-8000-000000000001'),
  written('-createdAt', null, null),
  written(
    '-payableMinor',
    '9223372036854775808',
    '2026-01-01T00:00:00.000000Z',
    '00000000-0000-7000-8000-000000000001',
  ),
  written('number', 'INV\0', '2026-01-01T00:00:00.000000Z', '00000000-0000-7000-8000-000000000001'),
  written('seq', '1e9'),
  written('feed', '1', '2', "3'"),
  written('at', '-1'),
  written('at', '1', '2'),
  written('name', 'x'.repeat(5_000), '00000000-0000-7000-8000-000000000001'),
  `${written('id', '00000000-0000-7000-8000-000000000001')}=`,
]

const listsOf = (form: typeof formA) =>
  form.routes
    .map(({ route }) => route)
    .filter(
      ({ method, query }) => method === 'GET' && 'after' in ((query as { properties?: object })?.properties ?? {}),
    )
    .map(({ path }) => path.replace('{orgId}', 'me'))
    .filter((path) => !path.includes('{'))

const needed: Readonly<Record<string, string>> = { '/collection/banks': 'jurisdiction=NG' }
const sizeOf = (path: string) => (path.endsWith('/collection/accounts') ? 'pageSize' : 'limit')

describe.each([
  ['A', listsOf(formA)],
  ['B', listsOf(formB)],
] as const)('form %s', (name, paths) => {
  const read = (path: string, query: Record<string, string>): Promise<Reply> => {
    const asked = new URLSearchParams(query)
    const always = Object.entries(needed).find(([one]) => path.endsWith(one))?.[1]
    return app.client(name).get(`${path}?${asked}${always ? `&${always}` : ''}`, { token: owner.token })
  }

  test('every list accepts its own cursors, and refuses others', async () => {
    expect(paths.length).toBeGreaterThan(12)
    for (const path of paths) {
      for (const after of hostile) {
        const reply = await read(path, { after })
        expect([path, after, reply.status]).toEqual([path, after, 400])
        expect(faultPaths(reply), path).toEqual(['after'])
      }
      // Events could be followed by `after` and counted pages before there were cursors of pages.
      if (path.endsWith('/webhook-events')) continue
      const valid = written('id', '00000000-0000-7000-8000-000000000001')
      expect(faultPaths(await read(path, { after: valid, page: '2' }))).not.toEqual([])
    }
  })

  test('every list read by cursor equals the whole list', async () => {
    const walkedFar: string[] = []
    for (const path of paths) {
      const size = sizeOf(path)
      const whole = await read(path, { [size]: '100' })
      expect(whole.status, `${path} ${whole.text}`).toBe(200)
      const { total, hasMore } = whole.body.meta.pagination
      const entries = Array.isArray(whole.data) ? whole.data : whole.data.items
      expect(hasMore).toBe(total > entries.length)
      if (hasMore) continue
      const walked = await walkByCursor((after) => read(path, { [size]: '2', ...(after ? { after } : {}) }))
      expect(walked, path).toEqual(entries)
      if (walked.length > 4) walkedFar.push(path)
    }
    expect(walkedFar.length).toBeGreaterThanOrEqual(8)
  })

  test.each(['createdAt', 'invoiceDate', 'invoiceNumber', 'payableMinor', 'dueDate', 'taxMinor'])(
    'invoices sorted by %s and read by cursor equal the whole list',
    async (sortBy) => {
      for (const sortOrder of ['ASC', 'DESC']) {
        const sorted = name === 'B' && sortBy !== 'createdAt' ? {} : { sortBy, sortOrder }
        const whole = await read('/i/v1/invoices', { limit: '100', ...sorted })
        const walked = await walkByCursor((after) =>
          read('/i/v1/invoices', { limit: '2', ...sorted, ...(after ? { after } : {}) }),
        )
        expect(walked).toEqual(whole.data)
        expect(walked.length).toBeGreaterThanOrEqual(drafts)
      }
    },
  )

  test('reading drafts by cursor during changes visits all of them', async () => {
    const person = await issuer(app)
    const { token } = person
    const made: string[] = []
    for (let at = 0; at < 10; at++)
      made.push((await app.a.post('/i/v1/invoices', { token, body: invoiceBody.A(person) })).data.id)
    const query = '/i/v1/invoices?status=draft&limit=3'
    const walked = await walkByCursor(
      (after) => app.client(name).get(after ? `${query}&after=${after}` : query, { token }),
      async (page) => {
        for (const { id } of page.data)
          expect((await app.a.post(`/i/v1/invoices/${id}/finalise`, { token })).status).toBe(200)
        await app.a.post('/i/v1/invoices', { token, body: invoiceBody.A(person) })
      },
    )
    expect(walked.map(({ id }) => id)).toEqual(made.toReversed())
  })
})
