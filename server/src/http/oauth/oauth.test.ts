import { hash } from 'node:crypto'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { mcpClient } from '../../../../test/harness/mcp.ts'
import { approve, connect, newAddress, own, refresh } from '../../../../test/harness/programs.ts'
import { programCapabilities } from '../../kernel/capabilities.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
let person: Person

beforeAll(async () => {
  // Each request of a test comes from a network of its own.
  app = await startTestApp({ trustProxy: { hops: 1 } })
  person = await app.person()
})
afterAll(() => app.close())

const whoAmI = (token: string) => app.a.get('/a/v1/auth/me', { token })

/** An independent client, which reads the metadata and checks every answer. */
async function program(clientId = own.clientId): Promise<client.Configuration> {
  const address = newAddress()
  return await client.discovery(new URL(app.url), clientId, undefined, client.None(), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
    [client.customFetch]: (url, options) =>
      fetch(url, { ...(options as RequestInit), headers: { ...options.headers, 'x-forwarded-for': address } }),
  })
}

describe('an independent client', () => {
  test('finds the metadata, asks in the browser, takes tokens, renews and gives them back', async () => {
    const config = await program()
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: own.redirectUri,
      scope: 'invoice.read buyer.read',
      resource: app.url,
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const response = await fetch(address, { redirect: 'manual' })
    const id = new URL(response.headers.get('location') ?? '').searchParams.get('request') as string
    const approved = await approve(app, person, id)
    // The client checks state and issuer.
    const tokens = await client.authorizationCodeGrant(config, new URL(approved.data.redirectTo), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    expect(tokens.scope).toBe('invoice.read buyer.read')
    const me = await whoAmI(tokens.access_token)
    expect(me.data).toMatchObject({
      principal: 'program',
      program: {
        name: 'Risiti CLI',
        userId: person.userId,
        email: person.email,
        resource: 'api',
        limits: { amountMinorPerChange: null, amountMinorPerDay: null, currency: null, changesPerDay: null },
        spentToday: { amountMinor: 0, changes: 0 },
      },
      organizationId: person.organisationId,
      role: 'OWNER',
      mode: 'sandbox',
      capabilities: ['buyer.read', 'invoice.read'],
    })
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token as string)
    expect((await whoAmI(renewed.access_token)).status).toBe(200)
    await client.tokenRevocation(config, renewed.refresh_token as string)
    expectRefusal(await whoAmI(renewed.access_token), 'auth.token_invalid')
    expectRefusal(await whoAmI(tokens.access_token), 'auth.token_invalid')
  })

  test('shows a code and waits for the answer', async () => {
    const config = await program()
    const started = await client.initiateDeviceAuthorization(config, { scope: 'invoice.read', resource: app.url })
    expect(started).toMatchObject({
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${app.url}/connect/device`,
      verification_uri_complete: `${app.url}/connect/device?code=${started.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    const userCode = ` ${started.user_code.toLowerCase().replace('-', ' ')}`
    const found = await app.b.post('/n/v1/program-requests/find', { token: person.token, body: { userCode } })
    expect(found.data).toMatchObject({
      kind: 'device',
      program: { clientId: 'risiti-cli', name: 'Risiti CLI', host: null, isBuiltIn: true },
      resource: 'api',
      redirectHost: null,
      askedFrom: { address: expect.stringMatching(/^10\./), userAgent: expect.any(String) },
      requestedCapabilities: ['invoice.read'],
    })
    expect((await approve(app, person, found.data.id)).data).toEqual({ redirectTo: null })
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...started, interval: 0.01 })
    expect((await whoAmI(tokens.access_token)).data.capabilities).toEqual(['invoice.read'])
  })
})

test('the metadata names every address, and the tools say where to sign in', async () => {
  const at = async (path: string) => (await fetch(`${app.url}${path}`)).json()
  const issuer = app.url
  expect(await at('/.well-known/oauth-authorization-server')).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    scopes_supported: programCapabilities,
  })
  for (const path of ['', '/mcp'])
    expect(await at(`/.well-known/oauth-protected-resource${path}`)).toMatchObject({
      resource: `${issuer}${path}`,
      authorization_servers: [issuer],
    })
  const metadata = `resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`
  const call = (headers: Record<string, string>) => fetch(`${issuer}/mcp`, { method: 'POST', headers })
  expect((await call({})).headers.get('www-authenticate')).toBe(`Bearer ${metadata}`)
  const wrong = await call({ authorization: 'Bearer eyJ.wrong.token' })
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer ${metadata}, error="invalid_token"`,
  ])
})

test('a token for the tools works there alone, and a token for the API works at both', async () => {
  const tools = await connect(app, person)
  const api = await connect(app, person, { asking: { resource: app.url } })
  expectRefusal(await whoAmI(tools.accessToken), 'auth.token_invalid')
  expect((await whoAmI(api.accessToken)).status).toBe(200)
  for (const { accessToken } of [tools, api]) {
    const assistant = await mcpClient(app.url, accessToken)
    expect(await assistant.names()).toContain('find_invoices')
    await assistant.close()
  }
  // The place is checked for cached callers as well.
  expectRefusal(await whoAmI(tools.accessToken), 'auth.token_invalid')
})

test('a program whose reply was lost sends its refresh token again; the lost token then ends the program', async () => {
  const connected = await connect(app, await app.person(), { asking: { resource: app.url } })
  const lost = await refresh(app, connected.refreshToken)
  const second = await refresh(app, connected.refreshToken)
  const third = await refresh(app, connected.refreshToken)
  expect([lost.status, second.status, third.status]).toEqual([200, 200, 200])
  const next = await refresh(app, third.body.refresh_token)
  expect((await whoAmI(next.body.access_token)).status).toBe(200)
  expect((await refresh(app, lost.body.refresh_token)).body.error).toBe('invalid_grant')
  expectRefusal(await whoAmI(next.body.access_token), 'auth.token_invalid')
})

test.each(['lost', 'second'] as const)('the %s token of repeated requests works no more', async (which) => {
  const connected = await connect(app, await app.person(), { asking: { resource: app.url } })
  const [lost, second, third] = [
    await refresh(app, connected.refreshToken),
    await refresh(app, connected.refreshToken),
    await refresh(app, connected.refreshToken),
  ]
  expect((await refresh(app, { lost, second }[which].body.refresh_token)).body.error).toBe('invalid_grant')
  expect((await refresh(app, third.body.refresh_token)).body.error).toBe('invalid_grant')
})

test('requests with one refresh token at the same time leave one token that works', async () => {
  const connected = await connect(app, await app.person(), { asking: { resource: app.url } })
  const all = await Promise.all(Array.from({ length: 5 }, () => refresh(app, connected.refreshToken)))
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const working = await app.owner.rows(sql`
    select from program_tokens where program_id = (select program_id from program_tokens where token_hash = ${hash('sha256', connected.refreshToken)}) and used_at is null`)
  expect(working).toHaveLength(1)
})

test('a refresh token works once, and its use after the next one ends the program with a mail', async () => {
  const other = await app.person()
  const connected = await connect(app, other, { asking: { resource: app.url } })
  const first = await refresh(app, connected.refreshToken)
  const renewed = await refresh(app, first.body.refresh_token)
  expect(renewed.status).toBe(200)
  const again = await refresh(app, connected.refreshToken)
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
  for (const token of [connected.accessToken, renewed.body.access_token])
    expectRefusal(await whoAmI(token), 'auth.token_invalid')
  expect((await refresh(app, renewed.body.refresh_token)).body.error).toBe('invalid_grant')
  const mails = await app.mailTo(other.email, 2)
  expect(mails.map(({ subject }) => subject)).toEqual([
    'A connected program was disconnected',
    'A program was connected to your account',
  ])
})
