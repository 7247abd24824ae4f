import { businessDay } from '../../kernel/days.ts'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'
import { type Language, standardLanguage } from '../../kernel/languages/languages.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { everyField } from '../../kernel/written-fields.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import { findBuyer } from '../buyers/index.ts'
import { offers } from '../documents/index.ts'
import { findOrganisation, letterheads } from '../organisations/index.ts'
import { type CopiedParties, partiesNow } from './copied-parties.ts'
import type { Quote, QuoteVersion } from './quote.ts'

/** The contents of a version for PDF and page. */
function documentOf(
  { type, number, storedStatus }: Pick<Quote, 'type' | 'number' | 'storedStatus'>,
  version: QuoteVersion,
  { sellerCopy, buyerCopy }: CopiedParties,
  { mode }: Tenant,
): InvoiceDocument {
  const { validUntil, versionNumber, payableMinor } = version
  return {
    ...everyField((name) => version[name]),
    type: 'standard',
    kind: version.kind,
    number,
    mode,
    isDraft: storedStatus === 'draft',
    issueDate: version.issueDate,
    issueTime: null,
    dueDate: null,
    instalments: null,
    homeTax: null,
    supplyDate: null,
    currency: version.currency,
    seller: sellerCopy,
    buyer: buyerCopy,
    lines: version.lines,
    taxGroups: version.taxGroups,
    netMinor: version.netMinor,
    allowanceMinor: version.allowanceMinor,
    chargeMinor: version.chargeMinor,
    taxMinor: version.taxMinor,
    roundingMinor: 0n,
    payableMinor,
    paidMinor: 0n,
    creditedMinor: 0n,
    dueMinor: payableMinor,
    original: null,
    reason: null,
    authorityReference: null,
    stamp: null,
    offer: { type, validUntil, versionNumber },
  }
}

interface Sources {
  readonly db: Queryable
  readonly ports: Ports
  readonly now: Date
}

/** A version as its reader sees it, in the buyer's language if none is given, and the seller's day. */
export async function offeredDocument(
  { db, ports, now }: Sources,
  tenant: Tenant,
  quote: Quote,
  { version = quote, language }: { readonly version?: QuoteVersion; readonly language?: Language | undefined } = {},
): Promise<offers.OfferedDocument & { readonly today: string; readonly zone: string }> {
  const { organisationId } = tenant
  const organisation = await findOrganisation(db, organisationId)
  if (!organisation) throw refuse('resource.not_found')
  const buyer = version.buyerId === null ? undefined : await findBuyer(db, tenant, version.buyerId)
  const read = language ?? buyer?.language ?? standardLanguage
  const { words, zone } = offers.wordsIn(ports, organisation.country, read)
  const parties = version.buyerCopy === null ? await partiesNow(db, tenant, version) : version
  const letterhead = await letterheads.getLetterheadOfDocument(db, organisationId, null)
  return {
    document: documentOf(quote, version, parties, tenant),
    letterhead,
    words,
    today: businessDay(now, zone),
    zone,
  }
}
