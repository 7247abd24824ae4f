import Type from 'typebox'
import { quotes } from '../../modules/quotes/index.ts'
import { named } from '../definitions/fields.ts'
import { Data, maybe, minor, oneOf, text, whole } from './event-fields.ts'
import { meaningOf } from './value-meanings.ts'

const quote = {
  quoteId: text('Unique identifier of the quote (UUIDv7).'),
  quoteNumber: text('Number of the quote, such as `QUO000042`.'),
  quoteType: oneOf(meaningOf.quoteTypes, quotes.quoteTypes),
  status: oneOf(`Status of the quote after the event. ${meaningOf.quoteStatuses}`, quotes.quoteStatuses),
  versionNumber: whole('Number of the current version, from 1.'),
  buyerId: maybe('Unique identifier of the buyer. Null if a draft has none.'),
  currency: text('Currency of the amounts (ISO 4217).'),
  payableMinor: minor('Total with tax'),
  validUntil: maybe('Last day on which the buyer can accept (ISO 8601). Null without an end.'),
}
const quoteDecision = {
  decidedBy: text('Name of the person who decided.'),
  decidedThrough: oneOf(
    '`page`: the buyer decided on the public page. `seller`: your organisation recorded it.',
    quotes.decisionPlaces,
  ),
  remark: maybe('Remark of the buyer. Null if there is none.'),
}
const Quote = named('QuoteEventData', Data(quote))
const QuoteDecision = named('QuoteDecisionEventData', Data({ ...quote, ...quoteDecision }))

/** Schemas of the events of quotes. */
export const quotePayloads = {
  'quote.created': Quote,
  'quote.updated': Quote,
  'quote.sent': Data({
    ...quote,
    to: maybe('Address that the quote is mailed to. Null if no mail was wanted.'),
    revised: Type.Optional(
      Type.Unsafe<true>({
        type: 'boolean',
        description: 'True if the buyer got an earlier version before. Absent otherwise.',
      }),
    ),
  }),
  'quote.shared': Quote,
  'quote.unshared': Quote,
  'quote.accepted': QuoteDecision,
  'quote.declined': QuoteDecision,
  'quote.expired': Quote,
  'quote.converted': Data({
    ...quote,
    invoiceId: text('Unique identifier of the document that the quote became.'),
    invoiceNumber: text('Number of that document.'),
    result: oneOf(
      '`invoice`: the whole quote. `deposit`: a prepayment. `final`: the rest after a deposit.',
      quotes.resultKinds,
    ),
  }),
  'quote.cancelled': Quote,
}
