import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../test/harness/app.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { agreement, refresh } from '../../test/harness/programs.ts'
import { StubServer } from '../../test/harness/stub-server.ts'
import { beginDeviceSignIn } from '../src/oauth.ts'
import { type CommandLine, commandLine, type Ran } from './command.ts'

let app: TestApp
let person: Person
const open: CommandLine[] = []
beforeAll(async () => {
  app = await startTestApp({ requestLogMs: 20, trustProxy: { hops: 1 } })
  person = await app.person()
})
afterAll(async () => {
  for (const risiti of open) await risiti.end()
  await app?.close()
})

const newHome = async (): Promise<CommandLine> => {
  const risiti = await commandLine({ RISITI_SERVER: app.url })
  open.push(risiti)
  return risiti
}

/** Reads the code from what the command prints, and answers as the person in the browser does. */
async function answerCode(by: Person, notes: string, answer: 'approve' | 'deny', more: object = {}): Promise<void> {
  const [userCode] = /[A-Z]{4}-[A-Z]{4}/.exec(notes) ?? []
  const found = await app.a.post('/n/v1/program-requests/find', { token: by.token, body: { userCode } })
  expect(found.status, found.text).toBe(200)
  const body = answer === 'approve' ? await agreement(app, by, found.data.id, { ...more }) : undefined
  const answered = await app.a.post(`/n/v1/program-requests/${found.data.id}/${answer}`, { token: by.token, body })
  expect(answered.status, answered.text).toBe(200)
}

async function signIn(
  risiti: CommandLine,
  { by = person, words = 'login --profile mine', answer = 'approve' as 'approve' | 'deny', more = {} } = {},
): Promise<Ran> {
  const shown = Promise.withResolvers<string>()
  let notes = ''
  const signing = risiti(words, {
    onNote: (text) => {
      notes += text
      if (/[A-Z]{4}-[A-Z]{4}/.test(notes)) shown.resolve(notes)
    },
  })
  await answerCode(by, await Promise.race([shown.promise, signing.then((ran) => ran.notes)]), answer, more)
  return await signing
}

const fileOf = async ({ home }: CommandLine): Promise<string> => {
  const [name] = (await readdir(join(home, 'sign-ins'))).filter((each) => each.endsWith('.json'))
  return join(home, 'sign-ins', name as string)
}
const tokensIn = async (risiti: CommandLine) => JSON.parse(await readFile(await fileOf(risiti), 'utf8'))
const outdate = async (risiti: CommandLine) =>
  writeFile(await fileOf(risiti), JSON.stringify({ ...(await tokensIn(risiti)), expiresAt: '2026-01-01T00:00:00Z' }))

describe('signed in by a code', () => {
  let risiti: CommandLine
  beforeAll(async () => {
    risiti = await newHome()
    expect(await signIn(risiti)).toMatchObject({ code: 0, out: '' })
  })

  test('the tokens are in a file that only its owner can read, and appear nowhere else', async () => {
    expect((await stat(await fileOf(risiti))).mode & 0o777).toBe(0o600)
    const { accessToken, refreshToken } = await tokensIn(risiti)
    const ran = [
      await risiti('whoami --json'),
      await risiti('whoami'),
      await risiti('profiles'),
      await risiti('doctor'),
    ]
    for (const { code, out, notes } of ran) {
      expect([code, `${out}${notes}`.includes(accessToken) || `${out}${notes}`.includes(refreshToken)]).toEqual([
        0,
        false,
      ])
    }
    expect(JSON.parse((ran[0] as Ran).out)).toMatchObject({
      principal: 'program',
      mode: 'sandbox',
      profile: 'mine',
      organizationId: person.organisationId,
    })
    expect((ran[2] as Ran).out).toMatch(/mine +current +sandbox +person/)
  })

  test('what is for people works: the request log', async () => {
    const stopping = new AbortController()
    let isOver = false
    const tail = risiti('logs tail --json', {
      signal: stopping.signal,
      onOut: (text) => text.includes('/a/v1/') && stopping.abort(new Error('interrupted')),
    }).finally(() => {
      isOver = true
    })
    // The log shows what happens from now on.
    while (!isOver) await risiti('whoami')
    const { code, out } = await tail
    expect([code, out]).toEqual([130, expect.stringContaining('/a/v1/auth/me')])
  })

  test('many commands at once renew an expired token once, and the sign-in goes on', async () => {
    for (let round = 0; round < 2; round++) {
      await outdate(risiti)
      const before = await tokensIn(risiti)
      const processes = Array.from({ length: 3 }, () =>
        spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts'), 'whoami'], {
          env: { PATH: process.env.PATH, RISITI_HOME: risiti.home, RISITI_SERVER: app.url },
        }),
      )
      const here = await Promise.all(Array.from({ length: 4 }, () => risiti('whoami')))
      const codes = await Promise.all(processes.map(async (child) => (await once(child, 'close'))[0]))
      expect([...codes, ...here.map(({ code }) => code)]).toEqual([0, 0, 0, 0, 0, 0, 0])
      expect((await tokensIn(risiti)).refreshToken).not.toBe(before.refreshToken)
    }
    expect((await readdir(join(risiti.home, 'sign-ins'))).filter((name) => !name.endsWith('.json'))).toEqual([])
  })

  test('a lock that a dead process left is broken', async () => {
    const dead = spawn(process.execPath, ['-e', ''])
    await once(dead, 'close')
    const { hostname } = await import('node:os')
    await writeFile(`${await fileOf(risiti)}.lock`, `${hostname()} ${dead.pid} left`)
    await outdate(risiti)
    expect((await Promise.all([risiti('whoami'), risiti('whoami')])).map(({ code }) => code)).toEqual([0, 0])
  })

  test('an access token that stopped working early is renewed', async () => {
    const tokens = await tokensIn(risiti)
    await writeFile(
      await fileOf(risiti),
      JSON.stringify({ ...tokens, accessToken: `${tokens.accessToken.slice(0, -4)}AAAA` }),
    )
    expect((await risiti('whoami')).code).toBe(0)
  })

  test('a service that is away does not end the sign-in', async () => {
    await outdate(risiti)
    const before = await tokensIn(risiti)
    await using stub = await new StubServer().start()
    stub.answer = () => ({ status: 503, body: { error: 'temporarily_unavailable', error_description: 'busy' } })
    const profiles = join(risiti.home, 'profiles.json')
    const stored = await readFile(profiles, 'utf8')
    await writeFile(profiles, stored.replaceAll(app.url, stub.url))
    expect((await risiti('whoami', { env: { RISITI_SERVER: stub.url } })).code).toBe(7)
    await writeFile(profiles, stored)
    expect(await tokensIn(risiti)).toEqual(before)
    expect((await risiti('whoami')).code).toBe(0)
  })

  test('a new sign-in ends the one that it replaces', async () => {
    const before = await tokensIn(risiti)
    expect((await signIn(risiti)).code).toBe(0)
    expect((await refresh(app, before.refreshToken)).body.error).toBe('invalid_grant')
    expect((await risiti('whoami')).code).toBe(0)
  })

  test('logout ends it on the server', async () => {
    const { refreshToken } = await tokensIn(risiti)
    expect(await risiti('logout')).toMatchObject({ code: 0, notes: expect.stringContaining('Signed out') })
    expect((await refresh(app, refreshToken)).body.error).toBe('invalid_grant')
    expect(await readdir(join(risiti.home, 'sign-ins'))).toEqual([])
    expect((await risiti('whoami')).code).toBe(3)
  })
})

test('a sign-in that was disconnected says so, and a refused code too', async () => {
  const [ended, refused] = [await newHome(), await newHome()]
  const other = await app.person()
  const [, denied] = await Promise.all([signIn(ended, { by: other }), signIn(refused, { answer: 'deny' })])
  expect(denied).toMatchObject({ code: 3, out: '', notes: expect.stringContaining('refused in the browser') })
  const [connected] = (await app.a.get('/n/v1/connected-programs', { token: other.token })).data
  expect((await app.a.delete(`/n/v1/connected-programs/${connected.id}`, { token: other.token })).status).toBe(200)
  const { code, out, notes } = await ended('buyers list')
  expect([code, out]).toEqual([3, ''])
  expect(notes).toContain('has ended')
  expect(notes).toContain('risiti login --profile mine')
})

test('a sign-in for the tools serves assistants alone', async () => {
  const risiti = await newHome()
  const words = 'login --for-tools --profile tools --json'
  const { out } = await signIn(risiti, { words, more: { limits: { changesPerDay: 2 } } })
  expect(JSON.parse(out)).toMatchObject({
    profile: 'tools',
    organizationId: person.organisationId,
    organization: expect.any(String),
  })
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const answered = await risiti('mcp', { stdin: `${JSON.stringify(message)}\n` })
  expect(JSON.parse(answered.out).result.tools.length).toBeGreaterThan(3)
  expect(await risiti('buyers list')).toMatchObject({ code: 3, notes: expect.stringContaining('risiti mcp') })
  expect((await risiti('profiles')).out).toMatch(/tools +current +sandbox +person +risiti mcp/)
})

describe('who a sign-in for the tools is', () => {
  let risiti: CommandLine
  const connected = async (): Promise<string> =>
    (await app.a.get('/n/v1/connected-programs', { token: person.token })).data[0].id
  const change = async (body: object) => {
    const path = `/n/v1/connected-programs/${await connected()}`
    expect((await app.a.patch(path, { token: person.token, body })).status).toBe(200)
  }
  const limits = { amountMinorPerChange: 50_000, amountMinorPerDay: 80_000, currency: 'NGN', changesPerDay: 2 }
  beforeAll(async () => {
    risiti = await newHome()
    const capabilities = ['invoice.read', 'invoice.record_payment', 'buyer.read']
    await signIn(risiti, { words: 'login --for-tools --profile tools', more: { capabilities, limits } })
  })

  test('whoami has its organisation, its capabilities and its limits', async () => {
    const { code, out } = await risiti('whoami --json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      profile: 'tools',
      principal: 'program',
      organizationId: person.organisationId,
      mode: 'sandbox',
      capabilities: ['buyer.read', 'invoice.read', 'invoice.record_payment'],
      program: { email: person.email, resource: 'mcp', limits, spentToday: { amountMinor: 0, changes: 0 } },
    })
    expect(out).not.toContain('untrusted')
    const lines = (await risiti('whoami')).out
    expect(lines).toContain(`person: ${person.email}\n`)
    expect(lines).toContain('worksFor: risiti mcp alone\n')
    expect(lines).toContain(
      'limits: Limit for each change: NGN 500.00. Left today: NGN 800.00 of NGN 800.00. Changes left today: 2 of 2.\n',
    )
  })

  test('doctor checks the tools and not the events, which it can never read', async () => {
    const { code, out } = await risiti('doctor')
    expect([code, out]).toEqual([0, expect.stringMatching(/ok +tools +\d+ tools .*, which read and prepare changes\n/)])
    expect(out).toMatch(/ok +sign-in +sandbox · .*, tools\n/)
    expect(out).toMatch(/ok +limits +Limit for each change: NGN 500.00/)
    expect(out).not.toContain('listen')
    expect(out).not.toContain('FAIL')
  })

  test('what the person changed holds at once', async () => {
    await change({
      capabilities: ['invoice.read'],
      limits: { amountMinorPerChange: null, amountMinorPerDay: null, currency: null, changesPerDay: null },
    })
    await eventually(async () =>
      expect(JSON.parse((await risiti('whoami --json')).out).capabilities).toEqual(['invoice.read']),
    )
    expect((await risiti('doctor')).out).toMatch(/ok +tools +\d+ tools .*, which only read\nok +limits +none\n/)
  })

  test('a token that stopped working early is renewed', async () => {
    const tokens = await tokensIn(risiti)
    await writeFile(
      await fileOf(risiti),
      JSON.stringify({ ...tokens, accessToken: `${tokens.accessToken.slice(0, -4)}AAAA` }),
    )
    expect((await risiti('whoami')).code).toBe(0)
  })

  test('a disconnected one is not signed in', async () => {
    expect((await app.a.delete(`/n/v1/connected-programs/${await connected()}`, { token: person.token })).status).toBe(
      200,
    )
    expect(await risiti('whoami')).toMatchObject({ code: 3, out: '', notes: expect.stringContaining('has ended') })
    const { code, out } = await risiti('doctor')
    expect([code, out]).toEqual([3, expect.stringMatching(/FAIL +sign-in .*has ended/)])
  })
})

test('of two sign-ins for one profile at the same moment, one is left', async () => {
  const risiti = await newHome()
  expect((await signIn(risiti)).code).toBe(0)
  const all = async () => (await app.a.get('/n/v1/connected-programs?limit=100', { token: person.token })).data.length
  const before = await all()
  const both = await Promise.all([signIn(risiti), signIn(risiti)])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect((await readdir(join(risiti.home, 'sign-ins'))).filter((name) => name.endsWith('.json'))).toHaveLength(1)
  expect(await all()).toBe(before)
  expect((await risiti('whoami')).code).toBe(0)
})

test('a sign-in whose profile cannot be made is ended', async () => {
  const risiti = await newHome()
  await using stub = await new StubServer().start()
  const tokens = { access_token: 'a', refresh_token: 'r', expires_in: 1e300, organization_id: 'o', mode: 'sandbox' }
  const codes = { device_code: 'd', user_code: 'ABCD-EFGH', verification_uri: `${stub.url}/x`, interval: 1e-9 }
  stub.answer = ({ path }) =>
    path === '/oauth/token'
      ? { body: tokens }
      : path === '/oauth/device_authorization'
        ? { body: { ...codes, expires_in: 1e300 } }
        : path === '/oauth/revoke'
          ? { body: {} }
          : { status: 403, body: { error: { message: 'No.' } } }
  expect((await risiti('login', { env: { RISITI_SERVER: stub.url } })).code).toBe(3)
  expect(stub.requests.at(-1)).toMatchObject({ path: '/oauth/revoke', body: expect.stringContaining('token=r') })
  expect(await readdir(join(risiti.home, 'sign-ins'))).toEqual([])
})

test('a server that names odd times is asked in peace', async () => {
  await using stub = await new StubServer().start()
  const codes = { device_code: 'd', user_code: 'ABCD-EFGH', verification_uri: `${stub.url}/x` }
  // A timer whose time does not fit runs at once, and without a pause the server would be asked all the time.
  for (const [named, taken] of [
    [1e-9, 1],
    [1e12, 1_728_000],
    [-1, 5],
    ['7', 5],
  ]) {
    stub.answer = () => ({ body: { ...codes, interval: named, expires_in: 1e300 } })
    expect(await beginDeviceSignIn(stub.url, undefined)).toMatchObject({
      intervalSeconds: taken,
      expiresSeconds: 1_728_000,
    })
  }
})

test('a server that names no page of the web, or does not know this sign-in, is refused', async () => {
  const risiti = await newHome()
  await using stub = await new StubServer().start()
  const codes = { device_code: 'd', user_code: 'ABCD-EFGH', expires_in: 60, interval: 1 }
  stub.answer = () => ({ body: { ...codes, verification_uri: 'file:///etc/passwd' } })
  const env = { RISITI_SERVER: stub.url }
  expect(await risiti('login', { env })).toMatchObject({
    code: 1,
    notes: expect.stringContaining('no page of the web'),
  })
  stub.answer = () => ({ status: 404, body: {} })
  expect(await risiti('login', { env })).toMatchObject({ code: 1, notes: expect.stringContaining('--api-key-stdin') })
  expect((await risiti('login --server http://far.test')).code).toBe(2)
})
