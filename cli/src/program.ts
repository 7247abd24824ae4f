import { Command, CommanderError } from 'commander'
import { type ExitCode, exitCodes, report } from './failures.ts'
import { forTerminals, type Io } from './io.ts'

export const version = '1.0.0'

const help = `
Begin here:
  risiti login --server https://your-server    sign in with your browser; --no-browser prints the address alone
  risiti login --api-key-stdin < key.txt       sign in with an API key of the dashboard
  risiti doctor                                check that everything works; risiti whoami says who you are
  risiti listen --forward http://127.0.0.1:8080/hook
                                               send events to your program, as webhooks do
  risiti trigger invoice.created --forward http://127.0.0.1:8080/hook
                                               send it a sample; with --real, the sandbox makes it happen
  risiti mcp                                   serve the tools for an assistant that starts this command
  risiti logout                                end the sign-in

Repair an invoice that the authority rejected:
  risiti invoices list --status rejected       find it
  risiti invoices status <id>                  read why: report.refusals
  risiti invoices get <id>                     see it, with its buyerId
  risiti buyers update <id> --set taxId=<number>
                                               correct the buyer, if that is at fault
  risiti buyers verify <id>                    check a new tax number; risiti buyers get <id> shows taxIdStatus
  risiti invoices reopen <id>                  make the invoice a draft again
  risiti invoices update <id> --set notes=<text>
                                               correct the draft, if that is at fault
  risiti invoices finalise <id>
  risiti invoices submit <id>
  risiti invoices wait <id>                    wait for the decision

Resources, each with its own --help:
  `

const exits = `
Exit codes: 0 done, 1 refused by the service, 2 wrong usage, 3 not signed in or not allowed, 4 not found,
5 conflict, 6 rate limit, 7 no answer (the outcome is unknown), 130 interrupted.
Environment: RISITI_API_KEY (used instead of the current profile), RISITI_SERVER, RISITI_PROFILE, RISITI_HOME.`

/** Loaded only if the command is used, so that the program starts fast. */
const own: Readonly<Record<string, readonly [about: string, load: () => Promise<(parent: Command, io: Io) => void>]>> =
  {
    login: ['sign in to a server and store a profile', async () => (await import('./commands/login.ts')).addLogin],
    logout: ['forget a profile', async () => (await import('./commands/account.ts')).addLogout],
    whoami: [
      'show who you are: organisation, mode, permissions',
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
export async function run(argv: readonly string[], given: Io): Promise<ExitCode> {
  const io = forTerminals(given)
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
    const group = program.command(named as string).description(`commands for ${named}`)
    addResourceCommands(group, chosen, io)
    if (named === 'invoices') (await import('./commands/invoices.ts')).addInvoiceCommands(group, io)
    return program
  }
  for (const [name, [about]] of Object.entries(own)) program.command(name).description(about)
  program.addHelpText('after', `${help}${wrapped([...groups.keys()])}\n${exits}`)
  // Without a command, the help is what people need.
  program.action(() => {
    program.outputHelp()
  })
  program.argument('[command]').hook('preAction', (_, command) => {
    if (command.args.length > 0)
      command.error(`error: there is no command ${JSON.stringify(command.args[0])}. \`risiti --help\` lists all.`)
  })
  return program
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
            ? `${JSON.stringify({ error: { message: text.trim(), details: [] }, exitCode: exitCodes.usage })}\n`
            : text,
        ),
    })
}

const wrapped = (names: readonly string[]): string =>
  names.reduce((text, name) => {
    const last = text.slice(text.lastIndexOf('\n') + 1)
    return text === '' ? name : last.length + name.length > 90 ? `${text},\n  ${name}` : `${text}, ${name}`
  }, '')
