import { Command, CommanderError } from 'commander'
import { type ExitCode, exitCodes, type Failure, report, usage } from './failures.ts'
import { forTerminals, type Io } from './io.ts'

export const version = '1.0.0'

const help = `
Begin here:
  risiti login --server https://your-server    sign in with your browser; --no-browser prints the address alone.
                                               New here? Create an account on the page that opens
  risiti login --api-key-stdin < key.txt       sign in with an API key of the dashboard
  risiti doctor                                check that everything works; risiti whoami says who you are
  risiti listen --forward http://127.0.0.1:8080/hook
                                               send events to your program, as webhooks do
  risiti trigger invoice.created --forward http://127.0.0.1:8080/hook
                                               send it a sample; with --real, the sandbox makes it happen
  risiti mcp                                   serve the tools for an assistant that starts this command
  risiti logout                                end the sign-in

Make an invoice:
  risiti invoices create --help                see the fields and an example, and store it in sale.json
  risiti invoices create --data @sale.json --dry-run
                                               check it: nothing is created
  risiti invoices create-and-submit --data @sale.json
                                               create it and report it to the tax authority
  risiti invoices wait <id>                    wait for the decision
  risiti invoices pdf <id>                     write its PDF to a file

Repair an invoice that the authority rejected:
  risiti trigger invoice.rejected --real       make one in the sandbox
  risiti invoices list --status rejected       find it
  risiti invoices status <id>                  read why: report.refusals
  risiti invoices get <id>                     see it, with its buyerId
  risiti buyers update <id> --set taxId=<number>
                                               correct the buyer, if that is at fault
  risiti buyers verify <id>                    check a new tax number; risiti buyers get <id> shows taxIdStatus
  risiti invoices reopen <id>                  make the invoice a draft again
  risiti invoices update <id> --set notes=<text>
                                               correct the draft, if that is at fault
  risiti invoices finalise <id>                issue it again
  risiti invoices submit <id>                  report it again
  risiti invoices wait <id>                    wait for the decision

Resources, each with its own --help, such as risiti buyers --help:
  `

const exits = `
Exit codes: 0 done, 1 refused by the service, 2 wrong usage, 3 not signed in or not allowed, 4 not found,
5 conflict, 6 rate limit, 7 no answer (the outcome is unknown), 130 interrupted.
Environment: RISITI_API_KEY (used instead of the current profile), RISITI_SERVER, RISITI_PROFILE, RISITI_HOME.`

/** Loaded only if the command is used, so that the program starts fast. */
const own: Readonly<Record<string, readonly [about: string, load: () => Promise<(parent: Command, io: Io) => void>]>> =
  {
    login: ['sign in to a server and store a profile', async () => (await import('./commands/login.ts')).addLogin],
    logout: ['end the sign-in and forget its profile', async () => (await import('./commands/account.ts')).addLogout],
    whoami: [
      'show who you are: organisation, mode, capabilities',
      async () => (await import('./commands/account.ts')).addWhoAmI,
    ],
    profiles: ['list profiles, or choose one', async () => (await import('./commands/account.ts')).addProfiles],
    listen: [
      'follow events, and forward them to your program',
      async () => (await import('./commands/listen.ts')).addListen,
    ],
    trigger: [
      'send a sample of an event, or make it happen',
      async () => (await import('./commands/trigger.ts')).addTrigger,
    ],
    events: ['list, show, resend and follow events', async () => (await import('./commands/events.ts')).addEvents],
    logs: ['read the request log', async () => (await import('./commands/logs.ts')).addLogs],
    import: [
      'import buyers, items or invoices from a file',
      async () => (await import('./commands/import.ts')).addImport,
    ],
    export: [
      'write a list as NDJSON, or documents as a ZIP file',
      async () => (await import('./commands/export.ts')).addExport,
    ],
    api: ['send any request of the API', async () => (await import('./commands/api.ts')).addApi],
    mcp: [
      'serve the tools for assistants over stdin and stdout',
      async () => (await import('./commands/mcp.ts')).addMcp,
    ],
    doctor: [
      'check the connection, the sign-in and the files',
      async () => (await import('./commands/doctor.ts')).addDoctor,
    ],
    open: ['open a page of the dashboard', async () => (await import('./commands/open.ts')).addOpen],
    completion: [
      'print the completion for bash, zsh or fish',
      async () => (await import('./commands/completion.ts')).addCompletion,
    ],
  }

/** Runs one command, and returns its exit code. */
export async function run(given: readonly string[], process: Io): Promise<ExitCode> {
  const io = forTerminals(process)
  const argv = withHelpFlag(given)
  const asJson = argv.includes('--json')
  try {
    const program = await programFor(argv, io)
    await program.parseAsync([...argv], { from: 'user' })
    return io.signal.aborted ? exitCodes.interrupted : exitCodes.done
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(io, error, asJson)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  }
}

/** `risiti help invoices` is `risiti invoices --help`, and without any word the help is what people need. */
function withHelpFlag(given: readonly string[]): readonly string[] {
  if (given.length === 0) return ['--help']
  return given[0] === 'help' ? [...given.slice(1), '--help'] : given
}

/** The program with the group that the arguments name; without one, all groups, but not their commands. */
async function programFor(argv: readonly string[], io: Io): Promise<Command> {
  const program = prepared(new Command('risiti'), io, argv.includes('--json'))
    .description(
      'The command line of Risiti: invoices, events on your own machine, and everything else that the API does.',
    )
    .version(version)
    .addHelpCommand(false)
  const [named] = argv
  if (named !== undefined && Object.hasOwn(own, named)) {
    const load = own[named]?.[1]
    if (load) (await load())(program, io)
    return program
  }
  const { resourceCommands, addResourceCommands } = await import('./resources.ts')
  const groups = resourceCommands()
  const chosen = named === undefined ? undefined : groups.get(named)
  if (chosen) {
    const group = program
      .command(named as string)
      .description(`Commands for ${named}`)
      .addHelpText('after', '\nWhat is not here is for people alone: `risiti open` opens the dashboard.')
    const asksForHelp = argv.some((word) => word === '--help' || word === '-h' || word === 'help')
    addResourceCommands(group, chosen, io, asksForHelp ? (await import('./examples.gen.ts')).examples : {})
    if (named === 'invoices') (await import('./commands/invoices.ts')).addInvoiceCommands(group, io)
    return program
  }
  if (named !== undefined && !named.startsWith('-')) throw noCommand(named, [...Object.keys(own), ...groups.keys()])
  for (const [name, [about]] of Object.entries(own)) program.command(name).description(about)
  return program.addHelpText('after', `${help}${wrapped([...groups.keys()])}\n${exits}`)
}

function noCommand(named: string, names: readonly string[]): Failure {
  const near = names.find((name) => name.startsWith(named) || named.startsWith(name) || distance(name, named) <= 2)
  return usage(
    `there is no command ${JSON.stringify(named)}. ${near ? `Did you mean \`risiti ${near}\`?` : '`risiti --help` lists all.'}`,
  )
}

/** How many letters must be added, removed or replaced to make one word from the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [nth, letter] of [...one].entries()) {
    const next = [nth + 1]
    for (let at = 1; at <= other.length; at++)
      next.push(
        Math.min(
          (row[at] as number) + 1,
          (next[at - 1] as number) + 1,
          (row[at - 1] as number) + (other[at - 1] === letter ? 0 : 1),
        ),
      )
    row = next
  }
  return row[other.length] as number
}

/** Settings that subcommands inherit. */
function prepared(program: Command, io: Io, asJson: boolean): Command {
  return program
    .exitOverride()
    .showSuggestionAfterError(!asJson)
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) =>
        io.note(
          asJson
            ? `${JSON.stringify({ error: { message: text.trim().replace(/^error: /, ''), details: [] }, exitCode: exitCodes.usage })}\n`
            : text,
        ),
    })
}

const wrapped = (names: readonly string[]): string =>
  names.reduce((text, name) => {
    const last = text.slice(text.lastIndexOf('\n') + 1)
    return text === '' ? name : last.length + name.length > 90 ? `${text},\n  ${name}` : `${text}, ${name}`
  }, '')
