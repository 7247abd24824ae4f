import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../harness/database.ts'
import { demo, makeHome, makeKeyFile, startNode, surroundings, until } from '../harness/processes.ts'

const program = join(import.meta.dirname, '../../server/src/bin/import-reference.ts')

let folder: string
let env: Record<string, string>
let database: pg.Client
beforeAll(async () => {
  folder = await makeHome()
  const { url, owner } = await createTestDatabase()
  env = { DATABASE_URL: url, SECRETS_FILE: await makeKeyFile() }
  database = new pg.Client(owner.url)
  await database.connect()
})
afterAll(() => database.end())
beforeEach(() => database.query('delete from code_lists'))

interface ProcessResult {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** Runs the real command without our environment variables. */
async function run(...args: string[]): Promise<ProcessResult> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...surroundings, DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  return { code, output, errors }
}

async function file(name: string, ...lines: string[]): Promise<string> {
  await writeFile(join(folder, name), `hscode,description\n${lines.join('\n')}\n`)
  return name
}

const kept = async () =>
  (
    await database.query(
      'select country, type, version, source, effective_from::text as day, entries from code_lists order by version',
    )
  ).rows

const good = ['01,Live animals', '0101,Live horses', '"010121","Horses, ""pure-bred"""']
const entries = [
  { code: '0101', name: 'Live horses', category: 'Live animals' },
  { code: '0101.21', name: 'Horses, "pure-bred"', category: 'Live animals' },
]

test('a file is imported completely, the command prints the number of codes, and a second import gives the same result', async () => {
  const path = await file('good.csv', ...good)
  const first = await run('hs', path)
  expect(first, first.errors).toMatchObject({ code: 0, errors: '' })
  expect(first.output).toContain('2 codes read')
  expect(first.output).toContain('2 codes are served')
  const rows = await kept()
  expect(rows).toEqual([
    {
      country: 'NG',
      type: 'product-codes',
      version: `import-${rows[0]?.day}`,
      source: 'import',
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      entries,
    },
  ])
  expect((await run('hs', path)).code).toBe(0)
  // Midnight may fall between the two imports.
  for (const row of await kept()) expect(row.entries).toEqual(entries)
  expect(new Set((await kept()).map(({ day }) => day)).size).toBe((await kept()).length)
})

test('the command prints its progress every thousand codes', async () => {
  const rows = Array.from({ length: 2100 }, (_, at) => `${100_000 + at},Thing ${at}`)
  const { code, output } = await run('hs', await file('many.csv', ...rows))
  expect(code).toBe(0)
  for (const said of ['1,000 codes read', '2,000 codes read', '2,100 codes read', '2,100 codes are served'])
    expect(output).toContain(said)
  expect((await kept())[0]?.entries).toHaveLength(2100)
})

test('an invalid row is reported with its line number, and the previous list stays', async () => {
  expect((await run('hs', await file('good.csv', ...good))).code).toBe(0)
  const before = await kept()
  const rows = Array.from({ length: 1500 }, (_, at) => `${100_000 + at},Thing ${at}`)
  const { code, errors } = await run('hs', await file('bad.csv', ...rows, 'ABCDEF,No code', '0102,Cattle'))
  expect(code).toBe(1)
  expect(errors).toContain('Nothing was imported.')
  expect(errors).toContain('line 1502: "ABCDEF" is not an HS code')
  expect(errors, 'no stack').not.toContain('    at ')
  expect(await kept()).toEqual(before)
})

test.each([
  ['nothing', []],
  ['another kind', ['colours', 'good.csv']],
])('the command prints its usage after %s', async (_, args) => {
  await file('good.csv', ...good)
  const { code, errors } = await run(...args)
  expect(code).toBe(1)
  expect(errors).toContain('npm run reference:import -- hs FILE.csv')
  expect(errors, 'no stack').not.toContain('    at ')
  expect(await kept()).toEqual([])
})

test('a missing or empty file is reported', async () => {
  await writeFile(join(folder, 'empty.csv'), '')
  for (const [path, said] of [
    ['nowhere.csv', 'nowhere.csv is not a file'],
    ['empty.csv', 'the file holds no code'],
  ] as const) {
    const { code, errors } = await run('hs', path)
    expect([code, errors.includes(said), errors.includes('    at ')], errors).toEqual([1, true, false])
  }
  expect(await kept()).toEqual([])
})

test('a running node serves the imported codes without a restart', async () => {
  const node = await startNode({ env })
  const signedIn = await node.a.post('/a/v1/auth/login', { body: demo })
  expect(signedIn.status, signedIn.text).toBe(200)
  const token: string = signedIn.data.accessToken
  const found = async () => (await node.a.get('/i/v1/invoices/resources/product-codes', { token })).data
  expect((await found()).source).toBe('built-in')
  expect((await run('hs', await file('good.csv', ...good))).code).toBe(0)
  await until(async () => (await found()).source === 'import', 'the imported list')
  expect((await found()).entries).toEqual(entries)
  await node.stop()
})
