import { join } from 'node:path'
import { exitCodes, Failure } from './failures.ts'
import { folderOf, readJson, writeJson } from './files.ts'
import type { Io } from './io.ts'
import { withLock } from './lock.ts'

export type Mode = 'sandbox' | 'live'

/** A server, an organisation, a mode and a credential: an API key, or the sign-in of a person, whose tokens are in a file of their own. */
export type Profile = ProfileFacts & ({ readonly apiKey: string } | { readonly signIn: string })

export interface ProfileFacts {
  readonly server: string
  readonly organisationId: string
  /** name of the organisation, if the credential may read it */
  readonly organisation: string | null
  readonly mode: Mode
  /** whether the tokens work for `risiti mcp` alone */
  readonly isForTools?: true
}

export interface Profiles {
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

export const profilesFile = (io: Pick<Io, 'env'>): string => join(folderOf(io), 'profiles.json')

export async function readProfiles(io: Pick<Io, 'env'>): Promise<Profiles> {
  const path = profilesFile(io)
  const content = (await readJson<unknown>(path)) ?? {}
  const { current = null, profiles = {} } = content as Partial<Profiles>
  if (!isRecord(content) || !isRecord(profiles) || (current !== null && typeof current !== 'string'))
    throw new Failure(exitCodes.refused, `${path} is damaged. Delete it, and sign in again.`)
  const damaged = Object.keys(profiles).find((name) => !isProfile(profiles[name]))
  if (damaged !== undefined)
    throw new Failure(
      exitCodes.refused,
      `The profile ${JSON.stringify(damaged)} in ${path} is damaged. Remove it there, and sign in again.`,
    )
  return { current, profiles }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** People edit the file, and copies of it break. */
const isProfile = (value: unknown): value is Profile =>
  isRecord(value) &&
  [value.server, value.organisationId, value.apiKey ?? value.signIn].every((one) => typeof one === 'string') &&
  (value.mode === 'sandbox' || value.mode === 'live') &&
  URL.canParse(value.server as string)

/** Two processes may change the file at the same time. */
const change = (io: Pick<Io, 'env'>, changed: (before: Profiles) => Profiles): Promise<void> =>
  withLock(`${profilesFile(io)}.lock`, async () => writeJson(profilesFile(io), changed(await readProfiles(io))))

/** Returns the profile that it replaces. Of several at the same moment, each returns the one before it. */
export async function saveProfile(io: Pick<Io, 'env'>, name: string, profile: Profile): Promise<Profile | undefined> {
  let replaced: Profile | undefined
  await change(io, ({ profiles }) => {
    replaced = Object.hasOwn(profiles, name) ? profiles[name] : undefined
    return { current: name, profiles: { ...profiles, [name]: profile } }
  })
  return replaced
}

export const chooseProfile = (io: Pick<Io, 'env'>, name: string): Promise<void> =>
  change(io, ({ profiles }) => ({ current: name, profiles }))

export const removeProfile = (io: Pick<Io, 'env'>, name: string): Promise<void> =>
  change(io, ({ current, profiles: { [name]: _, ...others } }) => ({
    current: current === name ? null : current,
    profiles: others,
  }))
