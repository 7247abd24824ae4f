import { execFile } from 'node:child_process'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Risiti } from '../../sdk/src/index.ts'
import { createTestDatabase } from '../harness/database.ts'
import { registration, statusOf } from '../harness/installations.ts'
import { launch, makeKeyFile, type ServerNode, startNode, until, withoutDemo } from '../harness/processes.ts'

const checkout = join(import.meta.dirname, '../..')
const line = "export { formB } from './form-b/index.ts'\n"
let copy: string
let env: Readonly<Record<string, string>>

// Removing Form B is deleting its folder and its line in forms.ts.
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'risiti-without-form-b-'))
  for (const name of ['server', 'simulators', 'db', 'docs', 'package.json', 'tsconfig.json'])
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

// Node drops imports of types, so that a start does not need them. This costs about 20 s of one core.
test('the type check of the server passes', async () => {
  const compilerOptions = { incremental: false, tsBuildInfoFile: null }
  const settings = join(copy, 'tsconfig.server.json')
  await writeFile(settings, JSON.stringify({ extends: './tsconfig.json', compilerOptions, include: ['server/src'] }))
  const compiler = join(checkout, 'node_modules/typescript/bin/tsc')
  const check = () => promisify(execFile)(process.execPath, [compiler, '-p', settings]).then(({ stdout }) => stdout)
  expect(await check().catch(({ stdout }) => stdout)).toBe('')
})

/** The links on a page to addresses of the same service. */
const linksOn = (page: string): string[] => [...page.matchAll(/ href="(\/[^"#]*)/g)].map(([, path]) => path as string)

test('the service starts, and serves Form A alone', async () => {
  const node = await startNode({ program: join(copy, 'server/src/bin/start.ts'), env })
  expect(node.output()).not.toContain('Form B')
  expect((await node.a.post('/a/v1/auth/register', { body: registration('ngozi@example.test') })).status).toBe(201)
  expect(await (await fetch(`${node.url}/docs`)).text()).not.toContain('other-form')
  expect(await statusOf(`${node.url}/form-b/i/v1/invoices`)).toBe(404)
  const pages = ['/guides', '/docs', '/guides/which-form', '/guides/tour']
  const texts = await Promise.all(pages.map(async (path) => await (await fetch(`${node.url}${path}`)).text()))
  const links = [...new Set(texts.flatMap(linksOn))]
  expect(links).toContain('/docs')
  const statuses = await Promise.all(links.map(async (path) => [path, await statusOf(`${node.url}${path}`)]))
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([])
  expect(await node.stop()).toEqual({ code: 0, signal: null })
})

/** The code in a mail, as soon as the mail is there. */
async function codeIn({ url }: ServerNode, email: string, shape: RegExp): Promise<string> {
  let code: string | undefined
  await until(async () => {
    const mails = (await (await fetch(`${url}/dev/mailbox?to=${email}`)).json()) as { text: string }[]
    code = mails.map(({ text }) => shape.exec(text)?.[0]).find((found) => found !== undefined)
    return code !== undefined
  }, `the mail to ${email}`)
  return code as string
}

// A playground, because it shows its mails. The calls are those of the page of the dashboard, with its client.
test('the demo is complete, and a person without an account joins by invitation and works there', async () => {
  const node = await startNode({ program: join(copy, 'server/src/bin/start.ts') })
  const files = () => readdir(node.home)
  expect(await files()).toEqual(expect.arrayContaining(['demo.json', 'demo-left.json']))
  await until(async () => !(await files()).includes('demo-left.json'), 'the whole demo data')
  expect(node.output()).not.toContain('demo.not_finished')
  const [owner, email, password] = ['owner@example.test', 'ada@example.test', 'a fine password']
  const people = new Risiti({ baseUrl: node.url })
  await people.identity.register(registration(owner))
  const first = await people.identity.verifyEmail({ email: owner, code: await codeIn(node, owner, /\b\d{6}\b/) })
  const business = new Risiti({ baseUrl: node.url, token: first.accessToken })
  await business.invitations.create({ email, fullName: 'Ada Obi' })

  const proof = { email, invitationCode: await codeIn(node, email, /^\w{4}-\w{4}$/m) }
  expect((await people.invitations.preview(proof)).organization.name).toBe('Eze Stores')
  const names = { firstName: 'Ada', lastName: 'Obi' }
  const joined = await people.invitations.acceptWithNewAccount({ ...proof, ...names, password })
  expect(joined).toMatchObject({ organization: { id: first.organizationId }, role: { name: 'MEMBER' } })

  const { accessToken: token } = await people.identity.logIn({ email, password })
  const colleague = new Risiti({ baseUrl: node.url, token })
  expect(await colleague.identity.whoAmI()).toMatchObject({
    user: { id: joined.userId, email, ...names, emailVerified: true },
    organizationId: first.organizationId,
  })
  expect((await colleague.buyers.create({ name: 'Adebayo Trading' })).name).toBe('Adebayo Trading')
  expect(await node.stop()).toEqual({ code: 0, signal: null })
})

test('an import that was forgotten would stop it', async () => {
  await appendFile(join(copy, 'server/src/http/forms.ts'), line)
  const broken = await launch({ program: join(copy, 'server/src/bin/start.ts'), env })
  expect((await broken.ended).code).toBe(1)
  expect(broken.output()).toContain('form-b/index.ts')
})
