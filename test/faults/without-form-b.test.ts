import { appendFile, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../harness/database.ts'
import { registration, statusOf } from '../harness/installations.ts'
import { launch, makeKeyFile, startNode, withoutDemo } from '../harness/processes.ts'

const checkout = join(import.meta.dirname, '../..')
const line = "export { formB } from './form-b/index.ts'\n"
let copy: string
let env: Readonly<Record<string, string>>

// Removing Form B is deleting its folder and its line in forms.ts.
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'risiti-without-form-b-'))
  for (const name of ['server', 'simulators', 'db', 'package.json'])
    await cp(join(checkout, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts') && !path.startsWith(join(checkout, 'server/src/http/form-b')),
    })
  await symlink(join(checkout, 'node_modules'), join(copy, 'node_modules'))
  const list = join(copy, 'server/src/http/forms.ts')
  const text = await readFile(list, 'utf8')
  expect(text).toContain(line)
  await writeFile(list, text.replace(line, ''))
  const { url } = await createTestDatabase()
  env = { ...withoutDemo, DATABASE_URL: url, SECRETS_FILE: await makeKeyFile() }
})

afterAll(() => rm(copy, { recursive: true, force: true }))

// Node drops imports of types, so that a start does not need them. They are found in the text.
test('no file imports anything of Form B', async () => {
  const files = (await readdir(join(copy, 'server/src'), { recursive: true })).filter((name) => name.endsWith('.ts'))
  const texts = await Promise.all(files.map((name) => readFile(join(copy, 'server/src', name), 'utf8')))
  expect(files.length).toBeGreaterThan(700)
  expect(files.filter((_, at) => /'[^'\n]*\bform-b\/[\w-]+\.ts'/.test(texts[at] as string))).toEqual([])
})

test('the service starts, and serves Form A alone', async () => {
  const node = await startNode({ program: join(copy, 'server/src/bin/start.ts'), env })
  expect(node.output()).not.toContain('Form B')
  expect((await node.a.post('/a/v1/auth/register', { body: registration('ngozi@example.test') })).status).toBe(201)
  expect(await (await fetch(`${node.url}/docs`)).text()).not.toContain('other-form')
  expect(await statusOf(`${node.url}/form-b/i/v1/invoices`)).toBe(404)
  expect(await node.stop()).toEqual({ code: 0, signal: null })
})

test('an import that was forgotten would stop it', async () => {
  await appendFile(join(copy, 'server/src/http/forms.ts'), line)
  const broken = await launch({ program: join(copy, 'server/src/bin/start.ts'), env })
  expect((await broken.ended).code).toBe(1)
  expect(broken.output()).toContain('form-b/index.ts')
})
