import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { newAccountPath } from '../../../../../test/harness/joining.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newInvitationCode, readInvitationCode } from './invitation.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ trustProxy: { hops: 1 } })
})
afterAll(() => app.close())

const mine = '/a/v1/organizations/me/invitations'
const freshEmail = () => `v${randomBytes(6).toString('hex')}@example.test`

async function codeTo(email: string, howMany = 1): Promise<string> {
  const [mail] = await app.mailTo(email, howMany)
  return /^(\w{4})-(\w{4})$/m
    .exec(mail?.text ?? '')
    ?.slice(1)
    .join('') as string
}
async function invite(owner: Person, own: object = {}) {
  const body = { email: freshEmail(), fullName: 'Ada Obi', ...own }
  const { data, status } = await app.a.post(mine, { token: owner.token, body })
  expect(status).toBe(201)
  return { id: data.id as string, email: body.email, code: await codeTo(body.email), expiresAt: data.expiresAt }
}
const preview = (client: Client, email: string, invitationCode: string, from = '127.0.0.1') =>
  client.post('/a/v1/verify-invitation', { body: { email, invitationCode }, headers: { 'x-forwarded-for': from } })

/** Sends many wrong codes at once. Each gets the same reply. */
async function guessWrong(client: Client, email: string, code: string, times: number): Promise<void> {
  const replies = await Promise.all(Array.from({ length: times }, () => preview(client, email, code)))
  for (const reply of replies) expectRefusal(reply, 'invitation.unknown')
}

/** Everything by which a caller can tell two replies apart. */
const told = ({ status, text, headers }: Reply) => ({
  status,
  text: text.replace(/"(timestamp|requestId)":"[^"]+"/g, '"$1"'),
  headers: [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit-.*)$/.test(name)),
})

/** The same code with one symbol changed. */
const otherThan = (code: string) => `${code[0] === '7' ? '8' : '7'}${code.slice(1)}`

describe('a code', () => {
  test('has eight symbols of Crockford’s alphabet, and every symbol occurs', () => {
    const codes = Array.from({ length: 4000 }, newInvitationCode)
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
    expect(new Set(codes).size).toBe(codes.length)
    expect(new Set(codes.join('')).size).toBe(32)
  })

  test.each([
    ['01ABCDEF', '01ABCDEF'],
    ['01abcdef', '01ABCDEF'],
    [' 01ab-cdef ', '01ABCDEF'],
    ['0 1 a b-c-d-e f', '01ABCDEF'],
    ['oiabcdef', '01ABCDEF'],
    ['OlabcdeF', '01ABCDEF'],
    ['OLABCDEF', '01ABCDEF'],
    ['01ABCDE', undefined],
    ['01ABCDEF0', undefined],
    ['01ABCDEU', undefined],
    ['01ABCDE*', undefined],
    ['０1ABCDEF', undefined],
    ['--------', undefined],
    ['', undefined],
  ])('typed as "%s" is read as %s', (typed, read) => {
    expect(readInvitationCode(typed)).toBe(read)
  })
})

describe.each(['A', 'B'] as const)('looking at an invitation in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('shows only the data for the invited person', async () => {
    const owner = await app.person()
    const { email, code, expiresAt } = await invite(owner, { message: 'Welcome' })
    const seen = await preview(client, email, code)
    expect(seen.status).toBe(200)
    expect(seen.data).toEqual({
      organization: { name: 'Eze Stores', country: 'NG' },
      email,
      fullName: 'Ada Obi',
      role: { name: 'MEMBER', label: 'Member' },
      invitedBy: 'Ngozi Eze',
      message: 'Welcome',
      expiresAt,
    })
    expect(seen.text).not.toMatch(new RegExp(`${code}|${owner.organisationId}|${owner.userId}`))
    // A preview uses up no attempt.
    expect(
      (await preview(client, email.toUpperCase(), `${code.slice(0, 3)} ${code.slice(3)}`.toLowerCase())).data,
    ).toEqual(seen.data)
  })

  test('every mismatch gets the same reply', async () => {
    const [owner, neighbour] = [await app.person(), await app.person()]
    const [pending, withdrawn, resent] = [await invite(owner), await invite(owner), await invite(owner)]
    await client.delete(`${mine}/${withdrawn.id}`, { token: owner.token })
    await client.post(`${mine}/${resent.id}/resend`, { token: owner.token })
    const elsewhere = await invite(neighbour)
    const joining = await app.person()
    const accepted = await invite(owner, { email: joining.email })
    const joined = { token: joining.token, body: { invitationCode: accepted.code } }
    expect((await app.a.post('/a/v1/accept-invitation', joined)).status).toBe(200)

    const mismatches: [string, string][] = [
      [pending.email, otherThan(pending.code)],
      [pending.email, withdrawn.code],
      [pending.email, 'UUUUUUUU'],
      [pending.email, '********'],
      [pending.email, `${pending.code}0`],
      [pending.email, '- - - - - - - -'],
      [elsewhere.email, pending.code],
      [freshEmail(), pending.code],
      [owner.email, pending.code],
      [withdrawn.email, withdrawn.code],
      [resent.email, resent.code],
      [accepted.email, accepted.code],
    ]
    const replies = await Promise.all(mismatches.map(([email, code]) => preview(client, email, code)))
    const [first, ...others] = replies as [Reply, ...Reply[]]
    expectRefusal(first, 'invitation.unknown')
    expect([first.status, first.body.error.code]).toEqual([404, 'RES001'])
    for (const other of others) expect(told(other)).toEqual(told(first))
    expect((await preview(client, pending.email, pending.code)).status).toBe(200)

    const late = await invite(await app.person())
    app.clock.advance({ days: 7 })
    expect(told(await preview(client, late.email, late.code))).toEqual(told(first))
  })

  test('a malformed code or address is a fault', async () => {
    const faults = async (email: string, code: string) => faultPaths(await preview(client, email, code))
    expect(await faults(freshEmail(), '1234567')).toEqual(['invitationCode'])
    expect(await faults(freshEmail(), '1-2-3-4-5-6-7-8--')).toEqual(['invitationCode'])
    expect(await faults('nobody', '12345678')).toEqual(['email'])
    const tooLong = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example.test`
    expect(await faults(tooLong, '12345678')).toEqual(['email'])
    const empty = await client.post('/a/v1/verify-invitation', { body: {} })
    expect(faultPaths(empty)).toEqual(['email', 'invitationCode'])
  })

  test('ten wrong codes lock the address for an hour for that network only', async () => {
    const owner = await app.person()
    const [locked, free] = [await invite(owner), await invite(owner)]
    await guessWrong(client, locked.email.toUpperCase(), otherThan(locked.code), 10)
    for (const code of [locked.code, otherThan(locked.code)]) {
      const refused = await preview(client, locked.email, code)
      expectRefusal(refused, 'limit.exceeded')
      expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE001'])
      expect(refused.headers.get('retry-after')).toBe('3600')
    }
    expect((await preview(client, free.email, free.code)).status).toBe(200)

    app.clock.advance({ minutes: 59, seconds: 59 })
    const still = await preview(client, locked.email, locked.code)
    expectRefusal(still, 'limit.exceeded')
    expect(still.headers.get('retry-after')).toBe('1')
    app.clock.advance({ seconds: 1 })
    // The count starts again: nine more wrong codes do not lock it.
    await guessWrong(client, locked.email, otherThan(locked.code), 9)
    expect((await preview(client, locked.email, locked.code)).status).toBe(200)
  })

  test('an uninvited address is locked in the same way, and malformed codes count', async () => {
    const email = freshEmail()
    await guessWrong(client, email, 'UUUUUUUU', 5)
    await guessWrong(client, email, '00000000', 5)
    expectRefusal(await preview(client, email, '00000000'), 'limit.exceeded')
  })

  test('a right code resets the count', async () => {
    const { email, code } = await invite(await app.person())
    for (let round = 0; round < 2; round++) {
      await guessWrong(client, email, otherThan(code), 9)
      expect((await preview(client, email, code)).status).toBe(200)
    }
  })
})

test('the lock holds in both forms, also for joining, and counts concurrent tries', async () => {
  const joining = await app.person()
  const { email, code } = await invite(await app.person(), { email: joining.email })
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => preview(app.client(index % 2 ? 'A' : 'B'), email, otherThan(code))),
  )
  const body = { invitationCode: code }
  expectRefusal(await preview(app.a, email, code), 'limit.exceeded')
  expectRefusal(await preview(app.b, email, code), 'limit.exceeded')
  expectRefusal(await app.a.post('/a/v1/accept-invitation', { token: joining.token, body }), 'limit.exceeded')
  const person = { email, password: joining.password, firstName: 'Ngozi', lastName: 'Eze' }
  for (const form of ['A', 'B'] as const)
    expectRefusal(await app.client(form).post(newAccountPath[form], { body: { ...body, ...person } }), 'limit.exceeded')
})

test('wrong codes of a stranger block neither the invited person nor a signed-in person', async () => {
  const joining = await app.person()
  const { email, code } = await invite(await app.person(), { email: joining.email })
  const stranger = '203.0.113.9'
  const guesses = Array.from({ length: 12 }, () => preview(app.a, email, otherThan(code), stranger))
  expect((await Promise.all(guesses)).map(({ status }) => status).sort()).toEqual([...Array(10).fill(404), 429, 429])
  expectRefusal(await preview(app.a, email, code, stranger), 'limit.exceeded')
  expect((await preview(app.a, email, code, '198.51.100.7')).status).toBe(200)
  const body = { invitationCode: code }
  expect((await app.a.post('/a/v1/accept-invitation', { token: joining.token, body })).status).toBe(200)
})

test('all unknown networks together have ten thousand guesses a day, and known networks are not blocked', async () => {
  const joining = await app.person()
  const { email, code } = await invite(await app.person(), { email: joining.email })
  const home = '198.51.100.7'
  const credentials = { email, password: joining.password }
  await app.a.post('/a/v1/auth/login', { body: credentials, headers: { 'x-forwarded-for': home } })
  expectRefusal(await preview(app.a, email, otherThan(code), '203.0.113.9'), 'invitation.unknown')
  await app.runtime.db.run(sql`update attempt_counters set wrong = 9999 where purpose = 'invitation' and network = ''`)
  expectRefusal(await preview(app.a, email, otherThan(code), '192.0.2.1'), 'invitation.unknown')
  for (const from of ['192.0.2.1', '10.1.2.3']) expectRefusal(await preview(app.a, email, code, from), 'limit.exceeded')
  expect((await preview(app.a, email, code, home)).status).toBe(200)
  const body = { invitationCode: code }
  expect((await app.a.post('/a/v1/accept-invitation', { token: joining.token, body })).status).toBe(200)
})
