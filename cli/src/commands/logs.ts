import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Command } from 'commander'
import { exitCodes, Failure } from '../failures.ts'
import { type Io, printable } from '../io.ts'
import { printData } from '../output.ts'
import { Refused, type RequestLogListQuery } from '../sdk.ts'
import { openSession } from '../session.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

const everyMs = 2_000

export function addLogs(program: Command, io: Io): void {
  const logs = program.command('logs').description('Read the request log. It is for people: an API key may not read it')
  addTail(logs, io)
  addShow(logs, io)
}

async function forPeople<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refused && error.reason === 'auth.users_only')
      throw new Failure(
        exitCodes.notAllowed,
        'The request log is for people, and you are signed in with an API key. Open the dashboard: `risiti open developers/requests`.',
      )
    throw error
  }
}

function addTail(logs: Command, io: Io): void {
  const command = leaf(logs, 'tail')
    .description('Show requests as they are answered')
    .option('--status <class>', 'only this class of status, such as 4xx')
  command.action(async () => {
    const flags = command.opts() as GlobalFlags & { status?: RequestLogListQuery['status'] }
    const { client } = await openSession(io, flags)
    let since = new Date().toISOString()
    const shown = new Set<string>()
    while (!io.signal.aborted) {
      const { data } = await forPeople(
        Promise.resolve(client.requestLog.list({ from: since, status: flags.status, limit: 100 })),
      )
      for (const entry of data.toReversed()) {
        if (shown.has(entry.id)) continue
        shown.add(entry.id)
        const { answeredAt, status, method, path, durationMs, reason, requestId } = entry
        io.out(
          flags.json
            ? `${JSON.stringify(entry)}\n`
            : `${answeredAt.slice(11, 19)}  ${status}  ${method.padEnd(6)} ${printable(path)}  ${durationMs} ms  ${reason ?? ''}  ${requestId}\n`,
        )
      }
      // Entries are written about a second late, so the last seconds are read again.
      since = new Date(Date.now() - 10_000).toISOString()
      if (shown.size > 5_000) shown.clear()
      await pauseFor(everyMs, undefined, { signal: io.signal })
    }
  })
}

function addShow(logs: Command, io: Io): void {
  const command = leaf(logs, 'show')
    .description('Show one request by its request id, with its faults')
    .argument('<requestId>')
  command.action(async (requestId: string) => {
    const flags = command.opts() as GlobalFlags
    const { client } = await openSession(io, flags)
    const { data } = await forPeople(Promise.resolve(client.requestLog.list({ requestId, limit: 1 })))
    const [found] = data
    if (!found)
      throw new Failure(
        exitCodes.notFound,
        `The log has no request ${requestId}. Entries appear after about a second, and stay for seven days.`,
      )
    printData(io, await client.requestLog.get(found.id), flags.json === true)
  })
}
