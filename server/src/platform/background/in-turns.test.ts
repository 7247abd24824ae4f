import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { listFailing } from '../jobs/failing-items.store.ts'
import { silentLogger } from '../logger.ts'
import { inTurns } from './in-turns.ts'

let db: Database
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).url })
})
afterAll(() => db.end())

const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e']
  .map((letter) => letter.repeat(8))
  .map((id) => `${id}-0000-7000-8000-000000000000`) as [string, string, string, string, string]

/** Owners by name, in alphabetical order, each with a number of batches. Records the batches in the order of taking. */
function sweepOf(batches: Record<string, number>, { perPage = 2, failing = [] as string[] } = {}) {
  const left = new Map(Object.entries(batches))
  const turns: string[] = []
  const done = inTurns(
    { db, log: silentLogger },
    {
      problem: 'not_told',
      async findAfter(last) {
        const due = [...left.keys()].filter((name) => name > (last?.organisationId ?? ''))
        return due.slice(0, perPage).map((name) => ({ organisationId: name as OrganisationId }))
      },
      async takeBatch({ organisationId: name }) {
        turns.push(name)
        if (failing.includes(name)) throw new Error(`${name} fails`)
        left.set(name, (left.get(name) ?? 0) - 1)
        return (left.get(name) ?? 0) > 0
      },
    },
  )
  return done.then((failed) => ({ failed, turns: turns.map((name) => name[0]).join('') }))
}

test('every organisation has a turn before any has a second one, however many pages they fill', async () => {
  expect(await sweepOf({ [a]: 3, [b]: 1, [c]: 2, [d]: 1, [e]: 1 })).toEqual({ failed: 0, turns: 'abcdeaca' })
  expect(await sweepOf({})).toEqual({ failed: 0, turns: '' })
})

test('an organisation that fails, or has nothing to take, has one turn and delays no other', async () => {
  // Remaining rows are found again by each read, so only a walk that goes forward ends.
  expect(await sweepOf({ [a]: 2, [b]: 9, [c]: 0, [d]: 2 }, { perPage: 1, failing: [b] })).toEqual({
    failed: 1,
    turns: 'abcdad',
  })
  expect(await listFailing(db, 'not_told')).toEqual(new Set([b]))
})
