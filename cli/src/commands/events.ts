import type { Command } from 'commander'
import { exitCodes, Failure, usage } from '../failures.ts'
import type { Io } from '../io.ts'
import { openCursorFile } from '../listen/cursor-file.ts'
import { follow } from '../listen/follow.ts'
import { send } from '../listen/send.ts'
import { type Format, signedHeaders } from '../listen/signed-headers.ts'
import { usualTimes } from '../listen/times.ts'
import { printData } from '../output.ts'
import { announce, openSession, type Session } from '../session.ts'
import { type GlobalFlags, leaf } from './leaf.ts'
import { addressFrom, formatFrom } from './listen.ts'

export function addEvents(program: Command, io: Io): void {
  const events = program.command('events').description('List, show, resend and follow events')
  addList(events, io)
  addShow(events, io)
  addResend(events, io)
  addTail(events, io)
}

function addList(events: Command, io: Io): void {
  const command = leaf(events, 'list')
    .description('Events of the last 30 days, the newest first')
    .option('--type <type>', 'only this type, or a family such as invoice.*')
    .option('--limit <count>', 'entries, from 1 to 100', '20')
  command.action(async () => {
    const { type, limit, json, ...flags } = command.opts() as GlobalFlags & { type?: string; limit: string }
    const { client } = await openSession(io, flags)
    const { data } = await client.webhooks.listEvents({ type, limit: Number(limit) })
    if (json) return printData(io, data, true)
    printData(
      io,
      data.map(({ id, type, createdAt, cursor }) => ({ id, type, createdAt, cursor })),
      false,
    )
  })
}

function addShow(events: Command, io: Io): void {
  const command = leaf(events, 'show').description('Show one event with its data').argument('<id>')
  command.action(async (id: string) => {
    const flags = command.opts() as GlobalFlags
    const { client } = await openSession(io, flags)
    printData(io, await client.webhooks.getEvent(id), flags.json === true)
  })
}

interface ResendFlags extends GlobalFlags {
  readonly endpoint?: string
  readonly forward?: string
  readonly form?: string
}

function addResend(events: Command, io: Io): void {
  const command = leaf(events, 'resend')
    .description('Send an event again: to a webhook endpoint, or to your program')
    .argument('<id>')
    .option('--endpoint <id>', 'the webhook endpoint')
    .option('--forward <address>', 'the address of your program')
    .option('--form <form>', 'with --forward: the form of the API whose webhook is sent, a or b; a by default')
  command.action(async (id: string) => {
    const flags = command.opts() as ResendFlags
    if ((flags.endpoint === undefined) === (flags.forward === undefined))
      throw usage('Give either --endpoint or --forward.')
    if (flags.endpoint !== undefined && flags.form !== undefined)
      throw usage('--form is for --forward: an endpoint has its own form.')
    const session = await openSession(io, flags)
    if (flags.endpoint !== undefined) {
      await announce(io, session)
      const delivery = await session.client.webhooks.redeliverEvent(id, { endpointId: flags.endpoint })
      return printData(io, delivery, flags.json === true)
    }
    const format = formatFrom(flags.form ?? 'a')
    const payload = await payloadOf(session, id, format)
    if (payload === null) throw usage(`Form ${format.toUpperCase()} does not have this type of event.`)
    await sendHere(
      io,
      session,
      { address: addressFrom(flags.forward as string), format, id, body: payload },
      flags.json === true,
    )
  })
}

/** The body of one event: events are read by their time, because only lists have payloads. */
async function payloadOf({ client }: Session, id: string, format: Format): Promise<string | null> {
  const event = await client.webhooks.getEvent(id)
  const until = new Date(Date.parse(event.createdAt) + 1).toISOString()
  for await (const one of client.webhooks.listEvents({
    type: event.type,
    from: event.createdAt,
    to: until,
    format,
    limit: 100,
  }))
    if (one.id === id) return one.payload ?? null
  throw new Failure(exitCodes.notFound, `There is no event ${id}.`)
}

/** Sends one body to the program, signed like those of `listen`. */
export async function sendHere(
  io: Io,
  { server, mode, whoAmI }: Session,
  { address, format, id, body }: { address: string; format: Format; id: string; body: string },
  asJson: boolean,
): Promise<void> {
  const { organizationId } = await whoAmI()
  const { secret } = await openCursorFile(io, { server, mode, organisationId: organizationId ?? '', address, format })
  io.note(`sending to ${address}, signed with the secret ${secret}\n`)
  const { type } = JSON.parse(body) as { type: string }
  const headers = signedHeaders(format, { id, type, body }, secret, { attempt: 1, now: Date.now() })
  const result = await send(address, headers, body, { replyMs: usualTimes.replyMs, signal: io.signal })
  if (result.kind === 'refused')
    throw new Failure(exitCodes.noAnswer, `Nothing listens at ${address} (${result.reason}). Start your program first.`)
  if (result.kind !== 'replied') throw new Failure(exitCodes.noAnswer, `${address} did not reply: ${result.reason}.`)
  printData(io, { type, id, address, status: result.status, ms: result.ms }, asJson)
  if (result.status < 200 || result.status > 299)
    throw new Failure(exitCodes.refused, `Your program replied ${result.status}.`)
}

function addTail(events: Command, io: Io): void {
  const command = leaf(events, 'tail').description('Show new events as they happen')
  command.action(async () => {
    const flags = command.opts() as GlobalFlags
    const { client } = await openSession(io, flags)
    const { data } = await client.webhooks.listEvents({ limit: 1 })
    await follow({
      client,
      from: data[0]?.cursor ?? 'start',
      file: { secret: '', save: async () => {} },
      format: 'a',
      isWanted: () => true,
      address: undefined,
      waits: true,
      times: usualTimes,
      signal: io.signal,
      note: (text) => io.note(text),
      onEvent: ({ id, type, createdAt, body }) =>
        io.out(flags.json ? `${body}\n` : `${createdAt}  ${type.padEnd(32)}  ${id}\n`),
    })
  })
}
