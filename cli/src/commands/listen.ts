import type { Command } from 'commander'
import { exitCodes, Failure, usage } from '../failures.ts'
import { type Io, printable } from '../io.ts'
import { type CursorFile, lockCursorFile, openCursorFile } from '../listen/cursor-file.ts'
import { follow, type ShownEvent } from '../listen/follow.ts'
import type { SendResult } from '../listen/send.ts'
import type { Format } from '../listen/signed-headers.ts'
import { usualTimes } from '../listen/times.ts'
import { more } from '../resources.ts'
import { announce, openSession, type Session } from '../session.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

interface ListenFlags extends GlobalFlags {
  readonly forward?: string
  readonly events?: readonly string[]
  readonly from: string
  readonly form: string
  readonly wait: boolean
  readonly printSecret?: true
}

const readableDays = 30

/** `*`, `prefix.*` or one name. */
const matches = (pattern: string, type: string): boolean =>
  pattern === '*' || (pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type)

export function formatFrom(form: string): Format {
  if (form !== 'a' && form !== 'b') throw usage('--form must be a or b.')
  return form
}

/** An address as it was given; a port or a path alone means this machine. */
export function addressFrom(given: string): string {
  const address = /^\d{1,5}(\/|$)/.test(given) ? `http://127.0.0.1:${given}` : given
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw usage(`--forward needs an address such as http://127.0.0.1:8080/hook, not ${JSON.stringify(given)}.`)
  return address
}

export function addListen(program: Command, io: Io): void {
  const command = leaf(program, 'listen')
    .description(
      'Follow the events of your organisation, and forward each to your program as a webhook: the exact body, signed. Goes on where it stopped',
    )
    .option('--forward <address>', 'address of your program, such as http://127.0.0.1:8080/hook')
    .option('--events <patterns>', 'only these: names, or families such as invoice.*, separated by commas', more)
    .option(
      '--from <position>',
      'last (where you stopped), now, start (30 days ago), or the cursor of an event',
      'last',
    )
    .option('--form <form>', 'form of the API whose webhooks you want: a or b', 'a')
    .option('--no-wait', 'exit with 7 if nothing listens at the address, instead of waiting for it')
    .option('--print-secret', 'print the secret of the signatures, and exit')
    .addHelpText(
      'after',
      `
The secret of the signatures stays the same for one address. Your program checks it as it checks a webhook of the service.
A reply other than 2xx is shown, and the next event follows: \`risiti events resend <id> --forward <address>\` sends one again.`,
    )
  command.action(async () => {
    const flags = command.opts() as ListenFlags
    const format = formatFrom(flags.form)
    const address = flags.forward === undefined ? undefined : addressFrom(flags.forward)
    if (!flags.wait && address === undefined)
      throw usage('--no-wait needs --forward: it is about the program at that address.')
    if (flags.printSecret && address === undefined)
      throw usage('--print-secret needs --forward: each address has its own secret.')
    const session = await openSession(io, flags)
    const { organizationId } = await session.whoAmI()
    if (!organizationId) throw new Failure(exitCodes.notAllowed, 'Your sign-in belongs to no organisation.')
    const { server, mode } = session
    const listening = { server, mode, organisationId: organizationId, address: address ?? '', format }
    if (flags.printSecret) {
      const { secret } = await openCursorFile(io, listening)
      io.out(flags.json ? `${JSON.stringify({ secret })}\n` : `${secret}\n`)
      return
    }
    const patterns = (flags.events ?? ['*'])
      .flatMap((text) => text.split(','))
      .map((text) => text.trim())
      .filter(Boolean)
    if (patterns.length === 0) throw usage('--events needs a name, or a family such as invoice.*.')
    await requireKnown(session, patterns, format)
    const release = address === undefined ? undefined : await lockCursorFile(io, listening)
    if (address !== undefined && !release)
      throw new Failure(
        exitCodes.conflict,
        `Another \`risiti listen\` forwards to ${address} already. End it first, or forward to another address.`,
      )
    try {
      const file = await openCursorFile(io, listening)
      const from = await positionFor(session, flags.from, file, io)
      // Where it begins is remembered before the first event: the next `listen` misses none.
      await file.save(from)
      await announce(io, session)
      if (address !== undefined) io.note(`forwarding to ${address}, signed with the secret ${file.secret}\n`)
      io.note(
        `listening from ${from === 'start' ? 'the oldest event' : `behind event ${from}`}. Ctrl-C ends it; the next \`listen\` goes on there.\n`,
      )
      await follow({
        client: session.client,
        from,
        file,
        format,
        isWanted: (type) => patterns.some((pattern) => matches(pattern, type)),
        address,
        waits: flags.wait,
        times: io.listenTimes ?? usualTimes,
        signal: io.signal,
        note: (text) => io.note(printable(text).trimEnd().concat('\n')),
        onEvent: (event, result) => io.out(flags.json ? asJson(event, result) : asLine(event, result)),
      })
    } finally {
      await release?.()
    }
  })
}

function asJson({ id, type, createdAt, cursor, body }: ShownEvent, result: SendResult | undefined): string {
  const forwarded = result && {
    kind: result.kind,
    ...(result.kind === 'replied' ? { status: result.status, ms: result.ms } : { reason: result.reason }),
  }
  return `${JSON.stringify({ id, type, createdAt, cursor, forwarded: forwarded ?? null, payload: body })}\n`
}

function asLine({ id, type, createdAt }: ShownEvent, result: SendResult | undefined): string {
  const outcome = !result
    ? ''
    : result.kind === 'replied'
      ? `${result.status} in ${result.ms} ms`
      : `no reply: ${result.reason}`
  return `${createdAt.slice(11, 19)}  ${printable(type).padEnd(32)}  ${id}  ${outcome}\n`
}

/** A misspelt pattern would wait for ever. */
async function requireKnown({ client }: Session, patterns: readonly string[], format: Format): Promise<void> {
  if (patterns.every((pattern) => pattern === '*')) return
  const types = await client.webhooks.listTypes()
  const names = types.flatMap(({ type, formBName }) =>
    format === 'a' ? [type] : formBName === null ? [] : [formBName],
  )
  const unknown = patterns.filter((pattern) => !names.some((name) => matches(pattern, name)))
  if (unknown.length > 0)
    throw usage(
      `There is no event ${unknown.join(', ')} in Form ${format.toUpperCase()}. \`risiti webhooks list-types\` lists them.`,
    )
}

async function positionFor({ client }: Session, from: string, file: CursorFile, io: Io): Promise<string> {
  if (from === 'last' && file.cursor !== null) {
    if (Date.now() - file.savedAt.getTime() > readableDays * 86_400_000)
      io.note(
        `You last listened ${file.savedAt.toISOString().slice(0, 10)}. Events older than ${readableDays} days can no longer be read.\n`,
      )
    return file.cursor
  }
  if (from !== 'last' && from !== 'now') return from
  const { data } = await client.webhooks.listEvents({ limit: 1 })
  return data[0]?.cursor ?? 'start'
}
