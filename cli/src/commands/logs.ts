import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Command } from 'commander'
import { exitCodes, Failure } from '../failures.ts'
import { type Io, printable } from '../io.ts'
import { printData } from '../output.ts'
import { Refused, type RequestLogListQuery } from '../sdk.ts'
import { openSession } from '../session.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

const everyMs = 2_000
/** Entries are written about a second late, so the last seconds are read again. */
const overlapMs = 10_000
const mostRemembered = 5_000

export function addLogs(program: Command, io: Io): void {
  const logs = program.command('logs').description('Read the request log. It is for people: sign in without an API key')
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
        'The request log is for people, and you use an API key. Sign in with `risiti login`, or open it in the dashboard: `risiti open developers/requests`.',
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
    const read = (from?: string) =>
      forPeople(Promise.resolve(client.requestLog.list({ from, status: flags.status, limit: 100 })))
    // Only times of the service are compared: the clock of this machine may be wrong.
    const before = (await read()).data
    const shown = new Set(before.map(({ id }) => id))
    let newest = before[0]?.answeredAt
    while (!io.signal.aborted) {
      const { data } = await read(newest && new Date(Date.parse(newest) - overlapMs).toISOString())
      newest = data[0]?.answeredAt ?? newest
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
      for (const id of shown) {
        if (shown.size <= mostRemembered) break
        shown.delete(id)
      }
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
