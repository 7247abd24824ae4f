import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../platform/config.ts'

/** Fails with EADDRINUSE if another program listens at our address. Checked first, because a start takes many seconds. */
export async function requireFreePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const probe = createServer()
  probe.listen({ host, port })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
