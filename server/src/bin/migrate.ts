import { readConfig } from '../platform/config.ts'
import { createLogger } from '../platform/logger.ts'
import { openMachine } from './machine.ts'

/** Brings the database up to date and ends, for deployments that migrate before they start. */
const config = readConfig(undefined, [])
const log = createLogger({ level: config.logLevel, style: 'json' })
const open = await openMachine(config, log)
await open.close()
