import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { memberHolding } from '../../../../../test/harness/custom-role.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { charge, hold, revoke } from '../../credits/index.ts'
import type { LedgerContext } from '../../credits/ledger.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const accounts = '/b/v1/billing-accounts'
const inTx = (body: (context: LedgerContext) => Promise<unknown>) =>
  app.runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })

async function customer(options: { mode?: 'sandbox' | 'live' } = {}): Promise<Person> {
  const person = await app.person(options)
  await app.openAccount(person.organisationId)
  return person
}

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test('a person sees both ledgers, and the balance of the session’s mode or of a named mode', async () => {
    const client = app.client(form)
    const { organisationId, token } = await customer({ mode: 'live' })
    const live = { organisationId, mode: 'live' } as const
    await inTx(async (context) => {
      await charge(context, live, 'invoice.submit', 'sent')
      await hold(context, live, 'buyer.verify_tax_id', 'asked')
    })
    const balances = [
      { mode: 'sandbox', creditBalance: 100_000, heldCredits: 0, owedCredits: 0 },
      { mode: 'live', creditBalance: 35, heldCredits: 5, owedCredits: 0 },
    ]
    for (const [query, mode, creditBalance] of [
      ['', 'live', 35],
      ['?mode=live', 'live', 35],
      ['?mode=sandbox', 'sandbox', 100_000],
    ]) {
      const { status, data } = await client.get(`${accounts}/me${query}`, { token })
      expect([status, data]).toEqual([200, expect.objectContaining({ mode, creditBalance, balances })])
    }
    await inTx((context) => revoke(context, live, 50n, 'taken back'))
    expect((await client.get(`${accounts}/me`, { token })).data.balances[1]).toEqual({
      mode: 'live',
      creditBalance: 0,
      heldCredits: 5,
      owedCredits: 15,
    })
  })

  test('a key sees its own ledger only, and may name only its own mode', async () => {
    const client = app.client(form)
    const { organisationId, token } = await customer()
    const { id } = (await client.get(`${accounts}/me`, { token })).data
    for (const [mode, other, creditBalance] of [
      ['sandbox', 'live', 100_000],
      ['live', 'sandbox', 50],
    ] as const) {
      const key = await app.key(organisationId, { mode })
      for (const query of ['', `?mode=${mode}`]) {
        const { data } = await client.get(`${accounts}/me${query}`, { token: key })
        expect(data).toMatchObject({ id, mode, creditBalance })
        expect(data.balances).toEqual([{ mode, creditBalance, heldCredits: 0, owedCredits: 0 }])
      }
      for (const path of ['', '/stats', '/usage', '/ledger', '/statement', '/check-balance?credits=1']) {
        const sign = path.includes('?') ? '&' : '?'
        const refused = await client.get(`${accounts}/me${path}${sign}mode=${other}`, { token: key })
        expectRefusal(refused, 'billing.mode_not_own')
        expect([refused.status, refused.body.error.code]).toEqual([403, 'BIZ108'])
      }
    }
  })

  test('a sandbox key does not see the limit of the live ledger', async () => {
    const client = app.client(form)
    const { organisationId, token } = await customer()
    expect((await client.patch(`${accounts}/me/low-balance`, { token, body: { threshold: 17 } })).status).toBe(200)
    const told = async (who: string) => (await client.get(`${accounts}/me`, { token: who })).data.lowBalanceThreshold
    expect(await told(token)).toBe(17)
    expect(await told(await app.key(organisationId, { mode: 'live' }))).toBe(17)
    expect(await told(await app.key(organisationId, { mode: 'sandbox' }))).toBe(0)
  })

  test('an account is read by its id or as `me`, and others are not found', async () => {
    const client = app.client(form)
    const [own, other] = [await customer(), await customer()]
    const { id } = (await client.get(`${accounts}/me`, { token: own.token })).data
    const foreign = (await client.get(`${accounts}/me`, { token: other.token })).data.id
    const key = await app.key(own.organisationId)
    for (const path of ['check-balance?credits=1', 'stats', 'usage', 'ledger', 'statement'])
      for (const token of [own.token, key]) {
        for (const ref of [id, id.toUpperCase(), 'me'])
          expect((await client.get(`${accounts}/${ref}/${path}`, { token })).status, `${ref} ${path}`).toBe(200)
        for (const ref of [foreign, own.organisationId, randomUUID(), 'mine'])
          expectRefusal(await client.get(`${accounts}/${ref}/${path}`, { token }), 'resource.not_found')
      }
  })

  test('a balance check is exact to one credit', async () => {
    const client = app.client(form)
    const { token } = await customer()
    const check = (query: string) => client.get(`${accounts}/me/check-balance?${query}`, { token })
    for (const [query, mode, sufficient, creditBalance, credits] of [
      ['credits=1', 'sandbox', true, 100_000, 1],
      ['credits=100000', 'sandbox', true, 100_000, 100_000],
      ['credits=100001', 'sandbox', false, 100_000, 100_001],
      ['credits=1000000000', 'sandbox', false, 100_000, 1_000_000_000],
      ['credits=50&mode=live', 'live', true, 50, 50],
      ['credits=51&mode=live', 'live', false, 50, 51],
    ])
      expect((await check(String(query))).data, String(query)).toEqual({ mode, sufficient, creditBalance, credits })
    for (const bad of ['0', '-1', '1.5', '1000000001', '', 'ten', 'NaN', '1e', '0x10', 'null']) {
      const refused = await check(`credits=${bad}`)
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused), bad).toEqual(['credits'])
    }
    for (const [query, paths] of [
      ['', ['credits']],
      ['credits=1&credits=2', ['credits']],
      ['credits=1&mode=test', ['mode']],
      ['credits=0&mode=test&amount=3', ['amount', 'credits', 'mode']],
    ] as const) {
      const refused = await check(query)
      expectRefusal(refused, 'request.invalid')
      expect([...new Set(faultPaths(refused))]).toEqual(paths)
    }
  })

  test('each view needs its own capability', async () => {
    const client = app.client(form)
    const owner = await customer()
    const views = {
      'billing.account.read': ['', '/stats', '/check-balance?credits=1'],
      'billing.usage.read': ['/usage'],
      'billing.ledger.read': ['/ledger'],
      'billing.statement.read': ['/statement'],
    } as const
    for (const held of Object.keys(views) as (keyof typeof views)[]) {
      const member = await memberHolding(app, owner, held)
      const key = await app.key(owner.organisationId, { capabilities: [held] })
      for (const token of [member.token, key])
        for (const [needed, paths] of Object.entries(views))
          for (const path of paths) {
            const reply = await client.get(`${accounts}/me${path}`, { token })
            if (needed === held) expect(reply.status).toBe(200)
            else expectRefusal(reply, 'auth.capability_missing')
          }
    }
    for (const path of Object.values(views).flat())
      expectRefusal(await client.get(`${accounts}/me${path}`), 'auth.token_missing')
  })
})
