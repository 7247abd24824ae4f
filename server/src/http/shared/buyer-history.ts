import Type from 'typebox'
import type { BuyerId } from '../../modules/buyers/index.ts'
import { describeRoute } from '../kernel/describe-route.ts'
import { Fields, Instant, List, means, Named, OneOf, PageQuery, pageFrom, Uuid } from '../kernel/fields.ts'
import { buyerRoutes as routes } from '../routes/buyers.ts'
import { PaymentView, toPayment } from './invoices.ts'
import { wholePage } from './parties.ts'

const ById = Fields({ id: means('Unique identifier of the buyer.', Uuid) })

const BuyerPaymentView = Named('BuyerPayment', {
  ...PaymentView.properties,
  invoiceNumber: means('Number of the invoice that was paid.', Type.String()),
  source: means(
    'Where the money came from: a payment that you recorded, a transfer to a virtual account, or the credit of the buyer.',
    OneOf('recorded', 'transfer', 'credit'),
  ),
  currency: means('Currency of the amount, as a code of ISO 4217 such as `NGN`.', Type.String()),
})

const BuyerEmailView = Named('BuyerEmail', {
  invoiceId: means('Unique identifier of the document that was mailed.', Uuid),
  invoiceNumber: means('Number of the document that was mailed.', Type.String()),
  to: means('Email address that the document was mailed to.', Type.String()),
  kind: means(
    'Why it was mailed: the document itself, a reminder to pay it (`reminder`), or a corrected version (`revised`).',
    OneOf('document', 'reminder', 'revised'),
  ),
  sentAt: means('When the email was sent.', Instant),
})

/** What happened with one buyer, the same in both forms. */
export const buyerHistory = {
  listPayments: describeRoute(routes.listPayments, {
    status: 200,
    params: ById,
    query: Fields(PageQuery()),
    reply: List(BuyerPaymentView),
    decode: ({ params, query }) => ({ id: params.id as BuyerId, page: pageFrom(query) }),
    encode: ({ rows }) =>
      rows.map(({ payment, invoiceNumber, currency }) => ({
        ...toPayment(payment),
        invoiceNumber,
        source: payment.fromCredit
          ? ('credit' as const)
          : payment.receivedPaymentId
            ? ('transfer' as const)
            : ('recorded' as const),
        currency,
      })),
    pagination: (page) => page,
  }),
  listEmails: describeRoute(routes.listEmails, {
    status: 200,
    params: ById,
    reply: List(BuyerEmailView),
    decode: ({ params }) => ({ id: params.id as BuyerId }),
    encode: (emails) =>
      emails.map(({ sentAt, payload: { invoiceId, invoiceNumber, to, reminder, revised } }) => ({
        invoiceId,
        invoiceNumber,
        to,
        kind: reminder ? ('reminder' as const) : revised ? ('revised' as const) : ('document' as const),
        sentAt: sentAt.toISOString(),
      })),
    pagination: wholePage,
  }),
}
