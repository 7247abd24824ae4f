import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/harness/app.ts'
import { invoiceBody, issuer } from '../../test/harness/invoices.ts'
import { StubServer } from '../../test/harness/stub-server.ts'
import { type CommandLine, commandLine } from './command.ts'

let app: TestApp
let key: string
let risiti: CommandLine
let newLife: () => object
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
  const own = await issuer(app)
  key = await app.key(own.organisationId)
  newLife = () => invoiceBody.A(own)
  risiti = await commandLine({ RISITI_SERVER: app.url })
  expect(await risiti('login --api-key-stdin --profile shop.one', { stdin: `${key}\n` })).toMatchObject({
    code: 0,
    out: '',
  })
})
afterAll(async () => {
  await risiti?.end()
  await app?.close()
})

describe('profiles', () => {
  test('a sign-in is stored in a file that only its owner can read', async () => {
    expect((await stat(join(risiti.home, 'profiles.json'))).mode & 0o777).toBe(0o600)
    expect((await readdir(risiti.home)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    const { code, out } = await risiti('whoami --json')
    expect([code, JSON.parse(out)]).toMatchObject([0, { profile: 'shop.one', mode: 'sandbox', principal: 'api_key' }])
    expect(JSON.parse((await risiti('profiles --json')).out)).toMatchObject([{ name: 'shop.one', current: true }])
  })

  test('without a sign-in the exit code is 3, and a file .env changes nothing', async () => {
    const stranger = await commandLine()
    await writeFile(join(stranger.home, '.env'), `RISITI_API_KEY=${key}\nRISITI_SERVER=${app.url}\n`)
    const { code, out, notes } = await stranger('whoami --json')
    expect([code, out]).toEqual([3, ''])
    expect(JSON.parse(notes).error.message).toContain('risiti login')
    await stranger.end()
  })

  test('the key of the environment wins, and a stored key goes to no other server', async () => {
    const other = await app.person()
    const theirs = await app.key(other.organisationId)
    const me = JSON.parse((await risiti('whoami --json', { env: { RISITI_API_KEY: theirs } })).out)
    expect(me).toMatchObject({ profile: null, organizationId: other.organisationId })
    const elsewhere = await risiti('whoami --server http://127.0.0.1:9')
    expect(elsewhere.code).toBe(2)
    expect(elsewhere.notes).toContain('is not sent to')
  })

  test('a named profile and the key of the environment contradict each other, so no request is sent', async () => {
    await using stub = await new StubServer().start()
    const asked: string[] = []
    stub.answer = ({ path }) => {
      asked.push(path)
      return { status: 200, body: JSON.stringify({ meta: {}, data: {} }) }
    }
    const env = { RISITI_API_KEY: 'sk_live_x', RISITI_SERVER: stub.url }
    const both = [
      await risiti('whoami --profile shop.one', { env }),
      await risiti('whoami', { env: { ...env, RISITI_PROFILE: 'shop.one' } }),
    ]
    for (const { code, notes } of both) {
      expect(code).toBe(2)
      expect(notes).toMatch(/RISITI_API_KEY is set.*"shop.one"/)
    }
    expect(asked).toEqual([])
  })

  test('after a logout, a profile that is left can be chosen', async () => {
    const two = await commandLine({ RISITI_SERVER: app.url })
    await two('login --api-key-stdin --profile left', { stdin: key })
    await two('login --api-key-stdin --profile ended', { stdin: key })
    await two('logout')
    const { code, notes } = await two('whoami')
    expect([code, notes]).toEqual([3, expect.stringContaining('`risiti profiles --use left`')])
    await two.end()
  })

  test('logout forgets the profile', async () => {
    const short = await commandLine({ RISITI_SERVER: app.url })
    await short('login --api-key-stdin', { stdin: key })
    expect((await short('logout')).code).toBe(0)
    expect((await short('whoami')).code).toBe(3)
    await short.end()
  })
})

describe('resources', () => {
  test('an invoice is checked, created, read and listed', async () => {
    const data = JSON.stringify(newLife())
    expect(JSON.parse((await risiti(['invoices', 'create', '--data', data, '--dry-run', '--json'])).out)).toMatchObject(
      {
        payableMinor: expect.any(Number),
      },
    )
    expect(JSON.parse((await risiti('invoices list --json')).out)).toEqual([])
    const made = await risiti(['invoices', 'create', '--data', data, '--set', 'notes=By hand', '--json'])
    expect([made.code, made.notes]).toEqual([0, expect.stringMatching(/^sandbox · .+\n$/)])
    const { id, notes } = JSON.parse(made.out)
    expect(notes).toBe('By hand')
    expect(JSON.parse((await risiti(`invoices get ${id} --json`)).out)).toMatchObject({ id, status: 'draft' })
    for (let nth = 0; nth < 3; nth++) await risiti(['invoices', 'create', '--data', data])
    const all = await risiti('invoices list --status draft --limit 2 --all --json')
    expect(
      all.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).status),
    ).toEqual(['draft', 'draft', 'draft', 'draft'])
    expect((await risiti('invoices list --limit 2')).out.trimEnd().split('\n')).toHaveLength(3)
    expect((await risiti(`invoices pdf ${key}`)).code).toBe(4)
  })

  test('an Idempotency-Key makes a repeated command take effect once', async () => {
    const command = ['buyers', 'create', '--set', 'name=Once', '--idempotency-key', 'cli-once', '--json']
    const [first, second] = [await risiti(command), await risiti(command)]
    expect(second.out).toBe(first.out)
    expect((await risiti(command.with(3, 'name=Other'))).code).toBe(5)
  })

  test('what was created but not submitted, or has problems, is no success for a script', async () => {
    const data = JSON.stringify(newLife())
    const made = await risiti(['invoices', 'create-and-submit', '--data', data, '--json'])
    const { id, submitRefusal } = JSON.parse(made.out)
    expect(submitRefusal.message).toMatch(/\S/)
    expect([made.code, made.notes]).toEqual([1, expect.stringContaining(`${id} is a draft and was not submitted`)])
    const checked = await risiti(['invoices', 'create', '--data', data, '--dry-run', '--json'])
    expect([checked.code, JSON.parse(checked.out).ready]).toEqual([1, false])
  })

  test('a rule of the business refuses with 1, and another version of the object with 5', async () => {
    const { id } = JSON.parse((await risiti(['invoices', 'create', '--data', JSON.stringify(newLife()), '--json'])).out)
    expect((await risiti(['invoices', 'update', id, '--set', 'notes=x', '--if-match', '"99"'])).code).toBe(5)
    expect((await risiti(`invoices reopen ${id}`)).code).toBe(1)
  })

  test('a refusal says what a person can do about it', async () => {
    const byPeople = await risiti('api GET /a/v1/organizations/me/users')
    expect([byPeople.code, byPeople.notes]).toEqual([3, expect.stringContaining('`risiti open`')])
    const lacking = await app.key((await app.person()).organisationId, { capabilities: [] })
    const { code, notes } = await risiti('buyers list', { env: { RISITI_API_KEY: lacking } })
    expect([code, notes]).toEqual([3, expect.stringContaining('`risiti whoami` lists what this sign-in may do')])
  })

  test('commands that every sign-in of the command line would be refused do not exist', async () => {
    expect((await risiti('api-keys create --set name=x')).code).toBe(2)
    expect((await risiti('webhooks --help')).out).not.toContain('create')
    expect((await risiti('webhooks --help')).out).toContain('`risiti open`')
  })

  test('the help of a command has an example that the service takes', async () => {
    const { out } = await risiti('help invoices create')
    const [example] = /^\{\n[\s\S]+?\n\}$/m.exec(out) ?? []
    expect((await risiti(['invoices', 'create', '--data', example ?? ''])).code).toBe(0)
    expect((await risiti('invoices create')).notes).toContain('risiti invoices create --help')
  })

  test('numbers keep their digits', async () => {
    await using stub = await new StubServer().start()
    stub.answer = () => ({ status: 200, body: JSON.stringify({ meta: {}, data: {} }) })
    const words = [
      'api',
      'POST',
      '/i/v1/buyers',
      '--data',
      '{"amount": 12345678901234567.890, "one": 1.50}',
      '--set',
      'deep.list.0:=2.00',
    ]
    await risiti(words, { env: { RISITI_API_KEY: 'sk_test_x', RISITI_SERVER: stub.url } })
    expect(stub.requests.at(-1)?.body).toBe('{"amount":12345678901234567.890,"one":1.50,"deep":{"list":[2.00]}}')
  })

  test('any request of both forms can be sent', async () => {
    const { out } = await risiti('api get /form-b/a/v1/auth/me --json')
    expect(JSON.parse(out)).toMatchObject({ principal: 'api_key' })
    expect((await risiti(['api', 'post', '/i/v1/buyers', '--set', 'name=By path'])).notes).toMatch(/^sandbox · /)
  })
})

describe('exit codes', () => {
  const nobody = '0198c0de-0000-7000-8000-000000000000'
  test.each([
    ['help', '--help', 0],
    ['help as a word', 'help', 0],
    ['help for a group', 'help invoices', 0],
    ['the help of a group', 'invoices --help', 0],
    ['a refused request', 'invoices create --set invoiceKind=B2C', 1],
    ['an unknown command', 'invocies list', 2],
    ['a server for what asks none', 'profiles --server http://127.0.0.1:9', 2],
    ['a file for a list', 'export buyers --output x.zip', 2],
    ['waiting for no program', 'listen --no-wait', 2],
    ['no event at all', 'listen --events ,', 2],
    ['a form for an endpoint', `events resend ${nobody} --endpoint ${nobody} --form b`, 2],
    ['an unknown command of a group', 'invoices lst', 2],
    ['an unknown flag', 'invoices list --format json', 2],
    ['a flag that the command cannot use', 'buyers create --dry-run --set name=x', 2],
    ['a missing body', 'invoices create', 2],
    ['a body that is not JSON', 'invoices create --data {', 2],
    ['a missing argument', 'invoices get', 2],
    ['a key that is wrong', 'invoices list', 3, { RISITI_API_KEY: 'sk_test_wrong' }],
    ['what only people may do', 'logs tail', 3],
    ['an unknown object', `invoices get ${nobody}`, 4],
    ['a server that is away', 'invoices list', 7, { RISITI_API_KEY: 'sk_test_x', RISITI_SERVER: 'http://127.0.0.1:9' }],
  ] as const)('%s', async (_, words, code, env?: Readonly<Record<string, string>>) => {
    const ran = await risiti(words, env && { env })
    expect([ran.code, ran.notes]).toEqual([code, code === 0 ? '' : expect.stringMatching(/\S/)])
    if (code !== 0) expect(ran.out).toBe('')
  })

  test('an unknown outcome says how to find out', async () => {
    await using stub = await new StubServer().start()
    const me = { meta: {}, data: { organizationId: null } }
    stub.answer = ({ method }) => (method === 'POST' ? { status: 502, body: 'bad gateway' } : { body: me })
    const env = { RISITI_API_KEY: 'sk_test_x', RISITI_SERVER: stub.url }
    const { code, notes } = await risiti('api POST /i/v1/buyers --set name=x', { env })
    expect([code, notes]).toEqual([7, expect.stringMatching(/--idempotency-key [\w-]{20,}/)])
    expect(
      new Set(stub.requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']))
        .size,
    ).toBe(1)
    stub.answer = () => ({
      status: 429,
      headers: { 'retry-after': '0' },
      body: '{"error":{"reason":"limit.exceeded","message":"Too many."}}',
    })
    expect((await risiti('invoices list --json', { env })).code).toBe(6)
  })

  test('the process ends with the same codes, and an interrupted one with 130', async () => {
    const start = (words: string) =>
      spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts'), ...words.split(' ')], {
        env: { PATH: process.env.PATH, RISITI_HOME: risiti.home, RISITI_SERVER: app.url },
      })
    const listening = start('listen')
    const [missing] = await once(start(`invoices get ${nobody}`), 'close')
    expect(missing).toBe(4)
    let notes = ''
    for await (const part of listening.stderr.setEncoding('utf8')) {
      notes += part
      if (notes.includes('listening from')) break
    }
    listening.kill('SIGINT')
    const [code] = await once(listening, 'close')
    expect(code).toBe(130)
  })
})

test('completions name every command', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await risiti(`completion ${shell}`)
    expect([code, out]).toEqual([0, expect.stringContaining('received-invoices')])
  }
  expect((await risiti('completion tcsh')).code).toBe(2)
})

test('the doctor finds nothing wrong', async () => {
  const { code, out } = await risiti('doctor')
  expect([code, out]).toEqual([0, expect.not.stringContaining('FAIL')])
})
