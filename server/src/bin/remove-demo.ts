import { removeDemo } from '../demo/remove-demo.ts'
import { createLogger } from '../platform/logger.ts'
import { orExplain } from './explain.ts'
import { openRuntime } from './runtime.ts'
import { readServiceConfig } from './service-config.ts'

/** Disables the demo's people, sessions, keys, invitations and links, before a playground gets real use. */
await orExplain('The demo was not removed.', async () => {
  const config = readServiceConfig(undefined, [])
  const open = await openRuntime(config, createLogger({ level: 'warn', style: 'readable' }))
  try {
    const removed = await removeDemo(open.runtime, open.runner, config.dataDir)
    process.stdout.write(
      removed
        ? 'Nobody can use the demo any more: its people, sessions, keys, invitations and links have ended. Its documents and events stay.\n'
        : 'There is no demo in this database.\n',
    )
  } finally {
    await open.close()
  }
})
