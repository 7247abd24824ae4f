import { randomUUID } from 'node:crypto'
import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Command } from 'commander'
import { exitCodes, Failure, usage } from '../failures.ts'
import { textOfInput } from '../input.ts'
import { type Io, printable } from '../io.ts'
import { beginDeviceSignIn, type GivenTokens, OAuthRefused, revokeTokens, takeDeviceTokens, toolsAt } from '../oauth.ts'
import { printData } from '../output.ts'
import { type Profile, type ProfileFacts, saveProfile } from '../profiles.ts'
import { NoAnswer } from '../sdk.ts'
import { type Credential, nameOf, safeServerFrom, sessionOf, usualServer } from '../session.ts'
import { SignIn } from '../sign-ins.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

interface LoginFlags extends GlobalFlags {
  readonly apiKeyStdin?: true
  readonly browser: boolean
  readonly forTools?: true
}

/** `Eze Stores` in the sandbox is the profile `eze-stores-sandbox`. */
const profileNameFor = (organisation: string, mode: string): string =>
  `${
    organisation
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '') || 'profile'
  }-${mode}`

export function addLogin(program: Command, io: Io): void {
  const command = leaf(program, 'login', {
    profile: 'name of the profile; by default organisation and mode',
    server: `address of the service; by default ${usualServer}`,
  })
    .description('Sign in with your browser, or with an API key, and store a profile')
    .option('--no-browser', 'only print the address and the code: open it on any machine')
    .option('--for-tools', 'a sign-in for `risiti mcp` alone, for which you can set spending limits')
    .option('--api-key-stdin', 'read an API key from stdin, so that it does not appear in the list of processes')
  command.action(async () => {
    const flags = command.opts() as LoginFlags
    if (flags.apiKeyStdin && flags.forTools) throw usage('Give either --api-key-stdin or --for-tools.')
    const server = safeServerFrom(flags.server ?? io.env.RISITI_SERVER ?? usualServer)
    const { name, profile } = flags.apiKeyStdin
      ? await byKey(io, server, flags.profile)
      : await byPerson(io, server, flags)
    const { mode, organisation, organisationId } = profile
    io.note(`Signed in: ${mode} · ${organisation ?? organisationId} at ${server}. The profile is ${name}.\n`)
    if (flags.json)
      printData(io, { profile: name, server, mode, organizationId: organisationId, organization: organisation }, true)
    if (io.env.RISITI_API_KEY) io.note('RISITI_API_KEY is set, and commands use it instead of the profile.\n')
  })
}

interface StoredProfile {
  readonly name: string
  readonly profile: Profile
}

/** Stores the profile. A sign-in that it replaces is ended, so that none is left behind that nobody uses. */
async function store(io: Io, name: string, profile: Profile): Promise<StoredProfile> {
  const before = await saveProfile(io, name, profile)
  // The new one works, whatever becomes of the old one.
  if (before && 'signIn' in before)
    await new SignIn(io, before.server, before.signIn, name).end().catch(() => undefined)
  return { name, profile }
}

async function byKey(io: Io, server: string, named: string | undefined): Promise<StoredProfile> {
  const apiKey = (await textOfInput(io)).trim()
  if (!/^sk_(test|live)_\S+$/.test(apiKey)) throw usage('An API key begins with sk_test_ or sk_live_.')
  const session = sessionOf(io, server, { apiKey })
  const { organizationId } = await session.whoAmI()
  if (!organizationId) throw new Failure(exitCodes.notAllowed, 'The key belongs to no organisation.')
  const organisation = await nameOf(session.client, organizationId)
  const name = named ?? profileNameFor(organisation ?? organizationId, session.mode)
  return await store(io, name, { server, organisationId: organizationId, organisation, mode: session.mode, apiKey })
}

async function byPerson(io: Io, server: string, flags: LoginFlags): Promise<StoredProfile> {
  const { tokens, organisationId, mode } = await confirmed(io, server, flags)
  const id = randomUUID()
  // The tokens are stored before anything can fail.
  const signIn = new SignIn(io, server, id, flags.profile ?? id)
  try {
    await signIn.store(tokens)
  } catch (error) {
    await revokeTokens(server, tokens.refreshToken).catch(() => undefined)
    throw error
  }
  const credential: Credential = { signIn, mode }
  const scope = flags.forTools ? { isForTools: true as const } : {}
  try {
    const session = sessionOf(io, server, credential, { organisation: null, ...scope })
    const organisation = await session.organisation()
    const facts: ProfileFacts = { server, organisationId, organisation, mode, ...scope }
    const usual = flags.forTools ? `tools-${mode}` : profileNameFor(organisation, mode)
    return await store(io, flags.profile ?? usual, { ...facts, signIn: id })
  } catch (error) {
    // No profile leads to this sign-in.
    await signIn.end().catch(() => undefined)
    throw error
  }
}

/** Shows a code, and waits until the person has confirmed it in a browser. */
async function confirmed(io: Io, server: string, { browser, forTools }: LoginFlags): Promise<GivenTokens> {
  const { deviceCode, userCode, page, pageWithCode, expiresSeconds, intervalSeconds } = await beginDeviceSignIn(
    server,
    forTools ? await toolsAt(server) : undefined,
  )
  // The address comes from the server, and goes to a program of this machine.
  if (![page, pageWithCode].every((address) => URL.canParse(address) && /^https?:/.test(address)))
    throw new Failure(exitCodes.refused, 'The server named no page of the web for the sign-in.')
  io.note(
    `Your code is ${printable(userCode)}\nConfirm it at ${printable(page)}, on this or any other machine. Waiting for you, at most ${Math.round(expiresSeconds / 60)} minutes …\n`,
  )
  if (browser && io.isTerminal && !(await io.open(pageWithCode))) io.note('No browser could be opened here.\n')
  let pauseMs = intervalSeconds * 1_000
  for (const end = performance.now() + expiresSeconds * 1_000; performance.now() < end; ) {
    await pauseFor(pauseMs, undefined, { signal: io.signal })
    try {
      return await takeDeviceTokens(server, deviceCode)
    } catch (error) {
      if (error instanceof NoAnswer) pauseMs = Math.min(pauseMs * 2, 60_000)
      else if (!(error instanceof OAuthRefused)) throw error
      else if (error.error === 'slow_down') pauseMs += 5_000
      else if (error.error !== 'authorization_pending') throw new Failure(exitCodes.notAllowed, wordsFor(error))
    }
  }
  throw new Failure(exitCodes.notAllowed, 'Nobody confirmed the code in time. Run `risiti login` again.')
}

function wordsFor({ error, message }: OAuthRefused): string {
  if (error === 'access_denied') return 'The sign-in was refused in the browser.'
  if (error === 'expired_token') return 'Nobody confirmed the code in time. Run `risiti login` again.'
  return message || error
}
