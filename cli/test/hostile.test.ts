import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, readdir, readFile, rename, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StubAnswer, type StubRequest, StubServer } from '../../test/harness/stub-server.ts'
import { type CommandLine, commandLine } from './command.ts'

const key = `sk_test_${'a'.repeat(40)}`
/** Clears the screen, sets the title, writes the clipboard, as one byte, turns the direction, goes back on the line. */
const escapes = '\u001b[2J\u001b]0;title\u0007\u001b]52;c;aGk=\u0007\u009b31m\u202Eevil\u202C\r\u007f\u0008\u{E0041}'
const name = `Buyer ${escapes}`
const organisationId = '01a1f285-af58-769e-9c8c-6f7f5282d6cb'

let service: StubServer
let elsewhere: StubServer
let risiti: CommandLine
let answers: (request: StubRequest) => StubAnswer
beforeAll(async () => {
  service = await new StubServer().start()
  elsewhere = await new StubServer().start()
  risiti = await commandLine({ RISITI_SERVER: service.url, RISITI_API_KEY: key })
  service.answer = (request) => answers(request)
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await elsewhere?.[Symbol.asyncDispose]()
  await risiti?.end()
})

const enveloped = (data: unknown, more: object = {}) => ({ body: { meta: { requestId: 'r', ...more }, data } })
const pagination = { page: 1, limit: 20, total: 1, totalPages: 1, hasMore: false, nextCursor: null }
const me = enveloped({ organizationId: organisationId, principal: 'api_key', capabilities: [] })
/** A service in which others chose the texts. */
const usual = ({ path, method }: StubRequest): StubAnswer => {
  if (path.startsWith('/a/v1/auth/me')) return me
  if (path.startsWith('/a/v1/organizations')) return enveloped({ id: organisationId, name })
  if (method !== 'GET')
    return {
      status: 409,
      body: {
        meta: { requestId: name },
        error: { code: 'X', reason: name, message: name, details: [{ path: name, message: name }] },
      },
    }
  if (path.includes('csv')) return { headers: { 'content-type': 'text/csv' }, body: `name\n${name}\n` }
  return enveloped([{ id: name, name, inner: { name } }], { pagination })
}

describe('texts of others', () => {
  const harmful = /(?!\n)[\p{Cc}\p{Cf}]/u
  const commands: readonly (readonly string[])[] = [
    ['buyers', 'list'],
    ['buyers', 'list', '--json'],
    ['buyers', 'list', '--all', '--json'],
    ['api', 'GET', '/i/v1/buyers'],
    ['api', 'GET', '/i/v1/buyers?as=csv', '--accept', 'text/csv'],
    ['buyers', 'create', '--set', 'name=x'],
    ['buyers', 'create', '--set', 'name=x', '--json'],
    ['whoami'],
    ['export', 'buyers'],
    ['doctor'],
  ]
  test.each(commands.map((words) => [words.join(' '), words] as const))(
    'cannot give orders to the terminal: %s',
    async (_, words) => {
      answers = usual
      const { out, notes } = await risiti(words, { isTerminal: true })
      expect(out + notes).not.toMatch(harmful)
      expect(out + notes).toContain('Buyer')
    },
  )

  test('stay what they are inside JSON, and for a program', async () => {
    answers = usual
    const onTerminal = await risiti(['buyers', 'list', '--json'], { isTerminal: true })
    expect(JSON.parse(onTerminal.out)).toEqual([{ id: name, name, inner: { name } }])
    const csv = ['api', 'GET', '/i/v1/buyers?as=csv', '--accept', 'text/csv']
    expect((await risiti(csv)).out).toBe(`name\n${name}\n`)
  })
})

describe('the credential', () => {
  test('is not sent to where a redirect leads', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      answers = ({ path }) =>
        path.startsWith('/a/v1') ? me : { status, headers: { location: `${elsewhere.url}/taken` }, body: '' }
      expect((await risiti(['api', 'GET', '/i/v1/buyers'])).code).not.toBe(0)
      expect((await risiti(['buyers', 'create', '--set', 'name=x'])).code).not.toBe(0)
    }
    expect(elsewhere.requests).toEqual([])
  })

  test('is not sent to where a path leads', async () => {
    answers = usual
    const { host } = new URL(elsewhere.url)
    for (const path of [
      elsewhere.url,
      `//${host}/x`,
      `/\\${host}/x`,
      `\\\\${host}/x`,
      `@${host}/x`,
      `/@${host}/x`,
      `:@${host}/x`,
      `/../..//${host}/x`,
      `/\t/${host}/x`,
      `/\n//${host}/x`,
      `/#@${host}/x`,
    ])
      await risiti(['api', 'GET', path])
    for (const page of [elsewhere.url, `//${host}`, `/\\${host}`, '../x', 'javascript:alert(1)'])
      expect((await risiti(['open', page, '--print'])).code).toBe(2)
    for (const server of ['javascript:alert(1)', 'file:///etc/passwd', 'http://user:password@x.test', 'http://x.test'])
      expect((await risiti(['whoami', '--server', server])).code).toBe(2)
    expect(elsewhere.requests).toEqual([])
  })

  test('is not in an error about itself', async () => {
    for (const broken of [`${key}\nsecond line`, `${key}\u0000`, `${key} “quoted”`]) {
      const { code, out, notes } = await risiti('whoami', { env: { RISITI_API_KEY: broken } })
      expect([code, (out + notes).includes('aaaa')]).toEqual([2, false])
    }
  })

  test('is in no file that a link chose, and the doctor finds files that others can read or replace', async () => {
    answers = usual
    const own = await commandLine({ RISITI_SERVER: service.url })
    const target = join(own.home, 'target')
    await writeFile(target, 'untouched')
    expect((await own('login --api-key-stdin --profile mine', { stdin: key })).code).toBe(0)
    const path = join(own.home, 'profiles.json')
    const stored = await readFile(path, 'utf8')
    await writeFile(target, stored)
    await chmod(path, 0o600)
    await symlinkOver(target, path)
    expect((await own('login --api-key-stdin --profile other', { stdin: key })).code).toBe(0)
    expect([(await lstat(path)).isSymbolicLink(), await readFile(target, 'utf8')]).toEqual([false, stored])
    const findings = async () => JSON.parse((await own('doctor --json')).out)[1]
    expect(await findings()).toMatchObject({ check: 'files', ok: true })
    await mkdir(join(own.home, 'sign-ins'), { mode: 0o700 })
    const tokens = join(own.home, 'sign-ins', 'one.json')
    await writeFile(tokens, '{}', { mode: 0o644 })
    expect(await findings()).toMatchObject({ ok: false, about: expect.stringContaining(tokens) })
    await chmod(tokens, 0o600)
    await chmod(own.home, 0o777)
    expect(await findings()).toMatchObject({ ok: false, about: expect.stringContaining('can be changed by others') })
    await own.end()
  })
})

test('a damaged or copied file with profiles is said to be so, and nothing is sent', async () => {
  answers = usual
  const own = await commandLine({ RISITI_SERVER: service.url })
  await own('login --api-key-stdin --profile mine', { stdin: key })
  const path = join(own.home, 'profiles.json')
  const good = JSON.parse(await readFile(path, 'utf8'))
  const before = service.requests.length
  const { mine } = good.profiles
  for (const damaged of [
    '',
    '{"current": "mi',
    '[]',
    '"mine"',
    '{"current": 1}',
    '{"profiles": []}',
    JSON.stringify({ ...good, profiles: { mine: null } }),
    JSON.stringify({ ...good, profiles: { mine: { ...mine, server: 'nowhere' } } }),
    JSON.stringify({ ...good, profiles: { mine: { ...mine, mode: 'both' } } }),
    JSON.stringify({ ...good, profiles: { mine: { ...mine, apiKey: 7 } } }),
  ]) {
    await writeFile(path, damaged)
    const { code, notes } = await own('buyers list')
    expect([damaged, code, notes]).toEqual([damaged, 1, expect.stringContaining(path)])
    expect(notes).not.toContain('aaaa')
  }
  expect(service.requests.length).toBe(before)
  await writeFile(path, JSON.stringify(good))
  expect((await own('buyers list --json')).notes).toBe('')
  await chmod(path, 0o644)
  const copied = await own('buyers list --json')
  expect([copied.code, copied.notes]).toEqual([0, expect.stringContaining(`chmod 600 ${path}`)])
  await own.end()
})

test('a folder that cannot be written is named', async () => {
  answers = usual
  const file = join(risiti.home, 'a-file')
  await writeFile(file, '')
  const env = { RISITI_HOME: join(file, 'home'), RISITI_API_KEY: '' }
  const { code, notes } = await risiti('login --api-key-stdin', { stdin: key, env })
  expect([code, notes]).toEqual([1, expect.stringContaining(file)])
})

describe('a terminal', () => {
  test('with short lines gets the columns that fit, and whole ids', async () => {
    answers = (request) =>
      request.path.startsWith('/i/v1/buyers')
        ? enveloped([{ id: organisationId, name: 'A name that is longer than thirty characters', email: 'a@b.test' }], {
            pagination,
          })
        : usual(request)
    const linesAt = async (lineWidth?: number) =>
      (await risiti('buyers list', { isTerminal: true, ...(lineWidth ? { lineWidth } : {}) })).out.split('\n')
    for (const width of [20, 40, 70, 80, 100, 200]) {
      const [heading, row] = await linesAt(width)
      expect(row).toContain(organisationId)
      expect(heading).toMatch(/^id/)
      if (width >= 40) expect(Math.max(heading?.length ?? 0, row?.length ?? 0)).toBeLessThanOrEqual(width)
    }
    expect((await linesAt(80))[0]).toMatch(/name/)
    expect((await linesAt())[1]).toContain('longer than thirty')
  })

  test('gets a word if a list is empty, and a program gets nothing', async () => {
    answers = (request) =>
      request.method === 'GET' && !request.path.startsWith('/a/') ? enveloped([], { pagination }) : usual(request)
    for (const words of ['buyers list', 'buyers list --all']) {
      expect(await risiti(words)).toMatchObject({ code: 0, out: '', notes: 'Nothing found.\n' })
      expect((await risiti(`${words} --json`)).notes).toBe('')
    }
  })

  test('that closes early or is full ends the process with the right code', async () => {
    answers = usual
    const words = [join(import.meta.dirname, '../src/main.ts'), 'export', 'buyers']
    const env = { PATH: process.env.PATH, RISITI_HOME: risiti.home, RISITI_SERVER: service.url, RISITI_API_KEY: key }
    const ended = async (redirect: string) => {
      const child = spawn('sh', ['-c', `"$@" ${redirect}; echo "code $?" >&3`, 'sh', process.execPath, ...words], {
        env,
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      })
      const [out, notes, codes] = await Promise.all(
        [child.stdio[1], child.stdio[2], child.stdio[3]].map((one) => text(one as Readable)),
      )
      return { out, notes, codes }
    }
    expect(await ended('>/dev/full')).toMatchObject({
      codes: 'code 1\n',
      notes: expect.stringContaining('stdout cannot be written: ENOSPC'),
    })
    // Nobody reads any more, on both streams.
    expect(await ended('2>&1 | exec true')).toMatchObject({ codes: 'code 0\n', notes: '' })
  })
})

async function symlinkOver(target: string, path: string): Promise<void> {
  await symlink(target, `${path}.link`)
  await rename(`${path}.link`, path)
}

test('a reply without an end is given up, and a redirect is no service', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  let sent = 0
  const endless = createServer((request, response) => {
    request.resume()
    response.writeHead(request.url === '/a/v1/auth/me' ? 200 : 999, { 'content-type': 'application/json' })
    const write = () => {
      while (!response.destroyed && response.write(piece)) sent += piece.length
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  const env = { RISITI_SERVER: `http://127.0.0.1:${(endless.address() as AddressInfo).port}` }
  const tooLarge = expect.stringMatching(/the reply of http:\S+ has more than \d+ bytes/)
  expect(await risiti('whoami', { env })).toMatchObject({ code: 7, out: '', notes: tooLarge })
  expect(await risiti('buyers create --set name=x', { env })).toMatchObject({ code: 7, out: '', notes: tooLarge })
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  expect((await risiti('mcp', { env, stdin: `${JSON.stringify(message)}\n` })).out).toMatch(/has more than \d+ bytes/)
  // Three tries of each.
  expect(sent / piece.length).toBeLessThan(4 * 3 * 300)
  endless.close()
  endless.closeAllConnections()
  answers = () => ({ status: 302, headers: { location: `${elsewhere.url}/taken` }, body: '' })
  expect(JSON.parse((await risiti('doctor --json')).out)[2]).toMatchObject({ check: 'server', ok: false })
  expect(elsewhere.requests).toEqual([])
})

test('input without an end is refused', async () => {
  answers = usual
  async function* endless() {
    const piece = 'x'.repeat(1024 * 1024)
    for (;;) yield piece
  }
  for (const words of [
    ['buyers', 'create', '--data', '@/dev/zero'],
    ['buyers', 'create', '--data', '-'],
    ['import', 'buyers', '/dev/zero'],
    ['login', '--api-key-stdin'],
  ]) {
    const { code, notes } = await risiti(words, { stdin: endless() })
    expect([words, code, notes]).toEqual([words, 2, expect.stringContaining('more than')])
  }
})

describe('listen', () => {
  const times = { waitSeconds: 1, graceMs: 500, firstPauseMs: 5, longestPauseMs: 10, replyMs: 400, quietMs: 60_000 }
  const event = (cursor: string, payload: string) => ({
    ...{ id: cursor, type: 'buyer.created', createdAt: `2026-11-19T10:00:00Z${escapes}`, cursor, payload },
  })
  const feedOf = (pages: readonly (() => StubAnswer)[]) => {
    let at = 0
    return (request: StubRequest): StubAnswer => {
      if (!request.path.includes('webhook-events')) return usual(request)
      return (pages[Math.min(at++, pages.length - 1)] as () => StubAnswer)()
    }
  }
  const good = () => enveloped([event('c1', '{"type":"buyer.created"}')], { pagination })
  const refusedToken = () => ({
    status: 401,
    body: {
      meta: {},
      error: { code: 'AUTH001', reason: 'auth.token_invalid', message: 'The token is invalid.', details: [] },
    },
  })

  test('is refused while another one forwards to the same address, and goes on after its end or death', async () => {
    const ending = new AbortController()
    const started = Promise.withResolvers<void>()
    const quiet = () => enveloped([], { pagination })
    answers = feedOf([quiet])
    const address = `${elsewhere.url}/alone`
    const words = ['listen', '--forward', address, '--from', 'start']
    const onNote = (note: string) => {
      if (note.startsWith('listening')) started.resolve()
    }
    const first = risiti(words, { times, signal: ending.signal, onNote })
    await started.promise
    expect(await risiti(words, { times })).toMatchObject({ code: 5, notes: expect.stringContaining(address) })
    expect((await risiti(`listen --forward ${address} --print-secret`)).code).toBe(0)
    ending.abort()
    expect((await first).code).toBe(130)

    answers = feedOf([refusedToken])
    const folder = join(risiti.home, 'listen')
    const names = async () => (await readdir(folder)).filter((one) => one.endsWith('.lock'))
    expect(await names()).toEqual([])
    const cursorFiles = await readdir(folder)
    const contents = await Promise.all(cursorFiles.map((one) => readFile(join(folder, one), 'utf8')))
    const lock = join(folder, `${cursorFiles[contents.findIndex((one) => one.includes(address))]}.lock`)
    // A process that died; one with our number before a restart; and one on another machine that gave no sign for an hour.
    const dead = spawn('true')
    await once(dead, 'close')
    const hourAgo = new Date(Date.now() - 3_600_000)
    for (const holder of [`${hostname()} ${dead.pid} x`, `${hostname()} ${process.pid} x`, 'elsewhere 1 x']) {
      await writeFile(lock, holder)
      if (holder.startsWith('elsewhere')) {
        expect((await risiti(words, { times })).code).toBe(5)
        await utimes(lock, hourAgo, hourAgo)
      }
      expect([holder, (await risiti(words, { times })).code]).toEqual([holder, 3])
    }
    expect(await names()).toEqual([])
  })

  test('says that it is up to date when no events come', async () => {
    const quiet = () => enveloped([], { pagination })
    answers = feedOf([quiet, quiet, refusedToken])
    const { out, notes } = await risiti('listen --from start', { times: { ...times, quietMs: 0 } })
    expect([out, notes.match(/up to date at \d\d:\d\d:\d\d\n/g)?.length]).toEqual(['', 2])
    answers = feedOf([quiet, quiet, refusedToken])
    expect((await risiti('listen --from start', { times })).notes).not.toContain('up to date')
  })

  test('ends with 3 when the key is revoked in the middle, and remembers where it was', async () => {
    answers = feedOf([good, refusedToken])
    const { code, out, notes } = await risiti('listen --from start', { times, isTerminal: true })
    expect([code, notes]).toEqual([3, expect.stringContaining('The token is invalid.')])
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    answers = feedOf([refusedToken])
    expect((await risiti('listen', { times })).notes).toContain('behind event c1')
  })

  test('forwards no event that it cannot read, and stays in front of it', async () => {
    answers = feedOf([() => enveloped([event('c2', `{"type":"${escapes}`)], { pagination })])
    const address = `${elsewhere.url}/hook`
    const { code, notes } = await risiti(['listen', '--from', 'c1', '--forward', address], { times })
    expect([code, elsewhere.requests]).toEqual([1, []])
    expect(notes).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    answers = feedOf([refusedToken])
    expect((await risiti(['listen', '--forward', address], { times })).notes).toContain('behind event c1')
  })

  test('goes on when the service redirects, and sends nothing elsewhere', async () => {
    const redirect = () => ({ status: 307, headers: { location: `${elsewhere.url}/feed` }, body: '' })
    answers = feedOf([redirect, redirect, good, refusedToken])
    const { out } = await risiti('listen --from start --json', { times })
    expect(JSON.parse(out)).toMatchObject({ id: 'c1' })
    expect(elsewhere.requests).toEqual([])
  })
})
