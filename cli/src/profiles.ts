import { join } from 'node:path'
import { folderOf, readJson, writeJson } from './files.ts'
import type { Io } from './io.ts'

export type Mode = 'sandbox' | 'live'

/** One sign-in: a server, an organisation, a mode and a credential. */
export interface Profile {
  readonly server: string
  readonly organisationId: string
  /** name of the organisation, if the credential may read it */
  readonly organisation: string | null
  readonly mode: Mode
  readonly apiKey: string
}

export interface Profiles {
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

export const profilesFile = (io: Pick<Io, 'env'>): string => join(folderOf(io), 'profiles.json')

export async function readProfiles(io: Pick<Io, 'env'>): Promise<Profiles> {
  const { current = null, profiles = {} } = (await readJson<Partial<Profiles>>(profilesFile(io))) ?? {}
  return { current, profiles }
}

export async function saveProfile(io: Pick<Io, 'env'>, name: string, profile: Profile): Promise<void> {
  const { profiles } = await readProfiles(io)
  await writeJson(profilesFile(io), { current: name, profiles: { ...profiles, [name]: profile } })
}

export async function chooseProfile(io: Pick<Io, 'env'>, name: string): Promise<void> {
  const { profiles } = await readProfiles(io)
  await writeJson(profilesFile(io), { current: name, profiles })
}

export async function removeProfile(io: Pick<Io, 'env'>, name: string): Promise<void> {
  const { current, profiles } = await readProfiles(io)
  const { [name]: _, ...others } = profiles
  await writeJson(profilesFile(io), { current: current === name ? null : current, profiles: others })
}
