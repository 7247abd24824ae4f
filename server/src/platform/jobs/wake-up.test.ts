import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { silentLogger } from '../logger.ts'
import { createWakeUp } from './wake-up.ts'

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
  const wakeUp = createWakeUp(slow, silentLogger)
  wakeUp.start()
  await asked.promise
  let isOver = false
  const stopped = wakeUp.stop().then(() => {
    isOver = true
  })
  goOn.resolve()
  await expect.poll(() => isOver).toBe(true)
  await stopped
  await db.end()
})
