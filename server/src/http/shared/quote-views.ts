import Type from 'typebox'
import { quotes } from '../../modules/quotes/index.ts'
import { Day, Instant, isoOrNull, List, Maybe, MinorUnits, means, Named, OneOf, Uuid } from '../definitions/fields.ts'
import { lineView, toLineView } from './draft-lines.ts'
import { InvoiceCurrency, majorText, SharedView, toTaxes } from './invoices.ts'
import { meaningOf } from './value-meanings.ts'
import { toWrittenViews, writtenViews } from './written-fields.ts'

const versionView = {
  versionNumber: means('The number of the version, from 1.', Type.Integer()),
  sellerId: means('The seller. Null if the organisation has none.', Maybe(Uuid)),
  buyerId: means('The buyer. Null if a draft has none.', Maybe(Uuid)),
  buyerName: means('The name of the buyer on the quote. Null if a draft has none.', Maybe(Type.String())),
  quoteDate: means('The date of the quote.', Day),
  validUntil: means('The last day on which the buyer can accept. Null without an end.', Maybe(Day)),
  currency: means('The currency of all amounts (ISO 4217).', InvoiceCurrency),
  netMinor: means('The sum of the lines before tax, in minor units.', MinorUnits),
  allowanceMinor: means('The discount on the whole quote, in minor units.', MinorUnits),
  chargeMinor: means('The charge added to the whole quote, in minor units.', MinorUnits),
  taxMinor: means('The tax, in minor units.', MinorUnits),
  payableMinor: means('The total with tax, in minor units.', MinorUnits),
  taxes: SharedView.taxes,
  decision: means(
    'What the buyer decided about this version. Null without a decision.',
    Maybe(
      Named('QuoteDecision', {
        decision: means(meaningOf.decisions, OneOf(...quotes.decisions)),
        name: means('The name of the person who decided.', Type.String()),
        remark: means('A remark of the buyer. Null if there is none.', Maybe(Type.String())),
        decidedAt: means('When the decision was recorded.', Instant),
        through: means(
          '`page`: the buyer decided on the public page. `seller`: your organisation recorded it.',
          OneOf(...quotes.decisionPlaces),
        ),
        ipAddress: means('The network address that the decision came from.', Type.String()),
      }),
    ),
  ),
  ...writtenViews('A'),
}

const versionCreatedAt = means('When this version was written.', Instant)
const contentView = {
  allowanceAmount: means('The discount on the whole quote, in major units such as dollars.', Type.String()),
  chargeAmount: means('The charge added to the whole quote, in major units such as dollars.', Type.String()),
  lineItems: means('The lines, in their order.', List(Named('QuoteLine', lineView))),
}

const quoteView = {
  id: means('Unique identifier of the quote (UUIDv7).', Uuid),
  quoteNumber: means('The number in its own series, such as `QUO000042` or `PRO000042`.', Type.String()),
  quoteType: means(meaningOf.quoteTypes, OneOf(...quotes.quoteTypes)),
  status: means(meaningOf.quoteStatuses, OneOf(...quotes.quoteStatuses)),
  ...versionView,
  sentAt: means('When the quote was last sent. Null for a draft.', Maybe(Instant)),
  sharedAt: means('When the public link was created. Null if there is none.', Maybe(Instant)),
  createdBy: SharedView.createdBy,
  createdAt: means('When the quote was created.', Instant),
  updatedAt: means('When the quote last changed.', Instant),
}

export const SummaryView = Named('QuoteSummary', quoteView)
export const VersionSummaryView = Named('QuoteVersionSummary', { ...versionView, versionCreatedAt })
export const VersionView = Named('QuoteVersion', { ...versionView, versionCreatedAt, ...contentView })
export const QuoteView = Named('Quote', {
  ...quoteView,
  ...contentView,
  results: means(
    'The documents that the quote became, oldest first.',
    List(
      Named('QuoteResult', {
        result: means(
          '`invoice`: the whole quote. `deposit`: a prepayment. `final`: the rest after a deposit.',
          OneOf(...quotes.resultKinds),
        ),
        invoiceId: means('Unique identifier of the document.', Uuid),
        invoiceNumber: means('The number of the document.', Type.String()),
        payableMinor: means('The total of the document when it was created, in minor units.', MinorUnits),
        deleted: means('True if the draft was deleted.', Type.Boolean()),
      }),
    ),
  ),
  restMinor: means(
    'The total that the final invoice after a deposit will have, in minor units. Null if no final invoice is missing.',
    Maybe(MinorUnits),
  ),
  invoicedMinor: means(
    'The sum of its documents now, after credit notes, in minor units. Documents that were changed to another currency are left out. If no final invoice is missing and the sum is not the total of the quote, a document was changed, deleted or credited.',
    MinorUnits,
  ),
})

const toVersionView = (version: quotes.VersionSummary) => ({
  versionNumber: version.versionNumber,
  sellerId: version.sellerId,
  buyerId: version.buyerId,
  buyerName: version.buyerName,
  quoteDate: version.issueDate,
  validUntil: version.validUntil,
  currency: version.currency,
  netMinor: Number(version.netMinor),
  allowanceMinor: Number(version.allowanceMinor),
  chargeMinor: Number(version.chargeMinor),
  taxMinor: Number(version.taxMinor),
  payableMinor: Number(version.payableMinor),
  taxes: toTaxes(version.taxGroups),
  decision: version.decision && {
    decision: version.decision.decision,
    name: version.decision.name,
    remark: version.decision.remark,
    decidedAt: version.decision.decidedAt.toISOString(),
    through: version.decision.through,
    ipAddress: version.decision.address,
  },
  ...toWrittenViews('A', version),
})
export const toVersionSummary = (version: quotes.VersionSummary) => ({
  ...toVersionView(version),
  versionCreatedAt: version.versionCreatedAt.toISOString(),
})
const toContentView = ({ currency, allowanceMinor, chargeMinor, lines }: quotes.QuoteVersion) => ({
  allowanceAmount: majorText(allowanceMinor, currency),
  chargeAmount: majorText(chargeMinor, currency),
  lineItems: lines.map(toLineView(currency)),
})
export const toVersion = (version: quotes.QuoteVersion) => ({ ...toVersionSummary(version), ...toContentView(version) })

export const toSummary = (quote: quotes.QuoteSummary) => ({
  id: quote.id,
  quoteNumber: quote.number,
  quoteType: quote.type,
  status: quote.status,
  ...toVersionView(quote),
  sentAt: isoOrNull(quote.sentAt),
  sharedAt: isoOrNull(quote.sharedAt),
  createdBy: { id: quote.createdBy.id, type: quote.createdBy.type },
  createdAt: quote.createdAt.toISOString(),
  updatedAt: quote.updatedAt.toISOString(),
})

export function toQuote(quote: quotes.Quote) {
  const deposit = quotes.openDepositOf(quote)
  return {
    ...toSummary(quote),
    ...toContentView(quote),
    results: quote.results.map(({ kind, invoiceId, invoiceNumber, payableMinor, invoiceStatus }) => ({
      result: kind,
      invoiceId,
      invoiceNumber,
      payableMinor: Number(payableMinor),
      deleted: invoiceStatus === null,
    })),
    restMinor: deposit ? Number(quote.payableMinor - deposit.payableMinor) : null,
    invoicedMinor: Number(quotes.invoicedMinorOf(quote)),
  }
}

export const csvHeader = [
  'quoteNumber',
  'quoteType',
  'status',
  'versionNumber',
  'quoteDate',
  'validUntil',
  'buyerName',
  'currency',
  'net',
  'tax',
  'total',
  'decidedBy',
  'decidedAt',
]
export const csvRow = (quote: quotes.QuoteSummary) => [
  quote.number,
  quote.type,
  quote.status,
  quote.versionNumber,
  quote.issueDate,
  quote.validUntil,
  quote.buyerName,
  quote.currency,
  majorText(quote.netMinor - quote.allowanceMinor + quote.chargeMinor, quote.currency),
  majorText(quote.taxMinor, quote.currency),
  majorText(quote.payableMinor, quote.currency),
  quote.decision?.name ?? null,
  isoOrNull(quote.decision?.decidedAt ?? null),
]
