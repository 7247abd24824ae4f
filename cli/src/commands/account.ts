import type { Command } from 'commander'
import { exitCodes, Failure, usage } from '../failures.ts'
import { type Io, textOfInput } from '../io.ts'
import { printData, tableOf } from '../output.ts'
import { chooseProfile, readProfiles, removeProfile, saveProfile } from '../profiles.ts'
import { findProfile, nameOf, openSession, serverFrom, sessionOf, usualServer } from '../session.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

interface LoginFlags extends GlobalFlags {
  readonly apiKeyStdin?: true
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
  const command = leaf(program, 'login')
    .description('Sign in to a server, and store a profile')
    .option('--api-key-stdin', 'read an API key from stdin, so that it does not appear in the list of processes')
  command.action(async () => {
    const flags = command.opts() as LoginFlags
    if (!flags.apiKeyStdin)
      throw usage(
        'Give an API key: `risiti login --api-key-stdin < key.txt`. The dashboard makes keys under Developers.',
      )
    const server = serverFrom(flags.server ?? io.env.RISITI_SERVER ?? usualServer)
    const apiKey = (await textOfInput(io)).trim()
    if (!/^sk_(test|live)_\S+$/.test(apiKey)) throw usage('An API key begins with sk_test_ or sk_live_.')
    const session = sessionOf(io, server, apiKey, undefined)
    const { organizationId } = await session.whoAmI()
    if (!organizationId) throw new Failure(exitCodes.notAllowed, 'The key belongs to no organisation.')
    const organisation = await nameOf(session.client, organizationId)
    const name = flags.profile ?? profileNameFor(organisation ?? organizationId, session.mode)
    await saveProfile(io, name, { server, organisationId: organizationId, organisation, mode: session.mode, apiKey })
    io.note(`Signed in: ${session.mode} · ${organisation ?? organizationId} at ${server}. The profile is ${name}.\n`)
    if (flags.json)
      printData(io, { profile: name, server, mode: session.mode, organizationId, organization: organisation }, true)
    if (io.env.RISITI_API_KEY) io.note('RISITI_API_KEY is set, and commands use it instead of the profile.\n')
  })
}

export function addLogout(program: Command, io: Io): void {
  const command = leaf(program, 'logout').description('Forget a profile')
  command.action(async () => {
    const found = await findProfile(io, command.opts())
    if (!found) throw new Failure(exitCodes.notAllowed, 'You are not signed in.')
    await removeProfile(io, found.name)
    io.note(`The profile ${found.name} is forgotten. Its API key still works until somebody revokes it.\n`)
  })
}

export function addWhoAmI(program: Command, io: Io): void {
  const command = leaf(program, 'whoami').description('Show who you are. Exits with 3 if you are not signed in')
  command.action(async () => {
    const flags = command.opts() as GlobalFlags
    const session = await openSession(io, flags)
    const [me, organization] = await Promise.all([session.whoAmI(), session.organisation()])
    const shown = { server: session.server, profile: session.profileName ?? null, organization, ...me }
    if (flags.json) return printData(io, shown, true)
    const { capabilities, ...others } = shown
    printData(io, { ...others, capabilities: capabilities.join(', ') }, false)
  })
}

export function addProfiles(program: Command, io: Io): void {
  const command = leaf(program, 'profiles')
    .description('List the profiles, or make one the current one')
    .option('--use <name>', 'the profile that commands use from now on')
  command.action(async () => {
    const { use, json } = command.opts() as GlobalFlags & { use?: string }
    if (use !== undefined) {
      await findProfile(io, { profile: use })
      await chooseProfile(io, use)
    }
    const { current, profiles } = await readProfiles(io)
    const shown = Object.entries(profiles).map(([name, { server, organisation, organisationId, mode }]) => ({
      name,
      current: name === current,
      mode,
      organization: organisation ?? organisationId,
      server,
    }))
    if (json) io.out(`${JSON.stringify(shown)}\n`)
    else
      io.out(shown.length === 0 ? '' : tableOf(shown.map((one) => ({ ...one, current: one.current ? 'current' : '' }))))
    if (shown.length === 0 && !json) io.note('There is no profile. `risiti login` makes one.\n')
  })
}
