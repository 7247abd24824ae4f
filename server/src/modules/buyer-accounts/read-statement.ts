import type { TokenCaller } from '../../kernel/callers.ts'
import { type Language, standardLanguage } from '../../kernel/languages/languages.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { StatementDocument, StatementFigures } from '../../kernel/statement-of-account.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import { type Buyer, type BuyerId, findBuyer } from '../buyers/index.ts'
import { findOrganisation, letterheads } from '../organisations/index.ts'
import { type AccountPeriod, type AskedPeriod, accountPeriod } from './account-period.ts'
import { listAccountCurrencies, readStatement, type StatementPage } from './buyer-accounts.store.ts'
import { mostLines } from './statement-rules.ts'

/** A buyer's statement of account for a period. Without a currency, the first in which the buyer has an account. */
export interface AskedStatement extends AskedPeriod {
  readonly buyerId: BuyerId
  readonly currency?: string | undefined
}

interface Sources {
  readonly db: Queryable
  readonly ports: Ports
  readonly now: Date
}

/** The account that a request names, with all that depends on the organisation's country. */
export interface NamedAccount {
  readonly buyer: Buyer
  readonly currency: string
  readonly currencies: readonly string[]
  readonly period: AccountPeriod
  readonly zone: string
}

export async function findAccount(
  { db, ports, now }: Sources,
  tenant: Tenant,
  country: string | undefined,
  { buyerId, currency, from, to }: AskedStatement,
): Promise<NamedAccount> {
  const jurisdiction = country === undefined ? undefined : ports.jurisdictions.of(country)
  if (!jurisdiction) throw refuse('jurisdiction.unsupported')
  const { zone } = jurisdiction
  const period = accountPeriod({ from, to }, now, zone)
  const buyer = await findBuyer(db, tenant, buyerId)
  if (!buyer) throw refuse('resource.not_found')
  const currencies = await listAccountCurrencies(db, tenant, buyerId)
  const usual = currencies.includes(jurisdiction.currency) ? jurisdiction.currency : currencies[0]
  return { buyer, currency: currency ?? usual ?? jurisdiction.currency, currencies, period, zone }
}

export interface ReadStatement extends StatementPage {
  readonly buyer: Buyer
  readonly currencies: readonly string[]
  readonly zone: string
}

/** What a buyer owed at the start of a period, every change, and what the buyer owed at its end. */
export const getStatementOfAccount = reading(
  {
    needs: ['invoice.read', 'buyer.read'],
    refuses: ['resource.not_found', 'request.invalid', 'jurisdiction.unsupported'],
  },
  async (
    context: Outside<TokenCaller>,
    { page, ...asked }: AskedStatement & { readonly page: PageRequest },
  ): Promise<ReadStatement> => {
    const { db, caller } = context
    const { buyer, currency, currencies, period, zone } = await findAccount(
      context,
      caller.tenant,
      caller.country,
      asked,
    )
    const account = { buyerId: buyer.id, currency }
    return { ...(await readStatement(db, caller.tenant, account, period, page, zone)), buyer, currencies, zone }
  },
)

type InLanguage = AskedStatement & { readonly language?: Language | undefined }

/** A statement of account, with its first lines only if it is too long for a file. */
export async function statementForFile(
  sources: Sources,
  tenant: Tenant,
  { language, ...asked }: InLanguage,
): Promise<{ readonly statement: StatementDocument; readonly isTooLong: boolean }> {
  const { db } = sources
  const organisation = await findOrganisation(db, tenant.organisationId)
  const { buyer, currency, period, zone } = await findAccount(sources, tenant, organisation?.country, asked)
  const page = { page: 1, limit: mostLines }
  const { figures, lines } = await readStatement(db, tenant, { buyerId: buyer.id, currency }, period, page, zone)
  if (!organisation) throw refuse('resource.not_found')
  const letterhead = await letterheads.getLetterheadOfDocument(db, tenant.organisationId, null)
  const statement = {
    ...figures,
    mode: tenant.mode,
    language: language ?? buyer.language ?? standardLanguage,
    seller: {
      name: organisation.name,
      taxId: organisation.taxNumber,
      email: organisation.contactEmail,
      address: organisation.address,
    },
    buyer: { name: buyer.name, taxId: buyer.taxId, email: buyer.email, address: buyer.address },
    letterhead,
    lines: lines.rows,
  }
  return { statement, isTooLong: lines.next !== null }
}

/** The whole statement of account in the buyer's language, for a file, a mail or a page. Refuses if it has too many lines. */
export async function wholeStatement(sources: Sources, tenant: Tenant, asked: InLanguage): Promise<StatementDocument> {
  const { statement, isTooLong } = await statementForFile(sources, tenant, asked)
  if (isTooLong) throw refuse('statement_of_account.too_long')
  return statement
}

/** Such as `statement-2026-11-01-2026-11-30-EUR.pdf`. */
export const fileNameOf = ({ from, to, currency }: StatementFigures, extension: string): string =>
  `statement-${from}-${to}-${currency}.${extension}`
