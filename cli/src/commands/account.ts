import type { Command } from 'commander'
import { exitCodes, Failure } from '../failures.ts'
import type { Io } from '../io.ts'
import { printData, tableOf } from '../output.ts'
import { chooseProfile, readProfiles, removeProfile } from '../profiles.ts'
import { findProfile, type Me, openSession } from '../session.ts'
import { SignIn } from '../sign-ins.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

export function addLogout(program: Command, io: Io): void {
  const command = leaf(program, 'logout', {
    profile: 'this profile instead of the current one',
    server: null,
  }).description('End the sign-in and forget its profile')
  command.action(async () => {
    const found = await findProfile(io, command.opts())
    if (!found) throw new Failure(exitCodes.notAllowed, 'You are not signed in.')
    const { name, profile } = found
    await removeProfile(io, name)
    if ('apiKey' in profile)
      return io.note(`The profile ${name} is forgotten. Its API key still works until somebody revokes it.\n`)
    const isEnded = await new SignIn(io, profile.server, profile.signIn, name).end()
    io.note(
      isEnded
        ? `Signed out. The profile ${name} is forgotten.\n`
        : `The profile ${name} is forgotten, but ${profile.server} did not answer. End the sign-in in the dashboard: Settings, Connected programs.\n`,
    )
  })
}

/** The spending limits that the person set, and what they leave today. */
export const limitWords = ({ limitsInWords }: NonNullable<Me['program']>): string =>
  limitsInWords.length === 0 ? 'none' : limitsInWords.join(' ')

export function addWhoAmI(program: Command, io: Io): void {
  const command = leaf(program, 'whoami').description('Show who you are. Exits with 3 if you are not signed in')
  command.action(async () => {
    const flags = command.opts() as GlobalFlags
    const session = await openSession(io, flags, 'any')
    const [me, organization] = await Promise.all([session.whoAmI(), session.organisation()])
    const shown = { server: session.server, profile: session.profileName ?? null, organization, ...me }
    if (flags.json) return printData(io, shown, true)
    const { capabilities, program, ...others } = shown
    const ofProgram = program && {
      program: program.name,
      person: program.email,
      worksFor: session.isForTools ? 'risiti mcp alone' : 'all commands',
      limits: limitWords(program),
      worksUntil: `${program.expiresAt}. Each use moves this to 30 days later.`,
    }
    printData(io, { ...others, ...ofProgram, capabilities: capabilities.join(', ') }, false)
  })
}

export function addProfiles(program: Command, io: Io): void {
  const command = leaf(program, 'profiles', { profile: null, server: null })
    .description('List the profiles, or make one the current one')
    .option('--use <name>', 'the profile that commands use from now on')
  command.action(async () => {
    const { use, json } = command.opts() as GlobalFlags & { use?: string }
    if (use !== undefined) {
      await findProfile(io, { profile: use })
      await chooseProfile(io, use)
    }
    const { current, profiles } = await readProfiles(io)
    const shown = Object.entries(profiles).map(
      ([name, { server, organisation, organisationId, mode, isForTools, ...of }]) => ({
        name,
        current: name === current,
        mode,
        signedInBy: 'apiKey' in of ? 'API key' : 'person',
        worksFor: isForTools ? 'risiti mcp' : 'all commands',
        organization: organisation ?? organisationId,
        server,
      }),
    )
    if (json) io.out(`${JSON.stringify(shown)}\n`)
    else
      io.out(
        shown.length === 0
          ? ''
          : tableOf(
              shown.map((one) => ({ ...one, current: one.current ? 'current' : '' })),
              io.lineWidth,
            ),
      )
    if (shown.length === 0 && !json) io.note('There is no profile. `risiti login` makes one.\n')
  })
}
