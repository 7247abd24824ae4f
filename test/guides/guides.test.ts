import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asQueryable } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { freePort, type ServerNode, startNode, until } from '../harness/processes.ts'
import { listBusy } from '../harness/quiet.ts'
import { readTree } from '../structure/source-tree.ts'
import { commandsIn, type GuideResult, runCommands, type UntilIdle } from './commands.ts'

const checkout = join(import.meta.dirname, '../..')
const textOf = (page: string) => readFile(join(checkout, page), 'utf8')

/** The README, and then the guides in the order of their index. */
const index = await textOf('docs/README.md')
const guides = ['README.md', ...[...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => `docs/${name}`)]
/** Pages for operators: their commands need a server, a proxy and a PostgreSQL of their own. */
const forOperators = ['docs/production.md', 'docs/commands.md', 'docs/performance.md']

let node: ServerNode
beforeAll(async () => {
  // Links in replies name the port, so it must be known before the start.
  node = await startNode({ env: { PORT: String(await freePort()) } })
  const isComplete = async () => (await readdir(node.home)).every((name) => name !== 'demo-left.json')
  await until(isComplete, 'the whole demo data')
})

let database: pg.Client
beforeAll(async () => {
  const lock = await readFile(join(node.home, 'postgres', 'postmaster.pid'), 'utf8')
  const [, , , port, host] = lock.split('\n')
  database = new pg.Client({ host: host as string, port: Number(port), user: 'app', database: 'postgres' })
  await database.connect()
})
afterAll(() => database?.end())

const isIdle = async (): Promise<boolean> => {
  const db = asQueryable(database)
  const moving = sql`select from submissions where due_at < now() + interval '3 seconds'`
  return (await listBusy(db)).length === 0 && (await db.rows(moving)).length === 0
}
const untilIdle: UntilIdle = async (mostMs) => {
  for (const end = Date.now() + mostMs; Date.now() < end; await wait(100)) if (await isIdle()) return
}

const run = (commands: string) => runCommands(commands, { dataDir: node.home, checkout, untilIdle })
const tried = async (page: string): Promise<GuideResult> => await run(commandsIn(await textOf(page)))

test('the index lists every page that has commands', () => {
  const listed = [...guides, ...forOperators]
  expect(withCommands.map(({ path }) => path).filter((path) => !listed.includes(path))).toEqual([])
})

test('a command that is refused is reported with the reply', async () => {
  const page = '```sh\ncurl -s $BASE/i/v1/buyers\n```\n'
  const missing = await run(`BASE=${node.url}\n${commandsIn(page)}`)
  expect(missing.refused).toEqual([expect.stringContaining('AUTH001')])
  const wanted = await run(`BASE=${node.url}\n${commandsIn(page.replace('buyers', 'buyers   # replies 401'))}`)
  expect(wanted.refused).toEqual([])
})

const withCommands = readTree().filter(
  ({ path, text }) => /^(README|docs\/[\w-]+)\.md$/.test(path) && commandsIn(text) !== '',
)
const tests = guides.filter((page) => !forOperators.includes(page) && withCommands.some(({ path }) => path === page))

/** The second time takes as long again, so ordinary runs leave it out. */
const rounds = ['on a fresh start', ...(process.env.FAULTS === 'all' ? ['a second time on the same data'] : [])]

describe.each(rounds)('%s', () => {
  test.each(tests)('the commands of %s work', async (page) => {
    const { code, output, refused } = await tried(page)
    expect(refused).toEqual([])
    expect(code, output.slice(-2_000)).toBe(0)
  })
})
