import { expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { batchLoader } from './batch-loader.ts'
import type { Queryable } from './database.ts'

const tenant = (): Tenant => ({ organisationId: newId<'organisation'>(), mode: 'sandbox' })
const [db, other] = [{} as Queryable, {} as Queryable]

function probe() {
  const asked: (readonly string[])[] = []
  const find = batchLoader(async (_, __, ids: readonly string[]) => {
    asked.push(ids)
    if (ids.includes('broken')) throw new Error('the database is away')
    return new Map(ids.filter((id) => id !== 'unknown').map((id) => [id, `found ${id}`]))
  })
  return { asked, find }
}

test('lookups of one event-loop turn share a query, for each tenant and connection', async () => {
  const { asked, find } = probe()
  const [own, another] = [tenant(), tenant()]
  const found = await Promise.all([
    find(db, own, 'a'),
    find(db, own, 'b'),
    find(db, another, 'c'),
    find(db, { ...own, mode: 'live' }, 'a'),
    find(other, own, 'a'),
    find(db, own, 'unknown'),
    find(db, own, 'a'),
  ])
  expect(found).toEqual(['found a', 'found b', 'found c', 'found a', 'found a', undefined, 'found a'])
  expect(asked).toEqual([['a', 'b', 'unknown'], ['c'], ['a'], ['a']])
  // What comes later is read later.
  expect(await find(db, own, 'a')).toBe('found a')
  expect(asked).toHaveLength(5)
})

test('the size of a batch is limited, and a failure rejects the lookups of that batch', async () => {
  const { asked, find } = probe()
  const own = tenant()
  const many = Array.from({ length: 150 }, (_, n) => `id ${n}`)
  expect(await Promise.all(many.map((id) => find(db, own, id)))).toEqual(many.map((id) => `found ${id}`))
  expect(asked.map(({ length }) => length)).toEqual([64, 64, 22])
  const outcomes = await Promise.allSettled([find(db, own, 'broken'), find(db, own, 'a'), find(db, tenant(), 'a')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test('lookups during a query of the same tenant wait, and then share the next query', async () => {
  const asked: (readonly string[])[] = []
  const first = Promise.withResolvers<void>()
  const find = batchLoader(async (_, __, ids: readonly string[]) => {
    asked.push(ids)
    if (asked.length === 1) await first.promise
    if (ids.includes('broken')) throw new Error('the database is away')
    return new Map(ids.map((id) => [id, `found ${id}`]))
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const own = tenant()
  const broken = find(db, own, 'broken').catch(() => 'failed')
  await turn()
  const later = [find(db, own, 'a')]
  await turn()
  later.push(find(db, own, 'b'))
  // Nobody else waits for it, and what became of it is nothing to those who come after.
  expect(await find(db, tenant(), 'c')).toBe('found c')
  expect(asked).toEqual([['broken'], ['c']])
  first.resolve()
  expect(await Promise.all([broken, ...later])).toEqual(['failed', 'found a', 'found b'])
  expect(asked).toEqual([['broken'], ['c'], ['a', 'b']])
})
