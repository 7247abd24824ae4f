import Type from 'typebox'
import type { EventPayloads } from '../../kernel/event-payloads.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
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
  pageFrom,
  Uuid,
} from '../definitions/fields.ts'
import { buyerRoutes as routes } from '../routes/buyers.ts'
import { PaymentView, toPayment } from './invoices.ts'
import { wholePage } from './parties.ts'

const ById = Fields({ id: means('Unique identifier of the buyer.', Uuid) })

const BuyerPaymentView = Named('BuyerPayment', {
  ...PaymentView.properties,
  invoiceNumber: means('Number of the invoice that was paid.', Type.String()),
  source: means(
    'Where the money came from. `recorded`: a payment that you recorded. `transfer`: a transfer to a virtual account. `credit`: the credit of the buyer.',
    OneOf('recorded', 'transfer', 'credit'),
  ),
  currency: means('Currency of the amount, as a code of ISO 4217 such as `NGN`.', Type.String()),
})

const emailKinds = ['document', 'reminder', 'reminder_not_sent', 'revised', 'statement_of_account'] as const

const BuyerEmailView = Named('BuyerEmail', {
  invoiceId: means('Unique identifier of the document that was mailed. Null for a statement of account.', Maybe(Uuid)),
  invoiceNumber: means(
    'Number of the document that was mailed. Null for a statement of account.',
    Maybe(Type.String()),
  ),
  statement: means(
    'Currency and period of the statement of account that was mailed. Null for other emails.',
    Maybe(
      Named('MailedStatement', {
        currency: means('Currency of the account, as a code of ISO 4217 such as `NGN`.', Type.String()),
        from: means('First day of the period.', Day),
        to: means('Last day of the period.', Day),
      }),
    ),
  ),
  to: means('Email address that it was mailed to.', Type.String()),
  kind: means(
    'What was mailed: the document itself (`document`), a reminder to pay it (`reminder`), a corrected version (`revised`), or a statement of account (`statement_of_account`). A reminder that was stopped before it left has a second entry, `reminder_not_sent`.',
    OneOf(...emailKinds),
  ),
  sentAt: means('When the email was sent.', Instant),
})

/** Reminders of the plan have a step. */
function kindOf(
  document: EventPayloads['invoice.sent' | 'invoice.reminder_sent' | 'invoice.reminder_not_sent'] | undefined,
): (typeof emailKinds)[number] {
  if (!document) return 'statement_of_account'
  if ('mayHaveArrived' in document) return 'reminder_not_sent'
  if ('stepDays' in document || document.reminder) return 'reminder'
  return document.revised ? 'revised' : 'document'
}

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
      emails.map(({ sentAt, document, statement }) => ({
        invoiceId: document?.invoiceId ?? null,
        invoiceNumber: document?.invoiceNumber ?? null,
        statement: statement ? { currency: statement.currency, from: statement.from, to: statement.to } : null,
        to: document?.to ?? statement?.email ?? '',
        kind: kindOf(document),
        sentAt: sentAt.toISOString(),
      })),
    pagination: wholePage,
  }),
}
