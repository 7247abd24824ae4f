import { bringUpToDate } from '../platform/database/bring-up-to-date.ts'
import { createLogger } from '../platform/logger.ts'
import { orExplain } from './explain.ts'
import { findDatabase } from './runtime.ts'
import { readServiceConfig } from './service-config.ts'

/** Applies the migrations, gives the service its rights, and ends. For deployments that migrate before they start. */
await orExplain('The database was not migrated.', async () => {
  const config = readServiceConfig(undefined, [])
  const { stop, ...access } = await findDatabase(config)
  try {
    await bringUpToDate(access, createLogger({ level: config.logLevel, style: 'json' }))
  } finally {
    await stop()
  }
})
