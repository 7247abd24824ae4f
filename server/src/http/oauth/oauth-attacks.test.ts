import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { ok } from '../../../../test/harness/issued.ts'
import { listLockWaits } from '../../../../test/harness/lock-waits.ts'
import {
  agreement,
  approve,
  askInBrowser,
  authorizeAddress,
  codeIn,
  connect,
  expectFaultPage,
  type Form,
  newAsking,
  oauthError,
  own,
  postForm,
  redemption,
  refresh,
  register,
  takeTokens,
  wrongGrant,
} from '../../../../test/harness/programs.ts'
import { sessionAgain } from '../../../../test/harness/session-again.ts'
import { systemRole } from '../../kernel/roles.ts'
import { lockingRow, sql } from '../../platform/database/sql.ts'
import { dashboardPaths } from '../plain/dashboard.ts'

let app: TestApp
let person: Person

beforeAll(async () => {
  app = await startTestApp({ trustProxy: { hops: 1 } })
  person = await app.person()
})
afterAll(() => app.close())

/** Sessions end sooner than requests, so the person signs in again. */
async function later(seconds: number): Promise<void> {
  app.clock.advance({ seconds })
  person = await sessionAgain(app, person, 'sandbox')
}

const whoAmI = (token: string) => app.a.get('/a/v1/auth/me', { token })
const expectPage = (values: Form | string) => expectFaultPage(app, values)

describe('the redirect address', () => {
  const tricks = [
    'http://127.0.0.1.evil.test/callback',
    'http://127.0.0.1:80@evil.test/callback',
    'http://evil.test/callback',
    'https://127.0.0.1/callback',
    'http://127.0.0.1/callback/',
    'http://127.0.0.1/callback/../other',
    'http://127.0.0.1/callback?more=1',
    'http://127.0.0.1/callback#fragment',
    'http://127.0.0.1/Callback',
    'http://127.0.0.1/%63allback',
    'http://127.0.0.1:99999999/callback',
    'http://127.1/callback',
    'http://0x7f000001/callback',
    'http://localhost.evil.test/callback',
    'http://[::1/callback',
    'javascript:alert(1)',
    'data:text/html,hello',
    '//127.0.0.1/callback',
    ' http://127.0.0.1/callback',
    'http://127.0.0.1/callback\nhttp://evil.test',
    '',
  ]
  test.each(tricks)('%j is not taken', async (redirectUri) => {
    const { values } = newAsking(app)
    await expectPage({ ...values, redirect_uri: redirectUri })
  })

  test.each([
    'http://127.0.0.1/callback',
    'http://127.0.0.1:1/callback',
    'http://[::1]:65535/callback',
    'http://localhost:8080/callback',
  ])('any port of the machine is taken: %s', async (redirectUri) => {
    const { values } = newAsking(app, { redirect_uri: redirectUri })
    const { data } = await approve(app, person, await askInBrowser(app, values))
    expect(data.redirectTo).toMatch(new RegExp(`^${redirectUri.replace(/[[\]]/g, '\\$&')}\\?code=program_code_`))
  })

  test('a wrong request of a program with a good address is no way to that address either', async () => {
    const registered = await register(app, {
      redirect_uris: ['https://phishing.test/page'],
      client_name: 'Nice program',
    })
    const { values } = newAsking(app, {
      client_id: registered.body.client_id,
      redirect_uri: 'https://phishing.test/page',
    })
    for (const wrong of [
      { scope: 'everything' },
      { response_type: 'token' },
      { resource: 'https://other.test' },
      { code_challenge: undefined },
      { state: 'a\u0000b' },
      { state: 'x'.repeat(1025) },
    ])
      await expectPage({ ...values, ...wrong })
    await expectPage(`${authorizeAddress(values)}&state=second`)
    expect(await askInBrowser(app, values)).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the code', () => {
  test('is bound to its verifier, and no downgrade of PKCE is taken', async () => {
    const { values } = newAsking(app)
    for (const downgrade of [
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge: 'short' },
    ])
      await expectPage({ ...values, ...downgrade })
    for (const wrong of [undefined, '', randomBytes(32).toString('base64url'), values.code_challenge]) {
      const { values: asked, verifier } = newAsking(app)
      const code = codeIn(await approve(app, person, await askInBrowser(app, asked)))
      expect(oauthError(await takeTokens(app, { ...redemption(asked, code, verifier), code_verifier: wrong }))).toEqual(
        wrongGrant,
      )
      // Somebody tried it without the secret: the code was copied, and is over.
      expect(oauthError(await takeTokens(app, redemption(asked, code, verifier)))).toEqual(wrongGrant)
    }
  })

  test('that is used twice ends the program', async () => {
    const connected = await connect(app, person, { asking: { resource: app.url } })
    expect((await whoAmI(connected.accessToken)).status).toBe(200)
    const again = await takeTokens(
      app,
      redemption({ client_id: own.clientId, redirect_uri: own.redirectUri }, connected.code, connected.verifier),
    )
    expect(oauthError(again)).toEqual(wrongGrant)
    expectRefusal(await whoAmI(connected.accessToken), 'auth.token_invalid')
    expect(oauthError(await refresh(app, connected.refreshToken))).toEqual(wrongGrant)
  })

  test('that is used twenty times at once gives tokens once at most', async () => {
    const { values, verifier } = newAsking(app, { resource: app.url })
    const code = codeIn(await approve(app, person, await askInBrowser(app, values)))
    const all = await Promise.all(Array.from({ length: 20 }, () => takeTokens(app, redemption(values, code, verifier))))
    const given = all.filter(({ status }) => status === 200)
    expect(given).toHaveLength(1)
    expectRefusal(await whoAmI(given[0]?.body.access_token), 'auth.token_invalid')
  })

  test('of another program, or for another address, gives nothing and is over', async () => {
    const { body: other } = await register(app, { redirect_uris: [own.redirectUri], client_name: 'Other program' })
    for (const wrong of [
      { client_id: other.client_id },
      { client_id: undefined },
      { redirect_uri: 'http://localhost:1/callback' },
    ]) {
      const { values, verifier } = newAsking(app)
      const code = codeIn(await approve(app, person, await askInBrowser(app, values)))
      expect(oauthError(await takeTokens(app, { ...redemption(values, code, verifier), ...wrong }))).toEqual(wrongGrant)
      expect(oauthError(await takeTokens(app, redemption(values, code, verifier)))).toEqual(wrongGrant)
    }
  })

  test('works for a minute', async () => {
    const { values, verifier } = newAsking(app)
    const code = codeIn(await approve(app, person, await askInBrowser(app, values)))
    await later(61)
    expect(oauthError(await takeTokens(app, redemption(values, code, verifier)))).toEqual(wrongGrant)
  })

  test('comes back with the issuer and the state, so that answers of several servers cannot be mixed up', async () => {
    const state = 'a&b=c#d é'.replace('é', '%')
    const { values } = newAsking(app, { state })
    const approved = new URL((await approve(app, person, await askInBrowser(app, values))).data.redirectTo)
    expect([approved.searchParams.get('iss'), approved.searchParams.get('state')]).toEqual([app.url, state])
    const id = await askInBrowser(app, values)
    await app.a.get(`/n/v1/program-requests/${id}`, { token: person.token })
    const denied = new URL(
      (await app.a.post(`/n/v1/program-requests/${id}/deny`, { token: person.token })).data.redirectTo,
    )
    expect(Object.fromEntries(denied.searchParams)).toEqual({ error: 'access_denied', state, iss: app.url })
    expectRefusal(await approveAgain(id), 'resource.not_found')
  })

  const approveAgain = async (id: string) => {
    const { values } = newAsking(app)
    const body = await agreement(app, person, await askInBrowser(app, values))
    return await app.a.post(`/n/v1/program-requests/${id}/approve`, { token: person.token, body })
  }
})

describe('consent', () => {
  test('belongs to the person who saw the request first', async () => {
    const [first, second] = [person, await app.person()]
    const id = await askInBrowser(app, newAsking(app).values)
    const body = await agreement(app, first, id)
    const at = `/n/v1/program-requests/${id}`
    for (const client of [app.a, app.b]) {
      expectRefusal(await client.get(at, { token: second.token }), 'resource.not_found')
      expectRefusal(await client.post(`${at}/approve`, { token: second.token, body }), 'resource.not_found')
      expectRefusal(await client.post(`${at}/deny`, { token: second.token }), 'resource.not_found')
    }
    expect((await app.b.post(`${at}/approve`, { token: first.token, body })).status).toBe(200)
    expectRefusal(await app.a.post(`${at}/approve`, { token: first.token, body }), 'resource.not_found')
  })

  test('is given for ten minutes only', async () => {
    const id = await askInBrowser(app, newAsking(app).values)
    const body = await agreement(app, person, id)
    await later(601)
    const at = `/n/v1/program-requests/${id}`
    expectRefusal(await app.a.post(`${at}/approve`, { token: person.token, body }), 'resource.not_found')
    expectRefusal(await app.a.get(at, { token: person.token }), 'resource.not_found')
  })

  test('needs the session itself: a cookie without our header, a key and a program give nothing', async () => {
    const id = await askInBrowser(app, newAsking(app).values)
    const at = `/n/v1/program-requests/${id}`
    const body = await agreement(app, person, id)
    const { accessToken } = await connect(app, person, { asking: { resource: app.url } })
    expectRefusal(await app.a.post(`${at}/approve`, { token: accessToken, body }), 'auth.users_only')
    expectRefusal(
      await app.a.post(`${at}/approve`, { token: await app.key(person.organisationId), body }),
      'auth.users_only',
    )
    const forged = await fetch(`${app.url}${at}/approve`, {
      method: 'POST',
      headers: {
        cookie: `risiti-access=${person.token}`,
        origin: 'https://evil.test',
        'sec-fetch-site': 'cross-site',
        'risiti-session': 'cookie',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    expect(forged.status).toBe(401)
  })

  test('gives nothing that the person does not hold, or the program did not ask for', async () => {
    const owner = await app.person()
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    const { values } = newAsking(app, { scope: 'invoice.read invoice.create' })
    const id = await askInBrowser(app, values)
    const shown = await app.a.get(`/n/v1/program-requests/${id}`, { token: viewer.token })
    expect(shown.data.organizations).toEqual([
      expect.objectContaining({
        id: owner.organisationId,
        capabilities: expect.not.arrayContaining(['invoice.create']),
      }),
    ])
    const at = `/n/v1/program-requests/${id}/approve`
    const send = (change: object) => async () => {
      const body = { ...(await agreement(app, viewer, id)), ...change }
      return await app.a.post(at, { token: viewer.token, body })
    }
    const refused = [
      send({ capabilities: ['invoice.read', 'invoice.create'] }),
      send({ capabilities: ['buyer.read'] }),
      send({ capabilities: [] }),
      send({ capabilities: ['member.read'] }),
      send({ organizationId: person.organisationId }),
    ]
    for (const attempt of refused) expectRefusal(await attempt(), 'request.invalid')
    expect((await send({})()).status).toBe(200)
  })
})

describe('the user code', () => {
  const start = (more: Form = {}) => postForm(app, '/oauth/device_authorization', { client_id: own.clientId, ...more })
  const poll = (deviceCode: string, more: Form = {}) =>
    takeTokens(app, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: own.clientId,
      device_code: deviceCode,
      ...more,
    })
  const find = (userCode: string, token = person.token) =>
    app.a.post('/n/v1/program-requests/find', { token, body: { userCode } })

  test('cannot be guessed: tries are limited', async () => {
    const limited = await startTestApp({ limits: { login: 3 }, database: app.database, trustProxy: { hops: 1 } })
    try {
      const guesser = await limited.person()
      const guess = () =>
        limited.a.post('/n/v1/program-requests/find', { token: guesser.token, body: { userCode: 'BCDF-GHJK' } })
      const statuses: number[] = []
      // A minute may pass between two tries.
      while (statuses.at(-1) !== 429 && statuses.length < 50) statuses.push((await guess()).status)
      expect(statuses.at(-1)).toBe(429)
      expect(new Set(statuses.slice(0, -1))).toEqual(new Set([404]))
    } finally {
      await limited.close()
    }
  })

  test('of a request that was answered, or that expired, is unknown', async () => {
    const { body } = await start()
    const { data } = await find(body.user_code)
    await app.a.post(`/n/v1/program-requests/${data.id}/deny`, { token: person.token })
    expectRefusal(await find(body.user_code), 'resource.not_found')
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'access_denied'])
  })

  test('slows down a program that asks too often, and ends in time', async () => {
    const { body } = await start()
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'authorization_pending'])
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'slow_down'])
    await later(6)
    // The pause is ten seconds now.
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'slow_down'])
    await later(15)
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'authorization_pending'])
    await later(600)
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'expired_token'])
  })

  test('gives tokens to the program that started, once', async () => {
    const fresh = await app.person()
    const { body } = await start({ resource: app.url, scope: 'invoice.read' })
    const { data } = await find(body.user_code, fresh.token)
    expect((await approve(app, fresh, data.id)).status).toBe(200)
    expect(oauthError(await poll(body.device_code, { client_id: 'program_other' }))).toEqual(wrongGrant)
    expect(
      oauthError(
        await takeTokens(app, { grant_type: 'authorization_code', client_id: own.clientId, code: body.device_code }),
      ),
    ).toEqual(wrongGrant)
    const given = await poll(body.device_code)
    expect(given.status).toBe(200)
    expect(oauthError(await poll(body.device_code))).toEqual(wrongGrant)
    expectRefusal(await whoAmI(given.body.access_token), 'auth.token_invalid')
  })
})

describe('between consent and exchange', () => {
  /** A person agrees, then something happens, and then the program redeems its code. */
  async function redeemedAfter(member: Person, happens: () => Promise<unknown>) {
    const { values, verifier } = newAsking(app, { resource: app.url })
    const code = codeIn(await approve(app, member, await askInBrowser(app, values)))
    await happens()
    return await takeTokens(app, redemption(values, code, verifier))
  }
  const memberPath = ({ userId }: Person) => `/a/v1/organizations/me/users/${userId}`

  test('a person who leaves, is suspended or changes the password takes the program along', async () => {
    const owner = await app.person()
    const { token } = owner
    const happenings: ((member: Person) => Promise<unknown>)[] = [
      async (member) => ok(await app.a.delete(memberPath(member), { token })),
      async (member) => ok(await app.a.patch(`${memberPath(member)}/status`, { token, body: { status: 'suspended' } })),
      async ({ token: own, password }) => {
        const body = { currentPassword: password, newPassword: 'another long password' }
        return ok(await app.a.post('/a/v1/auth/change-password', { token: own, body }))
      },
    ]
    for (const happening of happenings) {
      const member = await app.member(owner.organisationId, 'MEMBER')
      expect(oauthError(await redeemedAfter(member, () => happening(member)))).toEqual(wrongGrant)
    }
  })

  test('a lost capability is not in the token', async () => {
    const owner = await app.person()
    const clerk = await memberHolding(app, owner, 'invoice.read', 'api_key.read')
    const { body } = await redeemedAfter(clerk, async () =>
      ok(
        await app.b.patch(`${memberPath(clerk)}/role`, {
          token: owner.token,
          body: { roleId: systemRole('MEMBER').id },
        }),
      ),
    )
    expect(body.scope.split(' ')).not.toContain('api_key.read')
  })

  test('a code that is redeemed while its program is disconnected gives no token that works', async () => {
    for (let round = 0; round < 5; round++) {
      const { values, verifier } = newAsking(app, { resource: app.url })
      const code = codeIn(await approve(app, person, await askInBrowser(app, values)))
      const { data } = await app.a.get('/n/v1/connected-programs', { token: person.token })
      const [redeemed] = await Promise.all([
        takeTokens(app, redemption(values, code, verifier)),
        app.a.delete(`/n/v1/connected-programs/${data[0].id}`, { token: person.token }),
      ])
      if (redeemed.status === 200) expectRefusal(await whoAmI(redeemed.body.access_token), 'auth.token_invalid')
      else expect(oauthError(redeemed)).toEqual(wrongGrant)
    }
  })

  test('of approving and refusing at the same moment, one happens', async () => {
    for (let round = 0; round < 5; round++) {
      const { values, verifier } = newAsking(app, { resource: app.url })
      const id = await askInBrowser(app, values)
      const body = await agreement(app, person, id)
      const at = `/n/v1/program-requests/${id}`
      const [approved, denied] = await Promise.all([
        app.a.post(`${at}/approve`, { token: person.token, body }),
        app.a.post(`${at}/deny`, { token: person.token }),
      ])
      expect([approved.status, denied.status].sort()).toEqual([200, 404])
      if (approved.status === 200)
        expect((await takeTokens(app, redemption(values, codeIn(approved), verifier))).status).toBe(200)
    }
  })
})

test('a stolen session that a new password ends cannot connect a program meanwhile', async () => {
  const victim = await app.person()
  const id = await askInBrowser(app, newAsking(app).values)
  const body = await agreement(app, victim, id)
  // The new password locks the person, and ends the session before the approval gets the lock.
  const { approving } = await app.owner.transaction(async (tx) => {
    const person = sql`select from users where id = ${victim.userId}`
    await tx.run(lockingRow(person, 'no key update', `person ${victim.userId}`))
    const approving = app.a.post(`/n/v1/program-requests/${id}/approve`, { token: victim.token, body })
    await eventually(async () => {
      expect(await listLockWaits(app.owner)).toHaveLength(1)
    })
    await tx.run(sql`update sessions set ended_at = now() where user_id = ${victim.userId}`)
    return { approving }
  })
  expectRefusal(await approving, 'session.ended')
})

test('no page of the dashboard, and so not that of consent, can be shown inside a page of others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'risiti-dashboard-'))
  await writeFile(join(folder, 'index.html'), '<!DOCTYPE html><title>Dashboard</title>')
  const withPages = await startTestApp({ database: app.database, dashboard: folder })
  try {
    for (const path of dashboardPaths) {
      const { status, headers } = await fetch(`${withPages.url}/${path}`)
      expect([status, headers.get('x-frame-options')]).toEqual([200, 'DENY'])
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  } finally {
    await withPages.close()
    await rm(folder, { recursive: true })
  }
})
