import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { freePort, type ServerNode, startNode, until } from '../harness/processes.ts'
import { readTree } from '../structure/source-tree.ts'
import { commandsIn, type GuideResult, runCommands } from './commands.ts'

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

const tried = async (page: string): Promise<GuideResult> =>
  await runCommands(commandsIn(await textOf(page)), node.home, checkout)

test('the index lists every page that has commands', () => {
  const listed = [...guides, ...forOperators]
  expect(withCommands.map(({ path }) => path).filter((path) => !listed.includes(path))).toEqual([])
})

test('a command that is refused is reported with the reply', async () => {
  const page = '```sh\ncurl -s $BASE/i/v1/buyers\n```\n'
  const missing = await runCommands(`BASE=${node.url}\n${commandsIn(page)}`, node.home, checkout)
  expect(missing.refused).toEqual([expect.stringContaining('AUTH001')])
  const wanted = await runCommands(
    `BASE=${node.url}\n${commandsIn(page.replace('buyers', 'buyers   # replies 401'))}`,
    node.home,
    checkout,
  )
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
