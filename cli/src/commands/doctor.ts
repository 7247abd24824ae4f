import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { boundedFetch } from '../bounded-fetch.ts'
import { type ExitCode, exitCodeOf, exitCodes, Failure } from '../failures.ts'
import { folderOf } from '../files.ts'
import { type Io, printable } from '../io.ts'
import { listTools } from '../mcp/ask-tools.ts'
import { profilesFile } from '../profiles.ts'
import { findProfile, openSession, type Session, serverFrom, usualServer } from '../session.ts'
import { limitWords } from './account.ts'
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
    let session: Session | undefined
    await check('sign-in', async () => {
      session = await openSession(io, flags, 'any')
      await session.whoAmI()
      return `${session.mode} · ${await session.organisation()}, ${session.profileName ?? 'RISITI_API_KEY'}`
    })
    if (session?.isForTools) {
      const ofTools = session
      await check('tools', () => toolsWork(io, ofTools))
      await check('limits', async () => {
        const { program } = await ofTools.whoAmI()
        return program ? limitWords(program) : 'none'
      })
    } else
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

/** A sign-in for the tools serves `risiti mcp` alone. */
async function toolsWork(io: Io, { server, bearer }: Session): Promise<string> {
  const { count, canChange } = await listTools({ server, bearer, signal: io.signal })
  return `${count} tools for assistants with \`risiti mcp\`, ${canChange ? 'which read and prepare changes' : 'which only read'}`
}

/** Who can write to the folder can replace a file in it by one of a hostile server. */
async function filesAreSafe(io: Io): Promise<string> {
  const path = profilesFile(io)
  const signIns = join(folderOf(io), 'sign-ins')
  if (!(await stat(path).catch(() => undefined))) return `${path} does not exist yet`
  if (process.platform === 'win32') return path
  const tokens = (await readdir(signIns).catch(() => [])).map((name) => join(signIns, name))
  for (const file of [path, ...tokens])
    if ((await modeOf(file)) & 0o077)
      throw new Failure(exitCodes.refused, `${file} can be read by others. Run: chmod 600 ${file}`)
  for (const folder of [folderOf(io), signIns])
    if ((await modeOf(folder)) & 0o022)
      throw new Failure(exitCodes.refused, `${folder} can be changed by others. Run: chmod 700 ${folder}`)
  return path
}

/** A file may disappear while the command checks others. */
const modeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.mode ?? 0

async function serverReplies(io: Io, flags: GlobalFlags): Promise<string> {
  const server = serverFrom(
    flags.server ?? io.env.RISITI_SERVER ?? (await findProfile(io, flags))?.profile.server ?? usualServer,
  )
  try {
    // Without a token, this route of the service answers 401.
    const { status, body } = await boundedFetch(`${server}/a/v1/auth/me`, {
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(10_000)]),
    })
    // Otherwise an endless body keeps the connection.
    await body?.cancel()
    if (status === 401) return server
    throw new Error(`it replied ${status}`)
  } catch (error) {
    throw new Failure(
      exitCodes.noAnswer,
      `${server} cannot be reached: ${((error as Error).cause as Error | undefined)?.message ?? (error as Error).message}`,
    )
  }
}
