import { basename } from 'node:path'
import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Command } from 'commander'
import { exitCodes, Failure, usage } from '../failures.ts'
import { readGiven } from '../input.ts'
import { type Io, printable } from '../io.ts'
import { printData } from '../output.ts'
import type { ImportReport, NewImport } from '../sdk.ts'
import { announce, openSession, type Session } from '../session.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

const kinds = ['buyers', 'items', 'invoices'] as const
const firstPauseMs = 250
const longestPauseMs = 2_000

interface ImportFlags extends GlobalFlags {
  readonly run?: true
  readonly timeout: string
}

export function addImport(program: Command, io: Io): void {
  const command = leaf(program, 'import')
    .description(
      'Check a CSV or XLSX file, and with --run import it. Exits with 1 if a row has a fault. `risiti imports undo <id>` takes an import back',
    )
    .argument('<kind>', kinds.join(', '))
    .argument('<file>', 'the file; its first row has the names of the columns')
    .option('--run', 'import the rows without faults')
    .option('--timeout <seconds>', 'how long to wait for each step', '600')
  command.action(async (kind: string, path: string) => {
    const flags = command.opts() as ImportFlags
    if (!kinds.some((one) => one === kind)) throw usage(`The kind must be one of ${kinds.join(', ')}.`)
    const timeoutMs = Number(flags.timeout) * 1_000
    if (!(timeoutMs > 0)) throw usage('--timeout must be a number of seconds.')
    const body = await importOf(kind as NewImport['kind'], path)
    const session = await openSession(io, flags)
    await announce(io, session)
    const { id } = await session.client.imports.start(body)
    const checked = await settled(io, session, id, ['checking'], timeoutMs)
    for (const { row, column, message } of checked.faults)
      io.note(`row ${row}${column ? `, ${printable(column)}` : ''}: ${printable(message)}\n`)
    const { faults, ...report } = flags.run ? await run(io, session, id, timeoutMs) : checked
    // People saw the faults as notes.
    printData(io, flags.json ? { ...report, faults } : report, flags.json === true)
    const { status, counts } = report
    if (!flags.run && counts.ready > 0)
      io.note(`Nothing is created yet. Create ${counts.ready} with: risiti imports run ${id}\n`)
    if (status !== (flags.run ? 'done' : 'checked') || counts.faulty > 0)
      throw new Failure(
        exitCodes.refused,
        `The import is ${status}: ${counts.made} created, ${counts.faulty} with faults.`,
      )
  })
}

async function run(io: Io, session: Session, id: string, timeoutMs: number): Promise<ImportReport> {
  await session.client.imports.run(id)
  return await settled(io, session, id, ['checking', 'checked', 'running'], timeoutMs)
}

async function importOf(kind: NewImport['kind'], path: string): Promise<NewImport> {
  const format = path.toLowerCase().endsWith('.xlsx') ? 'xlsx' : 'csv'
  const bytes = await readGiven(path)
  return { kind, fileName: basename(path), format, content: bytes.toString(format === 'csv' ? 'utf8' : 'base64') }
}

/** Waits until the import has left these states, and shows its progress. */
async function settled(
  io: Io,
  { client }: Session,
  id: string,
  states: readonly ImportReport['status'][],
  timeoutMs: number,
): Promise<ImportReport> {
  let last = ''
  let pauseMs = firstPauseMs
  for (const until = performance.now() + timeoutMs; performance.now() < until; ) {
    const report = await client.imports.get(id, { signal: io.signal })
    const { unchecked, ready, faulty, made } = report.counts
    const line = `${report.status}: ${unchecked} unchecked, ${ready} ready, ${faulty} with faults, ${made} created\n`
    if (line !== last) io.note(line)
    last = line
    if (!states.includes(report.status)) return report
    await pauseFor(pauseMs, undefined, { signal: io.signal })
    pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)
  }
  throw new Failure(exitCodes.noAnswer, `The import ${id} goes on. See it with: risiti imports get ${id}`)
}
