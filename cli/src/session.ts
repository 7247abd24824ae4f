import { stat } from 'node:fs/promises'
import { boundedFetch } from './bounded-fetch.ts'
import { exitCodes, Failure, usage } from './failures.ts'
import type { Io } from './io.ts'
import { askTool } from './mcp/ask-tools.ts'
import type { Bearer } from './mcp/bridge.ts'
import { type Mode, type Profile, type ProfileFacts, profilesFile, readProfiles } from './profiles.ts'
import { bearer, Refused, Risiti } from './sdk.ts'
import { SignIn } from './sign-ins.ts'

/** Flags of every command that talks to the service. */
export interface SessionFlags {
  readonly profile?: string
  readonly server?: string
}

export interface Session {
  readonly server: string
  readonly client: Risiti
  readonly mode: Mode
  /** `undefined` if the credential comes from the environment */
  readonly profileName: string | undefined
  /** what requests carry that the client does not send */
  readonly bearer: Bearer
  /** whether the credential works for the tools of assistants alone */
  readonly isForTools: boolean
  whoAmI(): Promise<Me>
  /** name of the organisation, or its id */
  organisation(): Promise<string>
}

export type Me = Awaited<ReturnType<Risiti['identity']['whoAmI']>>

/** The playground on this machine. */
export const usualServer = 'http://127.0.0.1:4000'

/** After `risiti logout`, other profiles may be left. */
async function notSignedIn(io: Pick<Io, 'env'>): Promise<Failure> {
  const [name] = Object.keys((await readProfiles(io)).profiles)
  const choice = name === undefined ? '' : ` or choose a profile, such as \`risiti profiles --use ${name}\`,`
  return new Failure(
    exitCodes.notAllowed,
    `You are not signed in. Run \`risiti login\`,${choice} or set RISITI_API_KEY.`,
  )
}

export function serverFrom(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw usage(`The server must be an address such as https://api.example.com, not ${JSON.stringify(text)}.`)
  }
  if (!/^https?:$/.test(url.protocol)) throw usage('The server must be an address with http: or https:.')
  if (url.username || url.password) throw usage('The address of the server must not contain a password.')
  return `${url.origin}${url.pathname}`.replace(/\/$/, '')
}

const profileNamedIn = (io: Pick<Io, 'env'>, flags: SessionFlags): string | undefined =>
  flags.profile ?? io.env.RISITI_PROFILE

/** The address, if a credential may be sent there. */
export function safeServerFrom(text: string): string {
  const server = serverFrom(text)
  const { protocol, hostname, host } = new URL(server)
  if (protocol !== 'https:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    throw usage(`Credentials are sent over https only, or to this machine. Use https://${host}.`)
  return server
}

/** The chosen profile; `undefined` if there is none and none was named. */
export async function findProfile(io: Pick<Io, 'env'>, flags: SessionFlags): Promise<FoundProfile | undefined> {
  const { current, profiles } = await readProfiles(io)
  const named = profileNamedIn(io, flags)
  const name = named ?? current
  const profile = name !== null && Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (named !== undefined && !profile)
    throw usage(`There is no profile ${JSON.stringify(named)}. \`risiti profiles\` lists them.`)
  return profile && { name: name as string, profile }
}

/** The credential of the environment, or of a profile. With both, a live key could be used where the sandbox was named. */
export async function openSession(io: Io, flags: SessionFlags, use: 'api' | 'any' = 'api'): Promise<Session> {
  const named = profileNamedIn(io, flags)
  if (io.env.RISITI_API_KEY && named !== undefined)
    throw usage(
      `RISITI_API_KEY is set, and the profile ${JSON.stringify(named)} is named. Remove one of them: each is a credential of its own.`,
    )
  const found = await findProfile(io, flags)
  const given = flags.server ?? io.env.RISITI_SERVER
  const key = io.env.RISITI_API_KEY
  const server = given === undefined ? (found?.profile.server ?? usualServer) : safeServerFrom(given)
  if (key) return sessionOf(io, server, { apiKey: key })
  if (!found) throw await notSignedIn(io)
  if (server !== found.profile.server)
    throw usage(
      `The profile ${JSON.stringify(found.name)} belongs to ${found.profile.server}, so its credential is not sent to ${server}. Sign in there with \`risiti login --server ${server}\`.`,
    )
  if (found.profile.isForTools && use === 'api')
    throw new Failure(
      exitCodes.notAllowed,
      `The profile ${JSON.stringify(found.name)} is for \`risiti mcp\` alone. Choose another with --profile, or make one with \`risiti login\`.`,
    )
  await warnOfReaders(io)
  return sessionOf(io, server, credentialOf(io, found), found.profile, found.name)
}

/** A copied file can have lost its mode. */
async function warnOfReaders(io: Io): Promise<void> {
  const path = profilesFile(io)
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && mode & 0o077)
    io.note(`Others on this machine can read ${path}. Run: chmod 600 ${path}\n`)
}

/** An API key, or the sign-in of a person. */
export type Credential = { readonly apiKey: string } | { readonly signIn: SignIn; readonly mode: Mode }

function credentialOf(io: Io, { name, profile }: FoundProfile): Credential {
  if ('apiKey' in profile) return profile
  return { signIn: new SignIn(io, profile.server, profile.signIn, name), mode: profile.mode }
}

interface FoundProfile {
  readonly name: string
  readonly profile: Profile
}

export function sessionOf(
  io: Pick<Io, 'signal'>,
  server: string,
  credential: Credential,
  profile?: Pick<ProfileFacts, 'organisation' | 'isForTools'>,
  profileName?: string,
): Session {
  const held = 'apiKey' in credential ? { token: () => credential.apiKey } : credential.signIn
  const client = new Risiti({
    baseUrl: server,
    ...('apiKey' in credential
      ? credential
      : {
          mode: credential.mode,
          credential: bearer(
            () => credential.signIn.token(),
            () => credential.signIn.renew(),
          ),
        }),
    headers: { 'user-agent': 'risiti-cli/1.0.0' },
    fetch: (url, init) => boundedFetch(url, { ...init, signal: AbortSignal.any([init.signal, io.signal]) }),
  })
  const isForTools = profile?.isForTools === true
  let me: Promise<Me> | undefined
  const whoAmI = () => {
    me ??= isForTools
      ? (askTool({ server, bearer: held, signal: io.signal }, 'who_am_i') as Promise<Me>)
      : Promise.resolve(client.identity.whoAmI())
    return me
  }
  return {
    server,
    client,
    mode: client.mode as Mode,
    profileName,
    bearer: held,
    isForTools,
    whoAmI,
    async organisation() {
      if (profile?.organisation) return profile.organisation
      const { organizationId, program } = await whoAmI()
      if (program) return program.organizationName
      return (organizationId && (await nameOf(client, organizationId))) ?? organizationId ?? 'no organisation'
    },
  }
}

/** `null` if the credential may not read the organisation. */
export async function nameOf(client: Risiti, organisationId: string): Promise<string | null> {
  try {
    return (await client.organisations.get(organisationId)).name
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}

/** Says whose data a command is about to change. */
export async function announce(io: Io, session: Session): Promise<void> {
  io.note(`${session.mode} · ${await session.organisation()}\n`)
}
