import { prepareDashboard } from './dashboard.ts'
import { CommandFault, orExplain } from './explain.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Builds the pages of the dashboard, unless they are there as they should be. */
await orExplain('The dashboard was not built.', async () => {
  if ((await prepareDashboard(say)) === undefined)
    throw new CommandFault('Vite is not installed: run npm ci, without leaving anything out.')
  say('The dashboard is built.')
})
