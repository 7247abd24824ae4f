import { auth, type OAuthClientProvider, type OAuthDiscoveryState } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import type { Person, TestApp } from './app.ts'
import { ok } from './issued.ts'
import { type McpCaller, mcpClientOf } from './mcp.ts'
import { approve } from './programs.ts'

const redirectUrl = 'http://localhost:49153/oauth/callback'

/** What a program of the official client stores between its calls. */
interface Stored {
  discovery?: OAuthDiscoveryState | undefined
  information?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  verifier?: string
  opened?: URL
}

const providerOf = (stored: Stored): OAuthClientProvider => ({
  redirectUrl,
  clientMetadata: {
    client_name: 'Assistant of a test',
    redirect_uris: [redirectUrl],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  },
  discoveryState: () => stored.discovery,
  saveDiscoveryState: (state) => {
    stored.discovery = state
  },
  clientInformation: () => stored.information,
  saveClientInformation: (information) => {
    stored.information = information
  },
  tokens: () => stored.tokens,
  saveTokens: (tokens) => {
    stored.tokens = tokens
  },
  redirectToAuthorization: (url) => {
    stored.opened = url
  },
  saveCodeVerifier: (verifier) => {
    stored.verifier = verifier
  },
  codeVerifier: () => stored.verifier ?? '',
})

export interface SignedInAssistant extends McpCaller {
  /** what the person saw before agreeing */
  readonly shown: any
  /** every request that the client sent so far: method, path and status */
  readonly sent: readonly string[]
  /** makes the access token useless, as time does */
  spoilToken(): void
}

/**
 * The official client, which knows the address of the tools and nothing else: it is refused, finds the authorisation server, registers, sends
 * the person to the consent page, and redeems the code.
 */
export async function signInAssistant(
  app: TestApp,
  person: Person,
  agreeing: Record<string, unknown> = {},
): Promise<SignedInAssistant> {
  const stored: Stored = {}
  const sent: string[] = []
  const authProvider = providerOf(stored)
  const fetchFn: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const url = input instanceof Request ? input.url : String(input)
    sent.push(`${init?.method ?? 'GET'} ${new URL(url).pathname} ${response.status}`)
    return response
  }
  const options = { authProvider, fetch: fetchFn }
  await expect(mcpClientOf(app.url, options)).rejects.toThrow()
  const page = await fetch(stored.opened as URL, { redirect: 'manual' })
  const id = new URL(page.headers.get('location') ?? '').searchParams.get('request') as string
  const shown = ok(await app.a.get(`/n/v1/program-requests/${id}`, { token: person.token }))
  const { redirectTo } = ok(await approve(app, person, id, agreeing))
  const answer = new URL(redirectTo).searchParams
  const redeemed = await auth(authProvider, {
    serverUrl: new URL('/mcp', app.url),
    authorizationCode: answer.get('code') as string,
    iss: answer.get('iss') as string,
    fetchFn,
  })
  expect(redeemed).toBe('AUTHORIZED')
  const caller = await mcpClientOf(app.url, options)
  return {
    ...caller,
    shown,
    sent,
    spoilToken: () => {
      const { tokens } = stored
      if (tokens) stored.tokens = { ...tokens, access_token: `${tokens.access_token.slice(0, -4)}AAAA` }
    },
  }
}
