import { expect, test } from 'vitest'
import { startTestApp } from '../harness/app.ts'
import { expectRefusal } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { rowsLeft } from './rows-left.ts'
import { comeBack, ok, signUp } from './telling.ts'

const mistyped = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c0000'
const business = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'
const serviceId = '94ND90NR'
const registration = '/a/v1/organizations/me/tax-registration'

interface Words {
  readonly connect: readonly ['post' | 'put', string, (businessId: string, serviceId: string) => object]
  readonly read: string
  readonly revoke: readonly ['delete' | 'post', string]
  readonly taxId: string
  readonly silent: number
}

/** The differences between the two forms. The story itself uses none of them directly. */
const tongues: Record<'A' | 'B', Words> = {
  A: {
    connect: [
      'post',
      '/i/v1/tax-connection',
      (businessId, id) => ({
        authorityIdentifiers: { businessId, serviceId: id },
        consent: { accepted: true, textVersion: '2026-11' },
      }),
    ],
    read: '/i/v1/tax-connection',
    revoke: ['delete', '/i/v1/tax-connection'],
    taxId: 'taxId',
    silent: 502,
  },
  B: {
    connect: ['put', registration, (nrsBusinessId, nrsServiceId) => ({ nrsBusinessId, nrsServiceId })],
    read: registration,
    revoke: ['post', `${registration}/revoke`],
    taxId: 'taxNo',
    silent: 400,
  },
}

/** A week in which a shop connects to the authority, through one form. */
async function tell(form: 'A' | 'B') {
  const app = await startTestApp({ authority: ['sandbox'], now: '2026-05-04T08:00:00Z' })
  try {
    const client = app.client(form)
    const { connect, read, revoke, taxId, silent } = tongues[form]
    const tunde = await signUp(app, client, 'tunde@shop.test', {
      firstName: 'Tunde',
      lastName: 'Bakare',
      organizationName: 'Bakare',
    })
    await eventually(async () =>
      expect((await ok(client.get('/i/v1/sellers', { token: tunde.token }))).data).toHaveLength(1),
    )
    const [verb, at, bodyOf] = connect
    const tryWith = async (businessId: string, id = serviceId) => {
      app.clock.advance({ minutes: 1 })
      return await client[verb](at, { token: tunde.token, body: bodyOf(businessId, id) })
    }
    const standing = async () => (await ok(client.get(read, { token: tunde.token }))).data

    // Monday: the service id is mistyped, then the business id, and in the evening the authority is down.
    expectRefusal(await tryWith(business, '94ND90N'), 'request.invalid')
    expect((await standing())?.status ?? 'NOT_CONNECTED').toBe('NOT_CONNECTED')
    expectRefusal(await tryWith(mistyped), 'tax_connection.not_verified')
    app.authority.control.misbehave('down')
    const closed = await tryWith(business)
    expectRefusal(closed, 'tax_connection.no_answer')
    expect(closed.status).toBe(silent)
    expect((await standing()).status).toBe('PENDING')

    // Tuesday: the authority is up again and returns the shop's tax number.
    app.authority.control.misbehave(undefined)
    app.clock.set('2026-05-05T09:00:00Z')
    await comeBack(client, tunde)
    const { data: connected } = await ok(tryWith(business))
    expect(connected).toMatchObject({ status: 'CONNECTED', [taxId]: expect.stringMatching(/^\d{8}-0001$/) })

    // Friday: the shop changes to another provider.
    app.clock.set('2026-05-08T09:00:00Z')
    await comeBack(client, tunde)
    const [ending, there] = revoke
    await ok(client[ending](there, { token: tunde.token }))
    expect((await standing()).status).toBe('REVOKED')
    const tables = [
      ['organisations', 'created_at'],
      ['sellers', 'created_at'],
      ['tax_connections', 'created_at'],
      ['tax_number_checks', 'started_at'],
      ['events', 'created_at'],
    ] as const
    // Only one form asks for consent.
    const consent = ['consent_version', 'consented_at', 'consented_by'].map((column) => `tax_connections.${column}`)
    return await rowsLeft(app.runtime.db, tables, consent)
  } finally {
    await app.close()
  }
}

test('a company meets the authority, and both forms leave the same rows', async () => {
  const [throughA, throughB] = [await tell('A'), await tell('B')]
  const events = (rows: unknown[] | undefined) => rows?.map((event) => (event as { type: string }).type).sort()
  expect(events(throughB.events)).toEqual(events(throughA.events))
  for (const table of ['organisations', 'sellers', 'tax_connections', 'tax_number_checks'] as const)
    expect(throughB[table]).toEqual(throughA[table])
  expect(throughA.tax_connections).toMatchObject([{ status: 'revoked', service_id: serviceId, problem: null }])
  expect(throughA.tax_number_checks).toMatchObject([{ status: 'verified', party: 'seller' }])
})
