import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { exitCodes, Failure, usage } from '../failures.ts'
import { type Io, printable } from '../io.ts'
import { printData } from '../output.ts'
import { openSession } from '../session.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

/** What the routes alone do not give: the PDF itself, and waiting for the authority. */
export function addInvoiceCommands(invoices: Command, io: Io): void {
  addPdf(invoices, io)
  addWait(invoices, io)
}

/** Writes bytes to a file that must not exist, or to stdout. */
export async function writeBytes(path: string, bytes: Uint8Array, io: Io): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw usage(`${path} cannot be written: ${(error as Error).message}`)
    throw usage(`${path} exists. Choose another file with --output.`)
  }
  io.note(`${path}: ${bytes.length} bytes\n`)
}

/** A number of a document may contain characters that lead to another folder. */
const fileNameFor = (number: string): string => number.replace(/[^\p{L}\p{N}._-]/gu, '_').replace(/^\.+/, '_')

function addPdf(invoices: Command, io: Io): void {
  const command = leaf(invoices, 'pdf')
    .description('Write the PDF of a document to a file')
    .argument('<id>')
    .option('--output <file>', 'the file; the number of the document by default')
  command.action(async (id: string) => {
    const flags = command.opts() as GlobalFlags & { output?: string }
    const { client } = await openSession(io, flags)
    const [{ invoiceNumber }, bytes] = await Promise.all([client.invoices.get(id), client.invoices.downloadPdf(id)])
    const path = flags.output ?? `${fileNameFor(invoiceNumber ?? id)}.pdf`
    await writeBytes(path, bytes, io)
    io.out(flags.json ? `${JSON.stringify({ file: path, bytes: bytes.length })}\n` : `${path}\n`)
  })
}

function addWait(invoices: Command, io: Io): void {
  const command = leaf(invoices, 'wait')
    .description(
      'Wait until the tax authority has decided about a submitted document. Exits with 1 unless it is accepted',
    )
    .argument('<id>')
    .option('--timeout <seconds>', 'how long to wait', '120')
  command.action(async (id: string) => {
    const flags = command.opts() as GlobalFlags & { timeout: string }
    const seconds = Number(flags.timeout)
    if (!(seconds > 0 && seconds <= 86_400)) throw usage('--timeout must be a number of seconds, from 1 to 86400.')
    const { client } = await openSession(io, flags)
    const invoice = await client.invoices.waitForOutcome(id, {
      timeoutMs: seconds * 1_000,
      signal: io.signal,
      onStatus: (status) => io.note(`${printable(status)}\n`),
    })
    printData(io, invoice, flags.json === true)
    if (invoice.status !== 'accepted')
      throw new Failure(
        exitCodes.refused,
        `The document is ${invoice.status}. Read why with \`risiti invoices status ${id}\`, then run \`risiti invoices reopen ${id}\`, correct it with \`risiti invoices update ${id}\`, and finalise and submit it again.`,
      )
  })
}
