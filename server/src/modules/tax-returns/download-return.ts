import { createHash } from 'node:crypto'
import { type Maker, makerOf, type PublicCaller, type TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { TaxReturnDocument } from '../../kernel/tax-return.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { signedText, signedWords } from '../../platform/secrets/signed-words.ts'
import type { RenderedFile } from '../documents/index.ts'
import { readingNeeds, wholeReturn } from './read-return.ts'
import type { ReturnFormat } from './return-rules.ts'
import type { TaxPeriod } from './tax-periods.ts'

const purpose = 'link to a tax return'
const linkLifeMs = 15 * 60_000

export interface ReturnLink {
  readonly url: string
  readonly expiresAt: Date
}

/** Creates a link to the file that works for 15 minutes without a token. */
export const downloadTaxReturn = reading(
  { needs: readingNeeds, refuses: ['jurisdiction.unsupported', 'tax_return.too_long'] },
  async (
    context: Outside<TokenCaller>,
    { period, format }: { readonly period: TaxPeriod; readonly format: ReturnFormat },
  ): Promise<ReturnLink> => {
    const { caller, realNow, vault, settings } = context
    const { tenant } = caller
    await wholeReturn(context, tenant, period)
    const expiresAt = new Date(realNow.getTime() + linkLifeMs)
    const { kind, id } = makerOf(caller)
    const named = [tenant.organisationId, tenant.mode, period, format, expiresAt.getTime(), kind, id]
    const token = signedText(vault, purpose, named)
    return { url: new URL(`/downloads/tax-return/${token}`, settings.dashboardUrl).href, expiresAt }
  },
)

const gone = (message: string) => refuse('resource.not_found', { message })
const printable = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** Opens a download link. The link ends with the permission of its creator. */
export const openTaxReturnDownload = reading(
  {
    needs: [],
    refuses: ['resource.not_found', 'jurisdiction.unsupported', 'tax_return.too_long', 'document.not_drawn'],
  },
  async (
    context: Outside<PublicCaller>,
    { token, csvOf }: { readonly token: string; readonly csvOf: (found: TaxReturnDocument) => string },
  ): Promise<RenderedFile> => {
    const { db, vault, realNow, ports, gone: signal } = context
    const [organisationId, mode, period, format, expires, makerKind, makerId] = signedWords(vault, purpose, token) ?? []
    if (makerId === undefined || new Date(Number(expires)) <= realNow)
      throw gone('This link has expired or is incomplete. Request a new one.')
    const tenant: Tenant = { organisationId: organisationId as Tenant['organisationId'], mode: mode as Mode }
    const held = await ports.capabilitiesNow(db, tenant, { kind: makerKind, id: makerId } as Maker, realNow)
    if (!readingNeeds.every((needed) => held.has(needed)))
      throw gone('The creator of this link no longer has permission to download it. Request a new link.')
    const found = await wholeReturn({ ...context, now: await context.nowOf(tenant) }, tenant, period as string)
    const fileName = `tax-return-${period}.${format}`
    if (format === 'pdf') {
      // The PDF has the figures only. The documents are in the CSV file.
      const taxReturn = { ...found, lines: [] }
      const state = createHash('sha256').update(JSON.stringify(taxReturn, printable)).digest('hex')
      const key = `${tenant.organisationId} tax return ${state}`
      const file = await ports.drawer.pdf(key, tenant.organisationId, async () => ({ taxReturn }), signal)
      return { ...file, contentType: 'application/pdf', fileName }
    }
    const bytes = Buffer.from(csvOf(found))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { bytes, sha256, contentType: 'text/csv; charset=utf-8', fileName }
  },
)
