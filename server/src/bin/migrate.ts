import { readConfig } from '../platform/config.ts'
import { createLogger } from '../platform/logger.ts'
import { orExplain } from './explain.ts'
import { openMachine } from './machine.ts'

/** Brings the database up to date and ends, for deployments that migrate before they start. */
await orExplain('The database was not migrated.', async () => {
  const config = readConfig(undefined, [])
  const open = await openMachine(config, createLogger({ level: config.logLevel, style: 'json' }))
  await open.close()
})
