import { statSync } from 'node:fs'
import { systemCaller } from '../kernel/callers.ts'
import { businessDay } from '../kernel/days.ts'
import { ImportFault, loadList, readHsFile } from '../modules/reference/index.ts'
import { commandArguments } from '../platform/config.ts'
import { createLogger } from '../platform/logger.ts'
import { orExplain } from './explain.ts'
import { readServiceConfig } from './service-config.ts'

const say = (text: string) => process.stdout.write(text)
const origin = { requestId: 'import-reference', address: '', userAgent: '' }
const country = 'NG'

/** `npm run reference:import -- hs FILE.csv`: replaces the built-in HS list with a complete public one. */
await orExplain('Nothing was imported.', async () => {
  const config = readServiceConfig(undefined, [])
  const args = commandArguments()
  const [kind, path] = args
  if (kind !== 'hs' || path === undefined || args.length > 2)
    throw new ImportFault('say what to import and from where: npm run reference:import -- hs FILE.csv')
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new ImportFault(`${path} is not a file`)
  const entries = await readHsFile(path, (rows) => say(`\r  ${rows.toLocaleString('en')} codes read`))
  say('\n')
  // A mistyped path fails at once: the whole program is loaded only for a readable file.
  const { openRuntime } = await import('./runtime.ts')
  const open = await openRuntime(config, createLogger({ level: 'warn', style: 'readable' }))
  try {
    const { clock, ports } = open.runtime
    const zone = ports.jurisdictions.of(country)?.zone ?? 'UTC'
    const day = businessDay(clock.now(), zone)
    const input = {
      country,
      type: 'product-codes',
      version: `import-${day}`,
      source: 'import',
      effectiveFrom: day,
      entries,
    } as const
    await open.runner.run(loadList, { caller: systemCaller, origin, input })
    say(`  ${entries.length.toLocaleString('en')} codes are served from now on, by every node within seconds.\n`)
  } finally {
    await open.close()
  }
})
