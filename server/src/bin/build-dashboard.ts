import { prepareDashboard } from './dashboard.ts'
import { CommandFault, orExplain } from './explain.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Builds the dashboard, unless it is up to date. */
await orExplain('The dashboard was not built.', async () => {
  if ((await prepareDashboard(say)) === undefined)
    throw new CommandFault('Vite is not installed: run npm ci with development dependencies.')
  say('The dashboard is built.')
})
