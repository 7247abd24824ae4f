import type { Command } from 'commander'
import { type GlobalFlags, leaf } from './commands/leaf.ts'
import { exitCodes, Failure, usage } from './failures.ts'
import type { Io } from './io.ts'
import { printData } from './output.ts'
import type { RouteRow, RouteTable } from './route-table.ts'
import { routes } from './routes.gen.ts'
import type { CallOptions, Pages } from './sdk.ts'
import { announce, openSession, type Session } from './session.ts'
import { type BodyFlags, bodyFrom } from './values.ts'

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
/** `getStatus` is the command `status`, and `get` stays. */
const commandName = (name: string): string => kebab(name.replace(/^(?:get|read)(?=[A-Z])/, '')).replace(/^-/, '')

interface ResourceCommand {
  readonly module: string
  readonly name: string
  readonly row: RouteRow
}

/** Shown under the name of another module: documents are submitted by `risiti invoices submit`. */
const shownUnder: Readonly<Record<string, string>> = { submissions: 'invoices' }
/** `login`, `whoami` and `logs` do this, and `api` reaches the rest. */
const withoutCommands = new Set(['identity'])

/** The generated commands by group and name. */
export function resourceCommands(): ReadonlyMap<string, ReadonlyMap<string, ResourceCommand>> {
  const groups = new Map<string, Map<string, ResourceCommand>>()
  for (const [module, named] of Object.entries(routes as RouteTable)) {
    if (withoutCommands.has(module)) continue
    const group = kebab(shownUnder[module] ?? module)
    const commands = groups.get(group) ?? new Map<string, ResourceCommand>()
    groups.set(group, commands)
    for (const [name, row] of Object.entries(named)) commands.set(commandName(name), { module, name, row })
  }
  return groups
}

type AnyCall = (...given: unknown[]) => Promise<unknown> | Pages<unknown, unknown>

interface ResourceFlags extends GlobalFlags, BodyFlags {
  readonly all?: true
  readonly idempotencyKey?: string
  readonly ifMatch?: string
  readonly dryRun?: true
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
/** Routes with a counterpart that only checks. */
const checks: Readonly<Record<string, string>> = {
  'invoices.create': 'validate',
  'submissions.createAndSubmit': 'validate',
}

/** Adds the commands of one group. */
export function addResourceCommands(
  group: Command,
  commands: ReadonlyMap<string, ResourceCommand>,
  io: Io,
  examples: Readonly<Record<string, string>>,
): void {
  for (const [name, command] of commands)
    addCommand(group, name, command, io, examples[`${command.module}_${command.name}`])
}

function addCommand(
  group: Command,
  commandName: string,
  { module, name, row }: ResourceCommand,
  io: Io,
  example: string | undefined,
): void {
  const [method, path, traits, about, query, body] = row
  const [takesBody, isKeyed, isPaged] = ['b', 'k', 'p'].map((trait) => traits.includes(trait))
  const command = leaf(group, commandName).description(`${about} (${method} ${path})`)
  const params = namesIn(path)
  for (const param of params) command.argument(`<${kebab(param)}>`)
  const filters = query === '' ? [] : query.split(' ').map((one) => one.split(':') as [string, string?])
  for (const [filter, choices] of filters)
    command.option(`--${kebab(filter)} <value>`, choices?.replaceAll('|', ', ') ?? '')
  if (isPaged) command.option('--all', 'every entry of the list, page after page; with --json one line for each')
  if (takesBody)
    command
      .option('--data <json>', 'the body: JSON, @file, or - for stdin')
      .option(
        '--set <name=text>',
        'set a field: name=text, or name:=json for other values; a.b and a.0.b reach inside',
        more,
      )
      .addHelpText('after', () => helpOfBody(body, example))
  if (isKeyed) command.option('--idempotency-key <key>', 'repeat the command with this key: it takes effect once')
  if (method !== 'GET') command.option('--if-match <etag>', 'change the object only if it is still in this version')
  const check = checks[`${module}.${name}`]
  if (check) command.option('--dry-run', 'only check: nothing is created')
  command.action(async (...given: unknown[]) => {
    const flags = command.opts() as ResourceFlags
    const session = await openSession(io, flags)
    const sent = takesBody ? await bodyFrom(io, flags) : undefined
    if (takesBody && sent === undefined && body.includes('*'))
      throw usage(
        `Give the body with --data or --set. Required: ${body
          .split(' ')
          .filter((one) => one.endsWith('*'))
          .join(', ')
          .replaceAll('*', '')}. \`risiti ${group.name()} ${commandName} --help\` shows an example.`,
      )
    const asked = Object.fromEntries(
      filters.flatMap(([filter]) => {
        const value = (flags as unknown as Record<string, unknown>)[filter]
        return value === undefined ? [] : [[filter, value]]
      }),
    )
    if (flags.all && asked.page !== undefined)
      throw usage('--all begins at the first page, so it cannot be used with --page.')
    if (method !== 'GET' && !flags.dryRun) await announce(io, session)
    const options: CallOptions = {
      idempotencyKey: flags.idempotencyKey,
      ifMatch: flags.ifMatch,
    }
    const call = callOf(session, flags.dryRun ? 'invoices' : module, flags.dryRun ? (check as string) : name)
    const ids = given.slice(0, params.length)
    const parts = [...ids, ...(takesBody ? [sent ?? {}] : []), ...(query === '' ? [] : [asked]), options]
    const answer = call(...parts)
    if (flags.all) await printAll(io, answer as Pages<unknown, unknown>, flags.json === true)
    else if (isPaged) await printPage(io, answer as Pages<unknown, unknown>, flags.json === true)
    else {
      const data = await answer
      printData(io, data, flags.json === true)
      refuseUnready(data, flags.dryRun === true)
    }
  })
}

/** The service replied, but the document is not what the authority takes. A script must notice. */
export function refuseUnready(data: unknown, isCheck = false): void {
  const { ready, submitRefusal, id } = (data ?? {}) as {
    ready?: boolean
    submitRefusal?: { message: string }
    id?: string
  }
  if (isCheck && ready === false)
    throw new Failure(exitCodes.refused, 'The tax authority would refuse this document: see `problems`.')
  if (submitRefusal)
    throw new Failure(
      exitCodes.refused,
      `The document ${id} is a draft and was not submitted. ${submitRefusal.message} See \`submitRefusal\`.`,
    )
}

function helpOfBody(body: string, example: string | undefined): string {
  const fields = `\nFields of the body (* is required): ${body.replaceAll(' ', ', ') || 'none'}`
  if (example === undefined || body === '') return fields
  return `${fields}\n\nAn example of the body:\n${JSON.stringify(JSON.parse(example), null, 2)}\n\nThe reference explains each field: \`risiti open docs\`.`
}

const callOf = ({ client }: Session, module: string, name: string): AnyCall =>
  (client as unknown as Record<string, Record<string, AnyCall>>)[module]?.[name] as AnyCall

/** Collects a flag that may be given several times. */
export const more = (value: string, before: readonly string[] = []): string[] => [...before, value]

async function printAll(io: Io, pages: Pages<unknown, unknown>, asJson: boolean): Promise<void> {
  let isEmpty = true
  for await (const { data } of pages.byPage()) {
    const entries = (Array.isArray(data) ? data : (data as { items: unknown[] }).items) as unknown[]
    if (asJson) for (const entry of entries) io.out(`${JSON.stringify(entry)}\n`)
    else if (entries.length > 0) printData(io, entries, false)
    isEmpty &&= entries.length === 0
  }
  if (isEmpty && !asJson) io.note(nothingFound)
}

const nothingFound = 'Nothing found.\n'

async function printPage(io: Io, pages: Pages<unknown, unknown>, asJson: boolean): Promise<void> {
  const { data, pagination } = await pages
  printData(io, data, asJson)
  if (!asJson && Array.isArray(data) && data.length === 0) io.note(nothingFound)
  const shown = Array.isArray(data) ? data.length : pagination.limit
  if (!asJson && io.isTerminal && pagination.total > shown)
    io.note(`${shown} of ${pagination.total}. Add --all to see all, or --page ${pagination.page + 1}.\n`)
}
