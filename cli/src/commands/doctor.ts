import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { type ExitCode, exitCodeOf, exitCodes, Failure } from '../failures.ts'
import { type Io, printable } from '../io.ts'
import { profilesFile } from '../profiles.ts'
import { findProfile, openSession, serverFrom, usualServer } from '../session.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly about: string
  readonly exitCode: ExitCode
}

export function addDoctor(program: Command, io: Io): void {
  const command = leaf(program, 'doctor').description('Check the connection, the sign-in and the files')
  command.action(async () => {
    const flags = command.opts() as GlobalFlags
    const findings: Finding[] = []
    const check = async (name: string, work: () => Promise<string>) => {
      try {
        findings.push({ check: name, ok: true, about: await work(), exitCode: exitCodes.done })
      } catch (error) {
        findings.push({ check: name, ok: false, about: (error as Error).message, exitCode: exitCodeOf(error) })
      }
    }
    await check('node', async () => process.version)
    await check('files', () => filesAreSafe(io))
    await check('server', () => serverReplies(io, flags))
    await check('sign-in', async () => {
      const session = await openSession(io, flags)
      await session.whoAmI()
      return `${session.mode} · ${await session.organisation()}, ${session.profileName ?? 'RISITI_API_KEY'}`
    })
    await check('listen', async () => {
      const { capabilities } = await (await openSession(io, flags)).whoAmI()
      if (capabilities.includes('webhook.delivery.read')) return 'may read events'
      throw new Failure(exitCodes.notAllowed, 'The sign-in lacks the capability webhook.delivery.read.')
    })
    if (flags.json) io.out(`${JSON.stringify(findings.map(({ exitCode: _, ...finding }) => finding))}\n`)
    else
      for (const { ok, check, about } of findings)
        io.out(`${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(8)} ${printable(about)}\n`)
    const failed = findings.find(({ ok }) => !ok)
    if (failed) throw new Failure(failed.exitCode, `${failed.check}: ${failed.about}`)
  })
}

async function filesAreSafe(io: Io): Promise<string> {
  const path = profilesFile(io)
  const found = await stat(path).catch(() => undefined)
  if (!found) return `${path} does not exist yet`
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new Failure(exitCodes.refused, `${path} can be read by others. Run: chmod 600 ${path}`)
  return path
}

async function serverReplies(io: Io, flags: GlobalFlags): Promise<string> {
  const server = serverFrom(
    flags.server ?? io.env.RISITI_SERVER ?? (await findProfile(io, flags))?.profile.server ?? usualServer,
  )
  try {
    // Without a token, this route of the service answers 401.
    const { status } = await fetch(`${server}/a/v1/auth/me`, {
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(10_000)]),
    })
    if (status === 401) return server
    throw new Error(`it replied ${status}`)
  } catch (error) {
    throw new Failure(
      exitCodes.noAnswer,
      `${server} cannot be reached: ${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message}`,
    )
  }
}
