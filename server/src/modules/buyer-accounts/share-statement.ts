import { createHash, randomBytes } from 'node:crypto'
import type { PublicCaller, TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import type { Language } from '../../kernel/languages/languages.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { StatementDocument } from '../../kernel/statement-of-account.ts'
import { type Inside, type Outside, operation, reading } from '../../platform/operations/operation.ts'
import { type BuyerId, emitBuyerEvent, findBuyer } from '../buyers/index.ts'
import type { RenderedFile } from '../documents/index.ts'
import {
  type AccountShare,
  type AccountShareId,
  deleteAccountShare,
  findAccountShareByToken,
  hashOfToken,
  insertAccountShare,
  listAccountShares,
  lockShareCount,
} from './account-shares.store.ts'
import { type AskedStatement, findAccount, wholeStatement } from './read-statement.ts'
import { statementPdf } from './statement-file.ts'
import { mostLinks, usualLifeDays } from './statement-rules.ts'

const dayMs = 86_400_000

const payloadOf = ({ id, currency, fromDay, toDay, expiresAt }: AccountShare) => ({
  linkId: id,
  currency,
  from: fromDay,
  to: toDay,
  expiresAt: expiresAt.toISOString(),
})

/** Creates a link to a public page with the statement of account of one period. The address is shown only once. */
export const shareStatement = operation(
  {
    needs: ['invoice.share', 'invoice.read', 'buyer.read'],
    refuses: [
      'resource.not_found',
      'request.invalid',
      'jurisdiction.unsupported',
      'statement_of_account.too_long',
      'statement_of_account.too_many_links',
    ],
  },
  async (
    context: Inside<TokenCaller>,
    { days = usualLifeDays, ...asked }: AskedStatement & { readonly days?: number | undefined },
  ): Promise<AccountShare & { readonly url: string }> => {
    const { tx, caller, now, settings } = context
    const { tenant } = caller
    const sources = { ...context, db: tx }
    const { buyer, currency, period } = await findAccount(sources, tenant, caller.country, asked)
    const { from, to } = period
    await wholeStatement(sources, tenant, { buyerId: buyer.id, currency, from, to })
    if ((await lockShareCount(tx, tenant, buyer.id, now)) >= mostLinks)
      throw refuse('statement_of_account.too_many_links')
    const token = randomBytes(32).toString('base64url')
    const share: AccountShare = {
      id: newId(),
      buyerId: buyer.id,
      currency,
      fromDay: from,
      toDay: to,
      createdAt: now,
      expiresAt: new Date(now.getTime() + days * dayMs),
    }
    await insertAccountShare(tx, tenant, share, hashOfToken(token))
    emitBuyerEvent(context, 'buyer.statement_shared', tenant, buyer, payloadOf(share))
    return { ...share, url: new URL(`/s/account/${token}`, settings.dashboardUrl).href }
  },
)

/** Links of a buyer that still work, newest first. Their addresses are not stored. */
export const listStatementShares = reading(
  { needs: ['invoice.share', 'buyer.read'], refuses: ['resource.not_found'] },
  async (
    { db, caller, now }: Outside<TokenCaller>,
    { buyerId, page }: { readonly buyerId: BuyerId; readonly page: PageRequest },
  ): Promise<Page<AccountShare>> => {
    if (!(await findBuyer(db, caller.tenant, buyerId))) throw refuse('resource.not_found')
    return await listAccountShares(db, caller.tenant, buyerId, now, page)
  },
)

/** Ends a link. */
export const unshareStatement = operation(
  { needs: ['invoice.share', 'buyer.read'], refuses: ['resource.not_found'] },
  async (
    context: Inside<TokenCaller>,
    { buyerId, linkId }: { readonly buyerId: BuyerId; readonly linkId: AccountShareId },
  ): Promise<{ readonly id: AccountShareId }> => {
    const { tx, caller } = context
    const { tenant } = caller
    const buyer = await findBuyer(tx, tenant, buyerId)
    const ended = buyer && (await deleteAccountShare(tx, tenant, buyerId, linkId))
    if (!ended) throw refuse('resource.not_found')
    emitBuyerEvent(context, 'buyer.statement_unshared', tenant, buyer, payloadOf(ended))
    return { id: linkId }
  },
)

const openRefusals = [
  'resource.not_found',
  'request.invalid',
  'jurisdiction.unsupported',
  'statement_of_account.too_long',
] as const

/** A link, and the language that its reader chose. */
interface OpenedLink {
  readonly token: string
  readonly language?: Language | undefined
}

async function sharedStatement(context: Outside<PublicCaller>, { token, language }: OpenedLink) {
  const share = await findAccountShareByToken(context.db, token)
  if (!share) throw refuse('resource.not_found')
  const { organisationId, mode, buyerId, currency, fromDay, toDay } = share
  const tenant = { organisationId, mode }
  const now = await context.nowOf(tenant)
  if (share.expiresAt <= now) throw refuse('resource.not_found')
  const asked = { buyerId, currency, from: fromDay, to: toDay, language }
  return { tenant, statement: await wholeStatement({ ...context, now }, tenant, asked) }
}

/** The public page of a link. The link is the only credential. */
export const openSharedStatement = reading(
  { needs: [], refuses: openRefusals },
  async (
    context: Outside<PublicCaller>,
    { write, ...link }: OpenedLink & { readonly write: (statement: StatementDocument) => string },
  ): Promise<Pick<RenderedFile, 'bytes' | 'sha256'>> => {
    const { statement } = await sharedStatement(context, link)
    const bytes = Buffer.from(write(statement))
    return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
  },
)

export const openSharedStatementPdf = reading(
  { needs: [], refuses: [...openRefusals, 'document.not_drawn'] },
  async (context: Outside<PublicCaller>, link: OpenedLink): Promise<RenderedFile> => {
    const { tenant, statement } = await sharedStatement(context, link)
    return await statementPdf(context, tenant, statement)
  },
)
