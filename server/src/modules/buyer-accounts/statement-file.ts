import { createHash } from 'node:crypto'
import type { StatementDocument } from '../../kernel/statement-of-account.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import type { GoneSignal } from '../../platform/threads/threads.ts'
import type { RenderedFile } from '../documents/index.ts'
import { fileNameOf } from './read-statement.ts'

interface Sources {
  readonly ports: Ports
  readonly gone?: GoneSignal | undefined
}

const printable = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** The PDF of a statement of account. Drawn again only if something that it shows has changed. */
export async function statementPdf(
  { ports, gone }: Sources,
  { organisationId }: Tenant,
  statement: StatementDocument,
): Promise<RenderedFile> {
  const state = createHash('sha256').update(JSON.stringify(statement, printable)).digest('hex')
  const key = `${organisationId} statement of account ${state}`
  const file = await ports.drawer.pdf(key, organisationId, async () => ({ statement }), gone)
  return { ...file, contentType: 'application/pdf', fileName: fileNameOf(statement, 'pdf') }
}
