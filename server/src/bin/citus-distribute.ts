import { distribute } from '../platform/sharding/distribution.store.ts'
import { orExplain } from './explain.ts'
import { findDatabase } from './runtime.ts'
import { readServiceConfig } from './service-config.ts'

/**
 * `npm run citus:distribute`: moves every table to its place on a Citus cluster, as the owner of the tables. May be repeated.
 */
await orExplain('Nothing was distributed, and nothing in the database has changed.', async () => {
  const config = readServiceConfig(undefined, [])
  const { stop, ...access } = await findDatabase(config)
  try {
    const say = (line: string) => process.stdout.write(`${line}\n`)
    const { moved, alreadyThere } = await distribute(access.owner ?? access.service, say)
    say(
      moved.length === 0
        ? `All ${alreadyThere} tables stand in their place already.`
        : `${moved.length} tables were moved; ${alreadyThere} stood in their place already. Restart every node.`,
    )
  } finally {
    await stop()
  }
})
