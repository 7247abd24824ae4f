import Type, { type Static } from 'typebox'
import type { Fault } from '../../kernel/refusals.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import { quotes } from '../../modules/quotes/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Day,
  Fields,
  Instant,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  PageQuery,
  PersonName,
  Prose,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { csvOf } from '../reply/csv.ts'
import { quoteRoutes as routes } from '../routes/quotes.ts'
import {
  Amount,
  type AmountRule,
  amountsCheck,
  decimalFrom,
  decimalOrNull,
  faultOfAmount,
  money,
  paidMoney,
} from './amounts.ts'
import { checkLines, lineFields, lineOptions, toLine } from './draft-lines.ts'
import { instalmentsField, toInstalments } from './instalments.ts'
import { InvoiceCurrency, invoiceBodyLimit } from './invoices.ts'
import {
  csvHeader,
  csvRow,
  QuoteView,
  SummaryView,
  toQuote,
  toSummary,
  toVersion,
  toVersionSummary,
  VersionSummaryView,
  VersionView,
} from './quote-views.ts'
import { meaningOf } from './value-meanings.ts'
import { sentFields, writtenInputs } from './written-fields.ts'

const mostLines = 500

const contentFields = {
  buyerId: Type.Optional(means('The buyer. A draft can do without; to send it, a buyer is needed.', Maybe(Uuid))),
  sellerId: Type.Optional(means('The seller. The default is the primary seller of the organisation.', Uuid)),
  quoteDate: Type.Optional(
    means('The date of the quote. Today if left out, or the date of the version before. Its tax rates apply.', Day),
  ),
  validUntil: Type.Optional(
    means(
      'The last day on which the buyer can accept, in the time zone of your organisation. Not before `quoteDate`, and at most 100 years from today. Without an end if left out.',
      Maybe(Day),
    ),
  ),
  currency: means('The currency of all amounts (ISO 4217).', InvoiceCurrency),
  lineItems: means(
    'The lines, at most 500.',
    Type.Array(Named('NewQuoteLine', lineFields, lineOptions), { minItems: 1, maxItems: mostLines }),
  ),
  allowanceAmount: Type.Optional(
    means('The discount on the whole quote, in major units such as dollars.', Maybe(Amount)),
  ),
  chargeAmount: Type.Optional(
    means('The charge added to the whole quote, in major units such as dollars.', Maybe(Amount)),
  ),
  ...writtenInputs('A'),
}
const ContentFields = Fields(contentFields)
const checkContent = checkLines({ allowanceAmount: money, chargeAmount: money })

const toContent = (body: Static<typeof ContentFields>): quotes.QuoteContent => ({
  buyerId: (body.buyerId ?? undefined) as BuyerId | undefined,
  sellerId: body.sellerId as SellerId | undefined,
  issueDate: body.quoteDate,
  validUntil: body.validUntil ?? null,
  currency: body.currency,
  lines: body.lineItems.map(toLine),
  allowance: decimalOrNull(body.allowanceAmount) ?? undefined,
  charge: decimalOrNull(body.chargeAmount) ?? undefined,
  ...sentFields(body),
})

const ById = Fields({ id: means('Unique identifier of the quote.', Uuid) })
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as quotes.QuoteId })
const ofQuote = {
  status: 200,
  params: ById,
  reply: QuoteView,
  encode: toQuote,
  decode: idOf,
  version: ({ version }: quotes.Quote) => version,
  // A quote expires with the time, and its documents change without it.
  alwaysWhole: true,
} as const

const documentFields = {
  invoiceDate: Type.Optional(means('The day of issue of the document. Today if left out.', Day)),
  dueDate: Type.Optional(means('The day on which payment is due. Not before `invoiceDate`.', Maybe(Day))),
  finalise: Type.Optional(
    means('`true`: the document is issued at once. `false`, the default: it stays a draft.', Type.Boolean()),
  ),
}
const DocumentFields = Fields(documentFields)
/** Wherever both forms write numbers alike, the instalments have a name of their own. */
const instalments = instalmentsField(Amount, 'QuoteInstalment')
const checkInstalments = amountsCheck({}, {})
const toDocument = ({ invoiceDate, dueDate, finalise }: Static<typeof DocumentFields>) => ({
  issueDate: invoiceDate,
  dueDate: dueDate ?? null,
  isFinalised: finalise ?? false,
})

const percent: AmountRule = { decimals: 4, atLeast: 1n, atMost: 100n }

/** Exactly one size, and each by its own rule. */
function checkDeposit(body: unknown): Fault[] {
  const deposit = (body as { deposit?: { percent?: unknown; amount?: unknown } | null } | null)?.deposit
  if (typeof deposit !== 'object' || deposit === null) return []
  if ((deposit.percent === undefined) === (deposit.amount === undefined))
    return [{ path: 'deposit', rule: 'conflict', message: 'must have either percent or amount' }]
  return [
    ...faultOfAmount('deposit.percent', deposit.percent, percent),
    // The operation knows the currency and checks its decimals.
    ...faultOfAmount('deposit.amount', deposit.amount, { ...paidMoney, decimals: 4 }),
  ]
}

const Deposit = Named('QuoteDeposit', {
  percent: Type.Optional(means('The part of the total with tax, in percent, with at most 4 decimals.', Amount)),
  amount: Type.Optional(
    means(
      'The deposit with tax, in major units such as dollars. If no amount before tax gives exactly this total, the nearest one is taken.',
      Amount,
    ),
  ),
})

const toDeposit = (deposit: Static<typeof Deposit> | undefined): quotes.DepositSize | undefined => {
  // The checks have passed, so these are decimals.
  const size = deposit && decimalFrom(deposit.percent ?? deposit.amount ?? '')
  if (!size) return undefined
  return deposit.percent === undefined ? { amount: size } : { percent: size }
}

export const quotesIn = {
  list: describeRoute(routes.list, {
    status: 200,
    query: Fields({
      ...PageQuery(),
      quoteType: Type.Optional(
        means('Only quotes (`quote`), or only proforma invoices (`proforma`).', OneOf(...quotes.quoteTypes)),
      ),
      status: Type.Optional(
        means('Only those with this status. `Quote.status` explains the values.', OneOf(...quotes.quoteStatuses)),
      ),
      buyerId: Type.Optional(means('Only those for the buyer with this id.', Uuid)),
      quoteDateFrom: Type.Optional(means('Only those dated on this day or later.', Day)),
      quoteDateTo: Type.Optional(means('Only those dated on this day or earlier.', Day)),
      search: Type.Optional(
        means(
          'Only those with this text in the number or in the name of the buyer. Case does not matter.',
          Text(0, 100),
        ),
      ),
    }),
    reply: List(SummaryView),
    decode: ({ query }) => ({
      type: query.quoteType,
      status: query.status,
      buyerId: query.buyerId as BuyerId | undefined,
      issuedFrom: query.quoteDateFrom,
      issuedTo: query.quoteDateTo,
      search: query.search,
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toSummary),
    alsoAs: { 'text/csv': ({ rows }) => csvOf(csvHeader, rows.map(csvRow)) },
    pagination: (page) => page,
  }),
  create: describeRoute(routes.create, {
    status: 201,
    bodyLimit: invoiceBodyLimit,
    body: Named('NewQuote', {
      quoteType: Type.Optional(
        means('`quote`, the default, or `proforma`. It cannot be changed later.', OneOf(...quotes.quoteTypes)),
      ),
      ...contentFields,
    }),
    checkBody: checkContent,
    reply: QuoteView,
    decode: ({ body: { quoteType, ...content } }) => ({ type: quoteType ?? 'quote', ...toContent(content) }),
    encode: toQuote,
    version: ({ version }) => version,
    location: ({ id }) => `/i/v1/quotes/${id}`,
  }),
  get: describeRoute(routes.get, ofQuote),
  change: describeRoute(routes.change, {
    ...ofQuote,
    bodyLimit: invoiceBodyLimit,
    body: Named('QuoteContent', contentFields),
    checkBody: checkContent,
    readsIfMatch: true,
    decode: ({ params, body, expectedVersion }) => ({ ...idOf({ params }), ...toContent(body), expectedVersion }),
  }),
  listVersions: describeRoute(routes.listVersions, {
    status: 200,
    params: ById,
    query: Fields(PageQuery()),
    reply: List(VersionSummaryView),
    decode: ({ params, query }) => ({ ...idOf({ params }), page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toVersionSummary),
    pagination: (page) => page,
  }),
  getVersion: describeRoute(routes.getVersion, {
    status: 200,
    params: Fields({
      id: means('Unique identifier of the quote.', Uuid),
      versionNumber: Type.String({
        pattern: '^[1-9][0-9]{0,2}$',
        explanation: 'must be the number of a version, from 1',
        description: 'The number of the version, from 1.',
      }),
    }),
    reply: VersionView,
    decode: ({ params }) => ({ ...idOf({ params }), versionNumber: Number(params.versionNumber) }),
    encode: toVersion,
  }),
  send: describeRoute(routes.send, {
    ...ofQuote,
    body: Named('QuoteToSend', {
      mail: Type.Optional(
        means('`true`, the default: the quote is mailed to the buyer. `false`: it is only opened.', Type.Boolean()),
      ),
    }),
    decode: ({ params, body }) => ({ ...idOf({ params }), isMailed: body.mail ?? true }),
  }),
  share: describeRoute(routes.share, {
    status: 201,
    params: ById,
    reply: Named('QuoteLink', {
      id: means('Unique identifier of the quote.', Uuid),
      url: means('The address of the public page.', Type.String({ format: 'uri' })),
      sharedAt: means('When the link was created.', Instant),
    }),
    decode: idOf,
    encode: ({ id, url, sharedAt }) => ({ id, url, sharedAt: sharedAt.toISOString() }),
  }),
  unshare: describeRoute(routes.unshare, {
    status: 200,
    params: ById,
    reply: Named('EndedQuoteLink', { id: means('Unique identifier of the quote.', Uuid) }),
    decode: idOf,
    encode: ({ id }) => ({ id }),
  }),
  decide: describeRoute(routes.decide, {
    ...ofQuote,
    body: Named('QuoteDecisionToRecord', {
      decision: means(meaningOf.decisions, OneOf(...quotes.decisions)),
      versionNumber: means(
        'The number of the version that the buyer decided about. It must be the current one.',
        Type.Integer({ minimum: 1, maximum: 999 }),
      ),
      name: means('The name of the person who decided.', PersonName(1, 100)),
      remark: Type.Optional(means('A remark of the buyer.', Maybe(Prose(0, 1000)))),
    }),
    decode: ({ params, body: { remark, ...given } }) => ({ ...idOf({ params }), ...given, remark: remark || null }),
  }),
  convert: describeRoute(routes.convert, {
    ...ofQuote,
    body: Named('QuoteConversion', {
      ...documentFields,
      instalments,
      deposit: Type.Optional(
        means('If sent, a deposit is made instead of an invoice for the whole. Send one of its two fields.', Deposit),
      ),
    }),
    checkBody: (body) => [...checkInstalments(body), ...checkDeposit(body)],
    decode: ({ params, body: { deposit, ...document } }) => ({
      ...idOf({ params }),
      ...toDocument(document),
      instalments: toInstalments(document.instalments),
      deposit: toDeposit(deposit),
    }),
  }),
  invoiceRest: describeRoute(routes.invoiceRest, {
    ...ofQuote,
    body: Named('FinalInvoiceOfQuote', { ...documentFields, instalments }),
    checkBody: checkInstalments,
    decode: ({ params, body }) => ({
      ...idOf({ params }),
      ...toDocument(body),
      instalments: toInstalments(body.instalments),
    }),
  }),
  download: describeRoute(routes.download, {
    status: 200,
    params: ById,
    query: Fields({
      versionNumber: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 999,
          description: 'The number of the version. The current one if left out.',
        }),
      ),
    }),
    reply: Named('QuoteDownload', {
      url: means('The link to the PDF. It works without a token.', Type.String({ format: 'uri' })),
      expiresAt: means('When the link stops working.', Instant),
    }),
    decode: ({ params, query }) => ({ ...idOf({ params }), versionNumber: query.versionNumber }),
    encode: ({ url, expiresAt }) => ({ url, expiresAt: expiresAt.toISOString() }),
  }),
  duplicate: describeRoute(routes.duplicate, { ...ofQuote, status: 201, location: ({ id }) => `/i/v1/quotes/${id}` }),
  cancel: describeRoute(routes.cancel, ofQuote),
}
