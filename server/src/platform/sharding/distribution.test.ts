import { expect, test } from 'vitest'
import { checkPlaces } from './distribution.store.ts'

test('a start on one PostgreSQL asks nothing about places', async () => {
  let asked = 0
  const rows = async () => {
    asked++
    return []
  }
  await checkPlaces({ isDistributed: async () => false, rows })
  expect(asked).toBe(0)
  await checkPlaces({ isDistributed: async () => true, rows })
  expect(asked).toBe(2)
})
