import Type from 'typebox'
import type { InvoiceSummary } from '../../modules/invoices/index.ts'
import { describeRoute, elsewhere, type Moment } from '../definitions/describe-route.ts'
import { isoOrNull, List, Maybe, means, Named } from '../definitions/fields.ts'
import { submissionRoutes as routes } from '../routes/submissions.ts'
import { ById, idOf } from '../shared/invoices.ts'
import {
  AttemptView,
  AuthorityView,
  BatchBody,
  BatchView,
  batchFrom,
  CancelBody,
  cancellationFrom,
  ReportView,
  reportStatusRoutes,
  toBatch,
  versionOfInvoice,
} from '../shared/submissions.ts'
import { answers } from './answers.ts'
import { InvoiceView, paymentHere, statusHere, toSummary, toView, view } from './invoice-fields.ts'

/** The names of this form for fields of the core, anywhere in a path. */
const names: Readonly<Record<string, string>> = {
  taxId: 'taxNumber',
  phone: 'phoneNumber',
  address: 'postalAddress',
  name: 'partyName',
  taxCategory: 'taxPercent',
}
export const pathHere = (path: string): string => path.replace(/[A-Za-z]+/g, (field) => names[field] ?? field)

const ofInvoice = { params: ById, reply: InvoiceView, encode: toView } as const
const versionOf = ({ version }: { version: number }) => version

const status = {
  id: view.id,
  invoiceNumber: view.invoiceNumber,
  status: view.status,
  paymentStatus: view.paymentStatus,
  authorityReference: means(
    'The invoice reference number (IRN) under which the tax authority registered the document. Null until then.',
    Maybe(Type.String()),
  ),
  reporting: view.reporting,
  submittedAt: view.submittedAt,
  updatedAt: view.updatedAt,
  report: means('The state of the submission, and what you can do now.', ReportView),
}
const toStatus = (invoice: InvoiceSummary, moment: Moment) => ({
  id: invoice.id,
  invoiceNumber: invoice.number,
  status: statusHere[invoice.status],
  paymentStatus: paymentHere(invoice, moment.today()),
  authorityReference: invoice.authorityReference,
  reporting: toSummary(invoice, moment).reporting,
  submittedAt: isoOrNull(invoice.submittedAt),
  updatedAt: invoice.updatedAt.toISOString(),
})
const statusRoutes = reportStatusRoutes(toStatus, pathHere)

export const submissions = {
  submitBatch: describeRoute(routes.submitBatch, {
    status: 200,
    body: BatchBody,
    reply: BatchView,
    decode: batchFrom,
    encode: toBatch(answers),
  }),
  createAndSubmit: elsewhere,
  submit: describeRoute(routes.submit, { ...ofInvoice, status: 202, decode: idOf, version: versionOf }),
  retry: describeRoute(routes.retry, { ...ofInvoice, status: 202, decode: idOf, version: versionOf }),
  cancel: describeRoute(routes.cancel, {
    ...ofInvoice,
    status: 200,
    body: CancelBody,
    decode: cancellationFrom,
    version: versionOf,
  }),
  getStatus: describeRoute(routes.getStatus, {
    status: 200,
    params: ById,
    reply: Named('SubmissionStatus', status),
    decode: idOf,
    encode: statusRoutes.status,
    version: versionOfInvoice,
  }),
  queryStatus: describeRoute(routes.queryStatus, {
    status: 200,
    params: ById,
    reply: Named('QueriedStatus', { ...status, authority: AuthorityView }),
    decode: idOf,
    encode: statusRoutes.queried,
    version: versionOfInvoice,
  }),
  getTimeline: describeRoute(routes.getTimeline, {
    status: 200,
    params: ById,
    reply: Named('SubmissionTimeline', {
      ...status,
      attempts: means('The requests to the tax authority about this document, oldest first.', List(AttemptView)),
    }),
    decode: idOf,
    encode: statusRoutes.timeline,
  }),
  readAuthorityCopy: elsewhere,
}
