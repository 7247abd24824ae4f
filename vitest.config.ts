import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findChromium } from './test/harness/chromium.ts'

/**
 * Files that start whole processes take longest: begun first, they do not keep one worker busy at the end. Checks of the
 * source come last: they keep the syntax of every file in memory, which the collection of garbage would visit again and again.
 */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turnOf = ({ moduleId }: TestSpecification) =>
      /faults|guides|embedded-postgres|access/.test(moduleId) ? 0 : /test\/structure/.test(moduleId) ? 2 : 1
    return (await super.sort(files)).toSorted((one, other) => turnOf(one) - turnOf(other))
  }
}

const all = [
  'server/src/**/*.test.ts',
  'simulators/src/**/*.test.ts',
  'sdk/test/**/*.test.ts',
  'cli/test/**/*.test.ts',
  'test/**/*.test.ts',
]
const startProcesses = [
  'test/faults/**/*.test.ts',
  'test/guides/**/*.test.ts',
  'server/src/platform/database/embedded-postgres.test.ts',
]
/** They start dozens of processes between them: `npm run faults` runs them with the others, and ordinary runs leave them out. */
const longFaults = [
  'billing',
  'end-of-the-demo',
  'hostile-tenants',
  'import-reference',
  'installations',
  'invoice-storms',
  'quotes',
  'recurring',
  'reminders',
  'revocation',
  'test-clock',
].map((name) => `test/faults/${name}.test.ts`)
/** Needs root and a cluster of PostgreSQL servers: `npm run faults:failover`. */
const failover = 'test/failover/**/*.test.ts'
/** They disturb the servers of a Citus cluster. Crashes would also disturb the other tests: `npm run faults:citus` runs them alone. */
const citusFaults = [
  ...(process.env.CITUS_URL ? [] : ['test/faults/citus-*.test.ts']),
  ...(process.env.CITUS_CRASHES === '1' ? [] : ['test/faults/citus-crashes.test.ts']),
]
const allFaults = process.env.FAULTS === 'all' || process.env.THOROUGH === '1'
const inBrowser = 'test/browser/**/*.test.ts'
const startNone = [...all, ...[...startProcesses, inBrowser, failover].map((path) => `!${path}`)]

/** A browser takes a good part of the machine: an ordinary run opens the first pages only, and `WALKS=all` opens every page. */
const walksAll = process.env.WALKS === 'all' || process.env.THOROUGH === '1'
const walks = walksAll ? ['dashboard/test/**/*.test.ts', inBrowser] : ['dashboard/test/sign-in.test.ts']

const hasBrowser = findChromium() !== undefined
if (!hasBrowser)
  process.stderr.write(`
  No Chromium was found: the tests that look at the dashboard in a browser are left out.
  Install it (Debian: apt-get install chromium), or set CHROMIUM to where it is.
`)

if (!process.env.CITUS_URL)
  process.stderr.write(`
  CITUS_URL names no coordinator of a Citus cluster: nothing is tried on distributed tables.
`)

/** Workers and the processes that they start load the same thousand modules again and again. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile')

export default defineConfig({
  test: {
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/quick-imports.ts'],
    reporters: ['default', './test/harness/closing-line-reporter.ts'],
    pool: 'forks',
    // Node runs our TypeScript itself. Transforming it for the tests took longer than loading it.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Short-lived values are most of what tests make: a larger space for them is tidied up less often. A second thread that
    // tidies up would take its core from another worker.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
    // One more than the cores that we count on: while a worker waits for the database or for time to pass, another computes.
    maxWorkers: 3,
    sequence: { sequencer: ProcessesFirst },
    // Only there for what hangs: a busy machine is no failure.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 100_000 } },
    projects: [
      // Their harness tidies up at the end of the file that loads it, so each file has to load its own.
      {
        extends: true,
        test: {
          name: 'processes',
          include: process.env.FAILOVER === '1' ? [failover] : startProcesses,
          exclude: [...(allFaults ? [] : longFaults), ...citusFaults],
          isolate: true,
          provide: { isolated: true },
          // While one waits, two others compute; more would only make each other's patience end.
          maxConcurrency: 3,
        },
      },
      ...(hasBrowser
        ? [
            {
              extends: true as const,
              test: { name: 'browser', include: walks, isolate: false },
            },
          ]
        : []),
      // The others share a worker that loads the service once: loading it for each cost as much as testing it.
      { extends: true, test: { name: 'house', include: startNone, isolate: false } },
    ],
  },
})
