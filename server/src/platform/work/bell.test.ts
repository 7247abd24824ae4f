import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { silentLogger } from '../logger.ts'
import { createBell } from './bell.ts'

test('whoever is stopped while the link to others is made ends, and leaves none behind', async () => {
  const db = openDatabase({ connection: (await createTestDatabase()).url })
  const asked = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const slow: Database = {
    ...db,
    async dedicatedClient(name) {
      asked.resolve()
      await goOn.promise
      return await db.dedicatedClient(name)
    },
  }
  const bell = createBell(slow, silentLogger)
  bell.start()
  await asked.promise
  let isOver = false
  const stopped = bell.stop().then(() => {
    isOver = true
  })
  goOn.resolve()
  await expect.poll(() => isOver, { timeout: 5_000 }).toBe(true)
  await stopped
  await db.end()
})
