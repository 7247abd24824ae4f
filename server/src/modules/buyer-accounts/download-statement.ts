import { createHash } from 'node:crypto'
import { type Maker, makerOf, type PublicCaller, type TokenCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { StatementDocument } from '../../kernel/statement-of-account.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { signedText, signedWords } from '../../platform/secrets/signed-words.ts'
import type { BuyerId } from '../buyers/index.ts'
import type { RenderedFile } from '../documents/index.ts'
import { type AskedStatement, fileNameOf, findAccount, wholeStatement } from './read-statement.ts'
import { statementPdf } from './statement-file.ts'
import type { StatementFormat } from './statement-rules.ts'

const purpose = 'link to a statement of account'
const linkLifeMs = 15 * 60_000

export interface StatementLink {
  readonly url: string
  readonly expiresAt: Date
}

/** Creates a link to the file that works for 15 minutes without a token. */
export const downloadStatement = reading(
  {
    needs: ['invoice.download_pdf', 'invoice.read', 'buyer.read'],
    refuses: ['resource.not_found', 'request.invalid', 'jurisdiction.unsupported', 'statement_of_account.too_long'],
  },
  async (
    context: Outside<TokenCaller>,
    { format, ...asked }: AskedStatement & { readonly format: StatementFormat },
  ): Promise<StatementLink> => {
    const { caller, realNow, vault, settings } = context
    const { tenant } = caller
    const { buyer, currency, period } = await findAccount(context, tenant, caller.country, asked)
    await wholeStatement(context, tenant, { buyerId: buyer.id, currency, from: period.from, to: period.to })
    const expiresAt = new Date(realNow.getTime() + linkLifeMs)
    const { kind, id } = makerOf(caller)
    const named = [tenant.organisationId, tenant.mode, buyer.id, currency, period.from, period.to, format]
    const token = signedText(vault, purpose, [...named, expiresAt.getTime(), kind, id])
    return { url: new URL(`/downloads/statement/${token}`, settings.dashboardUrl).href, expiresAt }
  },
)

const gone = (message: string) => refuse('resource.not_found', { message })

/** Opens a download link. The link ends with the permission of its creator. */
export const openStatementDownload = reading(
  {
    needs: [],
    refuses: [
      'resource.not_found',
      'request.invalid',
      'jurisdiction.unsupported',
      'statement_of_account.too_long',
      'document.not_drawn',
    ],
  },
  async (
    context: Outside<PublicCaller>,
    { token, csvOf }: { readonly token: string; readonly csvOf: (statement: StatementDocument) => string },
  ): Promise<RenderedFile> => {
    const { db, vault, realNow, ports } = context
    const words = signedWords(vault, purpose, token) ?? []
    const [organisationId, mode, buyerId, currency, from, to, format, expires, makerKind, makerId] = words
    if (makerId === undefined || new Date(Number(expires)) <= realNow)
      throw gone('This link has expired or is incomplete. Request a new one.')
    const tenant: Tenant = { organisationId: organisationId as Tenant['organisationId'], mode: mode as Mode }
    const held = await ports.capabilitiesNow(db, tenant, { kind: makerKind, id: makerId } as Maker, realNow)
    if (!(['invoice.download_pdf', 'invoice.read', 'buyer.read'] as const).every((needed) => held.has(needed)))
      throw gone('The creator of this link no longer has permission to download it. Request a new link.')
    const asked = { buyerId: buyerId as BuyerId, currency, from, to }
    const statement = await wholeStatement({ ...context, now: await context.nowOf(tenant) }, tenant, asked)
    if (format === 'pdf') return await statementPdf(context, tenant, statement)
    const bytes = Buffer.from(csvOf(statement))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { bytes, sha256, contentType: 'text/csv; charset=utf-8', fileName: fileNameOf(statement, 'csv') }
  },
)
