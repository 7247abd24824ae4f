import type { Command } from 'commander'
import { usage } from '../failures.ts'
import type { Io } from '../io.ts'
import type { BulkFilter, Pages } from '../sdk.ts'
import { announce, openSession } from '../session.ts'
import { writeBytes } from './invoices.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

const lists = ['buyers', 'items', 'invoices', 'received-invoices', 'quotes'] as const

interface ExportFlags extends GlobalFlags {
  readonly pdf?: true
  readonly status?: string
  readonly output?: string
}

export function addExport(program: Command, io: Io): void {
  const command = leaf(program, 'export')
    .description('Write every entry of a list as NDJSON, or with --pdf the PDFs of invoices as a ZIP file')
    .argument('<list>', lists.join(', '))
    .option('--status <status>', 'only entries with this status')
    .option('--pdf', 'the PDFs of up to 200 invoices, as a ZIP file')
    .option('--output <file>', 'the ZIP file of --pdf; invoices.zip by default')
  command.action(async (list: string) => {
    const flags = command.opts() as ExportFlags
    if (!lists.some((one) => one === list)) throw usage(`The list must be one of ${lists.join(', ')}.`)
    if (flags.pdf && list !== 'invoices') throw usage('--pdf is for invoices.')
    if (flags.output !== undefined && !flags.pdf)
      throw usage('--output is for --pdf. A list goes to stdout: add `> <file>` to store it.')
    const session = await openSession(io, flags)
    const { client } = session
    const filter = flags.status === undefined ? {} : { status: flags.status }
    if (flags.pdf) {
      await announce(io, session)
      const bytes = await client.invoices.downloadPdfs(
        { filter: filter as BulkFilter },
        {
          signal: io.signal,
          onProgress: ({ counts }) => io.note(`${counts.total - counts.waiting} of ${counts.total}\n`),
        },
      )
      return await writeBytes(flags.output ?? 'invoices.zip', bytes, io)
    }
    const modules = { ...client, 'received-invoices': client.receivedInvoices } as unknown as Record<
      string,
      { list(query: object): Pages<unknown> }
    >
    let count = 0
    for await (const entry of modules[list]?.list({ ...filter, limit: 100 }) ?? []) {
      io.out(`${JSON.stringify(entry)}\n`)
      count++
    }
    io.note(`${count} entries\n`)
  })
}
