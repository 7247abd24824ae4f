import { setTimeout as wait } from 'node:timers/promises'
import { type Maker, makerOf, type PublicCaller, type TokenCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { signedText, signedWords } from '../../platform/secrets/signed-words.ts'
import { type RenderedFile, renderedFiles } from '../documents/index.ts'
import { type BulkJobId, type BulkResult, capabilityOf, mostItemsOf } from './bulk-job.ts'
import { findVisibleBulkJob, listResults } from './bulk-jobs.store.ts'
import type { ZipFile } from './zip.ts'

const linkLifeMs = 15 * 60_000
const purpose = 'archive link'

export interface ArchiveLink {
  readonly url: string
  readonly expiresAt: Date
}

/** Creates a link to the PDFs of a job as one ZIP file. The link works for 15 minutes without a token. */
export const getArchiveLink = reading(
  { needs: [capabilityOf.download], refuses: ['resource.not_found', 'bulk_job.download.not_done'] },
  async (
    { db, caller, realNow, vault, settings }: Outside<TokenCaller>,
    { id }: { id: BulkJobId },
  ): Promise<ArchiveLink> => {
    const { organisationId, mode } = caller.tenant
    const job = await findVisibleBulkJob(db, caller.tenant, caller, id)
    if (job?.action !== 'download') throw refuse('resource.not_found')
    if (job.status === 'running') throw refuse('bulk_job.download.not_done')
    const expiresAt = new Date(realNow.getTime() + linkLifeMs)
    const maker = makerOf(caller)
    const token = signedText(vault, purpose, [organisationId, mode, id, expiresAt.getTime(), maker.kind, maker.id])
    return { url: new URL(`/downloads/zip/${token}`, settings.dashboardUrl).href, expiresAt }
  },
)

const gone = (message: string) => refuse('resource.not_found', { message })

/** How often a file is tried again while too many documents are being drawn. */
const mostTries = 10
const pauseMs = 1_000

async function drawn(context: Outside<PublicCaller>, tenant: Tenant, { invoiceId }: BulkResult): Promise<RenderedFile> {
  for (let tries = 1; ; tries++) {
    try {
      return await renderedFiles.renderedNow(context, { ...tenant, id: invoiceId }, 'pdf')
    } catch (error) {
      const isFull = error instanceof Refusal && error.away === 'place to draw'
      if (!isFull || tries === mostTries) throw error
      await wait(pauseMs)
    }
  }
}

/** One file after the other. Documents that are gone by now are listed in a text file at the end. */
async function* filesOf(
  context: Outside<PublicCaller>,
  tenant: Tenant,
  results: readonly BulkResult[],
): AsyncGenerator<ZipFile> {
  const missing: string[] = []
  const names = new Set<string>()
  for (const result of results) {
    context.gone?.throwIfAborted()
    try {
      const { fileName, bytes } = await drawn(context, tenant, result)
      // Two numbers may differ only in characters that a file name cannot have.
      const name = names.has(fileName) ? `${result.invoiceId}-${fileName}` : fileName
      names.add(name)
      yield { name, bytes }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      missing.push(`${result.invoiceNumber ?? result.invoiceId}: ${error.message}`)
    }
  }
  if (missing.length > 0) yield { name: 'missing.txt', bytes: Buffer.from(`${missing.join('\n')}\n`) }
}

export interface ArchiveDownload {
  readonly fileName: string
  readonly files: AsyncIterable<ZipFile>
}

/** The files behind a download link. Refuses once the creator of the link has lost the capability. */
export const downloadArchive = reading(
  { needs: [], refuses: ['resource.not_found'] },
  async (context: Outside<PublicCaller>, { token }: { token: string }): Promise<ArchiveDownload> => {
    const { db, vault, realNow, ports } = context
    const [organisationId, mode, id, expires, kind, makerId] = signedWords(vault, purpose, token) ?? []
    if (!makerId || Number(expires) <= realNow.getTime())
      throw gone('This link has expired or is incomplete. Request a new one.')
    // The signature is ours, so the words are what we wrote.
    const tenant = { organisationId: organisationId as OrganisationId, mode: mode as Mode }
    const held = await ports.capabilitiesNow(db, tenant, { kind, id: makerId } as Maker, realNow)
    if (!held.has(capabilityOf.download))
      throw gone('The creator of this link no longer has permission to download invoices. Request a new link.')
    const page = { page: 1, limit: mostItemsOf('download') }
    const { rows } = await listResults(db, tenant, id as BulkJobId, 'done', page)
    return { fileName: 'invoices.zip', files: filesOf(context, tenant, rows) }
  },
)
