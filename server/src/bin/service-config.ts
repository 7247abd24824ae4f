import { nrsSettings } from '../jurisdictions/ng/index.ts'
import { type Config, readConfig } from '../platform/config.ts'

/** All settings of the service, with those of the countries that it serves. */
export const readServiceConfig = (env?: NodeJS.ProcessEnv, args?: readonly string[]): Config =>
  readConfig(env, args, [nrsSettings])
