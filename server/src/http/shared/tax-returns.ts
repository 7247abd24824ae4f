import Type from 'typebox'
import { writeCursor } from '../../kernel/cursors.ts'
import { exactMinor } from '../../kernel/exact-json.ts'
import { documentTypes } from '../../kernel/invoice-document.ts'
import {
  type TaxFigure,
  type TaxReturnDocumentLine,
  taxMoveCauses,
  taxReturnSections,
} from '../../kernel/tax-return.ts'
import { taxReturnRules } from '../../modules/tax-returns/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  After,
  Day,
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  MinorUnits,
  means,
  Named,
  named,
  OneOf,
  PageQuery,
  pageFrom,
  Uuid,
} from '../definitions/fields.ts'
import { taxReturnRoutes as routes } from '../routes/tax-returns.ts'
import { meaningOf } from './value-meanings.ts'

const Period = Type.String({
  pattern: '^(19|20|21)\\d\\d-(0[1-9]|1[0-2])$',
  explanation: 'must be a month such as 2026-01',
})
const ByPeriod = Fields({ period: means('The month, as `2026-01`.', Period) })
const Currency = Type.String({ pattern: '^[A-Z]{3}$', explanation: 'must be a currency code such as USD' })
const sectionMeans =
  '`output`: your invoices. `output_notes`: your credit and debit notes. `input`: received invoices whose tax you can claim. `input_notes`: received credit and debit notes. `not_claimable`: received documents whose tax you cannot claim.'
const Section = named('TaxReturnSection', means(sectionMeans, OneOf(...taxReturnSections)))
const codeMeans =
  'The tax category of your own documents, or the rule that decides whether the tax on received documents can be claimed.'

const head = {
  period: means('The month, as `2026-01`.', Type.String()),
  from: means('First day of the month.', Day),
  to: means('Last day of the month.', Day),
  dueOn: means('Last day to file the return with the tax authority.', Day),
  currency: means('Currency of all amounts: that of your country (ISO 4217).', Type.String()),
  status: means(
    '`open`: figures can still change. `closed`: they never change again. Months before the first closed one count as closed.',
    OneOf('open', 'closed'),
  ),
  canClose: means(
    'Whether the month can be closed now: it has ended, and all earlier months are closed.',
    Type.Boolean(),
  ),
  closedAt: means(
    'When the month was closed. Null while it is open, and for months before the first one.',
    Maybe(Instant),
  ),
  outputTaxMinor: means('Tax on your own documents, less credit notes, in minor units.', MinorUnits),
  inputTaxMinor: means('Tax on received documents that you can claim, less credit notes, in minor units.', MinorUnits),
  payableMinor: means('Output tax less input tax, in minor units. Negative if the tax authority owes you.', MinorUnits),
}

type TaxReturn = taxReturnRules.TaxReturn
type ShownHead = taxReturnRules.TaxReturnHead & { readonly outputTaxMinor: bigint; readonly inputTaxMinor: bigint }
const toHead = ({ outputTaxMinor, inputTaxMinor, ...of }: ShownHead) => ({
  period: of.period,
  from: of.from,
  to: of.to,
  dueOn: of.dueOn,
  currency: of.currency,
  status: of.status,
  canClose: of.canClose,
  closedAt: isoOrNull(of.closedAt),
  outputTaxMinor: exactMinor(outputTaxMinor),
  inputTaxMinor: exactMinor(inputTaxMinor),
  payableMinor: exactMinor(outputTaxMinor - inputTaxMinor),
})

const figure = {
  section: means(sectionMeans, Section),
  code: means(codeMeans, Type.String()),
  label: means('The tax category or the reason of the claim, for people.', Type.String()),
  rate: means('Tax rate in percent, such as `7.5`. Null for received documents.', Maybe(Type.String())),
  netMinor: means('Sum of the amounts without tax, in minor units. Credit notes are negative.', MinorUnits),
  taxMinor: means('Sum of the tax, in minor units. Credit notes are negative.', MinorUnits),
  documents: means('Number of documents in this figure.', Type.Integer()),
  isCounted: means(
    'Whether the tax is part of the totals. False for tax that you cannot claim, and for taxes that belong to other returns.',
    Type.Boolean(),
  ),
}
const toFigure = (of: TaxFigure, labels: TaxReturn['labels']) => ({
  section: of.section,
  code: of.code,
  label: labels[of.code] ?? of.code,
  rate: of.rate === '' ? null : of.rate,
  netMinor: exactMinor(of.netMinor),
  taxMinor: exactMinor(of.taxMinor),
  documents: of.documents,
  isCounted: of.isCounted,
})

const FigureView = Named('TaxReturnFigure', figure)
const ExceptionView = Named('TaxReturnException', {
  period: means('The closed month that the documents belong to, as `2026-01`.', Type.String()),
  ...figure,
  documents: means(
    'Number of documents that count more than was reported. Negative if documents no longer count.',
    Type.Integer(),
  ),
})

const ReturnView = Named('TaxReturn', {
  ...head,
  figures: means('The sums of the documents of this month.', List(FigureView)),
  exceptions: means(
    'What changed in closed months after they were closed, such as documents that were accepted or received late. The totals include it.',
    List(ExceptionView),
  ),
  documentsWithoutRate: means(
    'Number of documents in a foreign currency whose day has no exchange rate. They are in no figure, and the month cannot be closed.',
    Type.Integer(),
  ),
  documentsNotAccepted: means(
    'Number of your finalised documents of this month that the tax authority has not accepted, also those that it rejected. They are in no figure.',
    Type.Integer(),
  ),
  documentsRejected: means(
    'How many of them the tax authority rejected. Correct and submit them before you close the month.',
    Type.Integer(),
  ),
})
const toReturn = (of: TaxReturn) => ({
  ...toHead(of),
  figures: of.figures.map((one) => toFigure(one, of.labels)),
  exceptions: of.exceptions.map((one) => ({ period: one.period, ...toFigure(one, of.labels) })),
  documentsWithoutRate: of.documentsWithoutRate,
  documentsNotAccepted: of.documentsNotAccepted,
  documentsRejected: of.documentsRejected,
})

const LineView = Named('TaxReturnDocument', {
  section: means(sectionMeans, Section),
  code: means(codeMeans, Type.String()),
  rate: means('Tax rate in percent. Null for received documents.', Maybe(Type.String())),
  reason: means('Why the tax can be claimed or not. Null for your own documents.', Maybe(Type.String())),
  cause: means(
    '`accepted`: the tax authority accepted the document. `received`: the document arrived. `claim_changed`: its claim changed later. `withdrawn`: it does not count any more.',
    OneOf(...taxMoveCauses),
  ),
  period: means(
    'The month of the issue date. An exception belongs to an earlier month than the return.',
    Type.String(),
  ),
  documentId: means('Unique identifier of the invoice or note, or of the received document.', Uuid),
  documentNumber: means('Number of the document.', Type.String()),
  documentType: means(meaningOf.documentTypes, OneOf(...documentTypes)),
  issueDate: means('Issue date of the document.', Day),
  partyName: means('Name of the buyer or supplier. Null if the document names none.', Maybe(Type.String())),
  documentCurrency: means('Currency of the document (ISO 4217).', Type.String()),
  documentNetMinor: means('Amount without tax in the currency of the document, in minor units.', MinorUnits),
  documentTaxMinor: means('Tax in the currency of the document, in minor units.', MinorUnits),
  exchangeRate: means(
    'Units of your currency for one unit of the currency of the document. Null if the rate of the day is missing.',
    Maybe(Type.String()),
  ),
  netMinor: means(
    'Amount without tax in the currency of your country, in minor units. Null if the exchange rate is missing.',
    Maybe(MinorUnits),
  ),
  taxMinor: means(
    'Tax in the currency of your country, in minor units. Null if the exchange rate is missing.',
    Maybe(MinorUnits),
  ),
})
const maybeMinor = (minor: bigint | null) => (minor === null ? null : exactMinor(minor))
const toLine = (of: TaxReturnDocumentLine) => ({
  section: of.section,
  code: of.code,
  rate: of.rate === '' ? null : of.rate,
  reason: of.message === '' ? null : of.message,
  cause: of.cause,
  period: of.period,
  documentId: of.documentId,
  documentNumber: of.documentNumber,
  documentType: of.documentType,
  issueDate: of.documentDate,
  partyName: of.partyName,
  documentCurrency: of.currency,
  documentNetMinor: exactMinor(of.netMinor),
  documentTaxMinor: exactMinor(of.taxMinor),
  exchangeRate: of.exchangeRate,
  netMinor: maybeMinor(of.homeNetMinor),
  taxMinor: maybeMinor(of.homeTaxMinor),
})

const rate = {
  currency: means('The foreign currency (ISO 4217).', Currency),
  day: means('The day on which the rate counts.', Day),
  rate: means(
    'Units of your currency for one unit of the foreign one, as a decimal number in text, such as `1536.25`.',
    Type.String({
      pattern: '^\\d{1,9}(\\.\\d{1,10})?$',
      explanation: 'must be a decimal number with at most 9 digits before and 10 after the point',
    }),
  ),
}

export const taxReturns = {
  list: describeRoute(routes.list, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(Named('TaxReturnSummary', head)),
    decode: ({ query }) => ({ page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toHead),
    pagination: (page) => page,
  }),
  get: describeRoute(routes.get, {
    status: 200,
    params: ByPeriod,
    reply: ReturnView,
    decode: ({ params }) => params,
    encode: toReturn,
  }),
  documents: describeRoute(routes.documents, {
    status: 200,
    params: ByPeriod,
    query: Fields({
      section: Type.Optional(means('Only this part of the return.', Section)),
      code: Type.Optional(
        means('Only this tax category or rule.', Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' })),
      ),
      rate: Type.Optional(
        means('Only this tax rate in percent.', Type.String({ pattern: '^\\d{1,3}(\\.\\d{1,10})?$' })),
      ),
      exceptions: Type.Optional(
        means(
          '`true`: only exceptions. `false`: only documents of the month itself. Both if left out.',
          OneOf('true', 'false'),
        ),
      ),
      documentPeriod: Type.Optional(
        means('Only documents of this month, such as the closed month of an exception, as `2026-01`.', Period),
      ),
      withoutRate: Type.Optional(
        means(
          '`true`: only lines that are in no figure, because the exchange rate of their day is missing.',
          OneOf('true'),
        ),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'The maximum number of documents.' }),
      ),
      after: After,
    }),
    reply: Named('TaxReturnDocuments', {
      documents: means('The documents of this page.', List(LineView)),
      nextCursor: means('Send it as `after` to get the next documents. Null on the last page.', Maybe(Type.String())),
    }),
    decode: ({
      params,
      query: { section, code, rate: percent, exceptions, documentPeriod, withoutRate, ...page },
    }) => ({
      ...params,
      section,
      code,
      rate: percent,
      isException: exceptions === undefined ? undefined : exceptions === 'true',
      documentPeriod,
      isWithoutRate: withoutRate === 'true',
      page: pageFrom(page, 100),
    }),
    encode: ({ rows, next }) => ({ documents: rows.map(toLine), nextCursor: next && writeCursor(next) }),
  }),
  close: describeRoute(routes.close, {
    status: 200,
    params: ByPeriod,
    body: Named('TaxReturnClosing', {
      expectedPayableMinor: Type.Optional(
        Type.Integer({
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            'The `payableMinor` that you saw, in minor units. If the amount is another one by now, the month stays open.',
        }),
      ),
    }),
    reply: ReturnView,
    decode: ({ params, body: { expectedPayableMinor } }) => ({
      ...params,
      expectedPayableMinor: expectedPayableMinor === undefined ? undefined : BigInt(expectedPayableMinor),
    }),
    encode: toReturn,
  }),
  download: describeRoute(routes.download, {
    status: 200,
    params: ByPeriod,
    query: Fields({
      format: Type.Optional(means('Format of the file. `pdf` if left out.', OneOf(...taxReturnRules.returnFormats))),
    }),
    reply: Named('TaxReturnDownload', {
      url: means('The link to the file. It works without a token.', Type.String({ format: 'uri' })),
      expiresAt: means('When the link stops working.', Instant),
    }),
    decode: ({ params, query: { format = 'pdf' } }) => ({ ...params, format }),
    encode: ({ url, expiresAt }) => ({ url, expiresAt: expiresAt.toISOString() }),
  }),
  listRates: describeRoute(routes.listRates, {
    status: 200,
    query: Fields({ currency: Type.Optional(means('Only this currency (ISO 4217).', Currency)), ...PageQuery() }),
    reply: List(Named('ExchangeRate', rate)),
    decode: ({ query: { currency, ...page } }) => ({ currency, page: pageFrom(page) }),
    encode: ({ rows }) => rows.map(({ currency, day, rate: text }) => ({ currency, day, rate: text })),
    pagination: (page) => page,
  }),
  saveRates: describeRoute(routes.saveRates, {
    status: 200,
    body: Named('ExchangeRatesToSave', {
      rates: means(
        'The rates to save, 1 to 1,000.',
        Type.Array(Named('ExchangeRate', rate), { minItems: 1, maxItems: taxReturnRules.mostRates }),
      ),
    }),
    reply: Named('SavedExchangeRates', { saved: means('How many rates were saved.', Type.Integer()) }),
    decode: ({ body }) => body,
    encode: ({ saved }) => ({ saved }),
  }),
  importRates: describeRoute(routes.importRates, {
    status: 200,
    body: Named('ExchangeRateFile', {
      content: means(
        'The text of the CSV file, with commas, semicolons or tabs between its columns.',
        // A whole file has line breaks between its rows. The reader of the rows checks the text of the cells.
        Type.String({ minLength: 1, maxLength: 500_000, format: 'file' }),
      ),
    }),
    bodyLimit: 1024 * 1024,
    reply: Named('SavedExchangeRates', { saved: means('How many rates were saved.', Type.Integer()) }),
    decode: ({ body }) => body,
    encode: ({ saved }) => ({ saved }),
  }),
}
