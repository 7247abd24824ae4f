import { expect, test } from 'vitest'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { createTurns } from './turns-of-tenants.ts'

const tenant = (name: string): Tenant => ({ organisationId: name as OrganisationId, mode: 'sandbox' })
const full = { refusal: 'dependency.unavailable' }

/** An operation that ends on demand. */
function work() {
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const begin = (name: string) => () =>
    new Promise<string>((done, failed) => {
      begun.push(name)
      ends.set(name, (error) => (error ? failed(error) : done(name)))
    })
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await new Promise((done) => setImmediate(done))
  }
  return { begun, begin, end }
}

test('a few requests of a tenant run at a time, in order of arrival, and other tenants do not wait', async () => {
  const inTurn = createTurns({ atOnce: 2, mostWaiting: 10, longestWaitMs: 60_000 })
  const { begun, begin, end } = work()
  const results = ['a', 'b', 'c', 'd'].map((name) => inTurn(tenant('one'), begin(name)).catch((error) => error))
  const other = inTurn(tenant('two'), begin('other'))
  expect(begun).toEqual(['a', 'b', 'other'])
  await end('b', new Error('broken'))
  expect(begun.slice(3)).toEqual(['c'])
  await end('a')
  await end('c')
  await end('d')
  await end('other')
  expect([...(await Promise.all(results)), await other]).toEqual(['a', new Error('broken'), 'c', 'd', 'other'])
  // Nothing of it is left behind.
  const again = inTurn(tenant('one'), begin('again'))
  expect(begun.at(-1)).toBe('again')
  await end('again')
  expect(await again).toBe('again')
})

test('a request above the limit or with too long a wait is refused, and frees its place', async () => {
  const inTurn = createTurns({ atOnce: 1, mostWaiting: 2, longestWaitMs: 20 })
  const { begun, begin, end } = work()
  const first = inTurn(tenant('one'), begin('first'))
  const waiting = [inTurn(tenant('one'), begin('second')), inTurn(tenant('one'), begin('third'))]
  await expect(inTurn(tenant('one'), begin('fourth'))).rejects.toMatchObject(full)
  for (const one of waiting) await expect(one).rejects.toMatchObject(full)
  const later = inTurn(tenant('one'), begin('later'))
  await end('first')
  expect([await first, begun]).toEqual(['first', ['first', 'later']])
  await end('later')
  expect(await later).toBe('later')
})
