import Type from 'typebox'
import { writeCursor } from '../../kernel/cursors.ts'
import { exactMinor } from '../../kernel/exact-json.ts'
import { documentTypes } from '../../kernel/invoice-document.ts'
import { type StatementAges, type StatementLine, statementLineTypes } from '../../kernel/statement-of-account.ts'
import { type accountShares, statementRules } from '../../modules/buyer-accounts/index.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  After,
  Day,
  Fields,
  Instant,
  List,
  Maybe,
  MinorUnits,
  means,
  Named,
  OneOf,
  PageQuery,
  pageFrom,
  Uuid,
} from '../definitions/fields.ts'
import { buyerAccountRoutes as routes } from '../routes/buyer-accounts.ts'
import { meaningOf } from './value-meanings.ts'

const Currency = Type.String({ pattern: '^[A-Z]{3}$', explanation: 'must be a currency code such as NGN' })
const ById = Fields({ id: means('Unique identifier of the buyer.', Uuid) })
const buyerOf = ({ params }: { params: { id: string } }) => ({ buyerId: params.id as BuyerId })

const asked = {
  currency: Type.Optional(
    means(
      'Currency of the account (ISO 4217). The currency of your country if left out, or another one if the buyer has an account only in that.',
      Currency,
    ),
  ),
  from: Type.Optional(
    means(
      'First day, in the time zone of your organisation. If left out, the first day of the month of `to`, or of this month.',
      Day,
    ),
  ),
  to: Type.Optional(
    means(
      'Last day, which counts too, in the time zone of your organisation. If left out, the last day of the month of `from`, or of this month.',
      Day,
    ),
  ),
}

const AgesView = Named('StatementAges', {
  notDueMinor: means('The part that is not late, in minor units. Invoices without a due date count here.', MinorUnits),
  days1To30Minor: means('The part that is 1 to 30 days late, in minor units.', MinorUnits),
  days31To60Minor: means('The part that is 31 to 60 days late, in minor units.', MinorUnits),
  days61To90Minor: means('The part that is 61 to 90 days late, in minor units.', MinorUnits),
  over90DaysMinor: means('The part that is more than 90 days late, in minor units.', MinorUnits),
  creditMinor: means(
    'What you owe the buyer, in minor units: refunds owed, and payments on documents that do not count.',
    MinorUnits,
  ),
})
const toAges = (ages: StatementAges) => ({
  notDueMinor: exactMinor(ages.notDueMinor),
  days1To30Minor: exactMinor(ages.days1To30Minor),
  days31To60Minor: exactMinor(ages.days31To60Minor),
  days61To90Minor: exactMinor(ages.days61To90Minor),
  over90DaysMinor: exactMinor(ages.over90DaysMinor),
  creditMinor: exactMinor(ages.creditMinor),
})

const LineView = Named('StatementLine', {
  type: means(
    '`invoice`, `prepayment`, `debit_note`, `credit_note`: the document was issued. `payment`: a payment was recorded. `credit_used`: credit of the buyer paid an invoice. `declared_paid`: the invoice was declared as paid. `payment_reversed`: a payment was taken back. `refund`: money went back to the buyer. `document_withdrawn`: the document was rejected or reopened. `declared_paid_withdrawn`: a recorded payment replaced the declaration, or the document was withdrawn. `payment_moved`: the buyer of a paid document was corrected.',
    OneOf(...statementLineTypes),
  ),
  bookedAt: means('When the account of the buyer was changed.', Instant),
  bookedOn: means('The day of `bookedAt` in the time zone of your organisation. It decides the period.', Day),
  documentDate: means('The issue date of the document, or the day on which the payment was made.', Day),
  invoiceId: means('Unique identifier of the document. A reopened document may have been deleted since.', Uuid),
  invoiceNumber: means('Number of the document.', Type.String()),
  invoiceType: means(meaningOf.documentTypes, OneOf(...documentTypes)),
  paymentId: means('Unique identifier of the payment. Null if the line is about no payment.', Maybe(Uuid)),
  paymentMethod: means('How the payment was made. Null if nobody said.', Maybe(Type.String())),
  paymentReference: means('Reference of the payment. Null if there is none.', Maybe(Type.String())),
  amountMinor: means('How much more the buyer owes, in minor units. Negative if the buyer owes less.', MinorUnits),
  balanceMinor: means(
    'What the buyer owes after this line, in minor units. Negative if you owe the buyer.',
    MinorUnits,
  ),
})
const toLine = (line: StatementLine) => ({
  type: line.type,
  bookedAt: line.bookedAt.toISOString(),
  bookedOn: line.bookedOn,
  documentDate: line.documentDate,
  invoiceId: line.documentId,
  invoiceNumber: line.documentNumber,
  invoiceType: line.documentType,
  paymentId: line.paymentId,
  paymentMethod: line.paymentMethod,
  paymentReference: line.paymentReference,
  amountMinor: exactMinor(line.amountMinor),
  balanceMinor: exactMinor(line.balanceMinor),
})

const LinkView = {
  id: means('Unique identifier of the link (UUIDv7).', Uuid),
  currency: means('Currency of the account (ISO 4217).', Type.String()),
  from: means('First day that the page shows.', Day),
  to: means('Last day that the page shows, which counts too.', Day),
  createdAt: means('When the link was created.', Instant),
  expiresAt: means('When the link stops working.', Instant),
}
const toLink = ({ id, currency, fromDay, toDay, createdAt, expiresAt }: accountShares.AccountShare) => ({
  id,
  currency,
  from: fromDay,
  to: toDay,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})

export const buyerAccounts = {
  get: describeRoute(routes.get, {
    status: 200,
    params: ById,
    query: Fields({
      ...asked,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'The maximum number of lines.' }),
      ),
      after: After,
    }),
    reply: Named('StatementOfAccount', {
      buyerId: means('Unique identifier of the buyer.', Uuid),
      buyerName: means('Name of the buyer, as it is now.', Type.String()),
      currency: means('Currency of all amounts (ISO 4217).', Type.String()),
      currencies: means('All currencies in which the buyer has an account (ISO 4217).', List(Type.String())),
      timeZone: means('Time zone in which days begin and end (IANA name).', Type.String()),
      from: means('First day of the period.', Day),
      to: means('Last day of the period, which counts too.', Day),
      openingMinor: means(
        'What the buyer owed before the period, in minor units. Negative if you owed the buyer.',
        MinorUnits,
      ),
      closingMinor: means(
        'What the buyer owed after the last day of the period, in minor units. It equals the opening of the next period.',
        MinorUnits,
      ),
      agedOn: means('The day on which the ages were counted: `to`, or today if that is earlier.', Day),
      ages: means('The closing balance by how late it is. It equals the sum of the parts less the credit.', AgesView),
      lines: means('The lines of this page, in the order in which they were booked.', List(LineView)),
      nextCursor: means('Send it as `after` to get the next lines. Null on the last page.', Maybe(Type.String())),
    }),
    decode: ({ params, query: { limit, after, ...period } }) => ({
      ...buyerOf({ params }),
      ...period,
      page: pageFrom({ limit, after }, 100),
    }),
    encode: ({ buyer, currencies, zone, figures, lines }) => ({
      buyerId: buyer.id,
      buyerName: buyer.name,
      currency: figures.currency,
      currencies: [...currencies],
      timeZone: zone,
      from: figures.from,
      to: figures.to,
      openingMinor: exactMinor(figures.openingMinor),
      closingMinor: exactMinor(figures.closingMinor),
      agedOn: figures.agedOn,
      ages: toAges(figures.ages),
      lines: lines.rows.map(toLine),
      nextCursor: lines.next && writeCursor(lines.next),
    }),
  }),
  download: describeRoute(routes.download, {
    status: 200,
    params: ById,
    query: Fields({
      ...asked,
      format: Type.Optional(means('Format of the file. `pdf` if left out.', OneOf(...statementRules.statementFormats))),
    }),
    reply: Named('StatementDownload', {
      url: means('The link to the file. It works without a token.', Type.String({ format: 'uri' })),
      expiresAt: means('When the link stops working.', Instant),
    }),
    decode: ({ params, query: { format = 'pdf', ...period } }) => ({ ...buyerOf({ params }), ...period, format }),
    encode: ({ url, expiresAt }) => ({ url, expiresAt: expiresAt.toISOString() }),
  }),
  send: describeRoute(routes.send, {
    status: 202,
    params: ById,
    body: Named('StatementToSend', asked),
    reply: Named('SentStatement', {
      sentTo: means('Email address that the mail goes to.', Type.String()),
      currency: means('Currency of the account (ISO 4217).', Type.String()),
      from: means('First day of the period.', Day),
      to: means('Last day of the period, which counts too.', Day),
    }),
    decode: ({ params, body }) => ({ ...buyerOf({ params }), ...body }),
    encode: ({ to, currency, from, until }) => ({ sentTo: to, currency, from, to: until }),
  }),
  share: describeRoute(routes.share, {
    status: 201,
    params: ById,
    body: Named('StatementToShare', {
      ...asked,
      expiresInDays: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: statementRules.longestLifeDays,
          default: statementRules.usualLifeDays,
          description: 'After how many days the link stops working.',
        }),
      ),
    }),
    reply: Named('NewStatementLink', {
      ...LinkView,
      url: means('The address of the public page. Only this reply has it.', Type.String({ format: 'uri' })),
    }),
    decode: ({ params, body: { expiresInDays, ...period } }) => ({
      ...buyerOf({ params }),
      ...period,
      days: expiresInDays,
    }),
    encode: ({ url, ...share }) => ({ ...toLink(share), url }),
    location: ({ buyerId }) => `/i/v1/buyers/${buyerId}/statement-of-account/links`,
  }),
  listLinks: describeRoute(routes.listLinks, {
    status: 200,
    params: ById,
    query: Fields(PageQuery()),
    reply: List(Named('StatementLink', LinkView)),
    decode: ({ params, query }) => ({ ...buyerOf({ params }), page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toLink),
    pagination: (page) => page,
  }),
  unshare: describeRoute(routes.unshare, {
    status: 200,
    params: Fields({
      id: means('Unique identifier of the buyer.', Uuid),
      linkId: means('Unique identifier of the link.', Uuid),
    }),
    reply: Fields({ id: means('Unique identifier of the link that no longer works.', Uuid) }),
    decode: ({ params }) => ({ ...buyerOf({ params }), linkId: params.linkId as accountShares.AccountShareId }),
    encode: ({ id }) => ({ id }),
  }),
}
