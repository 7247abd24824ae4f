import Type from 'typebox'
import type { InvoiceSummary } from '../../modules/invoices/index.ts'
import { describeRoute, type Moment } from '../definitions/describe-route.ts'
import { isoOrNull, List, Maybe, means, Named } from '../definitions/fields.ts'
import { submissionRoutes as routes } from '../routes/submissions.ts'
import { ById, idOf, invoiceBodyLimit, toWarnings, WarningsView } from '../shared/invoices.ts'
import {
  AttemptView,
  AuthorityView,
  BatchBody,
  BatchView,
  batchFrom,
  CancelBody,
  cancellationFrom,
  RefusalView,
  ReportView,
  refusalIn,
  reportStatusRoutes,
  toBatch,
  versionOfInvoice,
} from '../shared/submissions.ts'
import { answers } from './answers.ts'
import { toDraft } from './invoice-drafts.ts'
import { checkDraft, InvoiceView, NewInvoice, SummaryView, toSummary, toView } from './invoice-fields.ts'

const asItIs = (path: string): string => path
const ofInvoice = { status: 202, params: ById, reply: InvoiceView, encode: toView } as const
const versionOf = ({ version }: { version: number }) => version

const view = SummaryView.properties
const status = {
  id: view.id,
  invoiceNumber: view.invoiceNumber,
  status: view.status,
  simpleStatus: view.simpleStatus,
  paymentStatus: view.paymentStatus,
  reporting: view.reporting,
  submittedAt: view.submittedAt,
  updatedAt: view.updatedAt,
  report: means('The state of the submission, and what you can do now.', ReportView),
}
function toStatus(invoice: InvoiceSummary, moment: Moment) {
  const { id, invoiceNumber, status, simpleStatus, paymentStatus, reporting } = toSummary(invoice, moment)
  const { submittedAt, updatedAt } = invoice
  return {
    id,
    invoiceNumber,
    status,
    simpleStatus,
    paymentStatus,
    reporting,
    submittedAt: isoOrNull(submittedAt),
    updatedAt: updatedAt.toISOString(),
  }
}
const statusRoutes = reportStatusRoutes(toStatus, asItIs)

export const submissions = {
  submitBatch: describeRoute(routes.submitBatch, {
    status: 200,
    body: BatchBody,
    reply: BatchView,
    decode: batchFrom,
    encode: toBatch(answers),
  }),
  createAndSubmit: describeRoute(routes.createAndSubmit, {
    status: 201,
    body: NewInvoice,
    bodyLimit: invoiceBodyLimit,
    checkBody: checkDraft,
    reply: Named('SubmittedInvoice', {
      ...InvoiceView.properties,
      submitRefusal: means(
        'Why the invoice was created but not submitted. Null if it was submitted.',
        Maybe(RefusalView),
      ),
      ...WarningsView,
    }),
    decode: ({ body }) => toDraft(body),
    encode: ({ invoice, submitRefusal, warnings }, moment) => ({
      ...toView(invoice, moment),
      ...toWarnings(warnings),
      submitRefusal: submitRefusal ? refusalIn(answers)(submitRefusal) : null,
    }),
    location: ({ invoice }) => `/i/v1/invoices/${invoice.id}`,
    version: versionOfInvoice,
  }),
  submit: describeRoute(routes.submit, { ...ofInvoice, decode: idOf, version: versionOf }),
  retry: describeRoute(routes.retry, { ...ofInvoice, decode: idOf, version: versionOf }),
  cancel: describeRoute(routes.cancel, {
    ...ofInvoice,
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
  readAuthorityCopy: describeRoute(routes.readAuthorityCopy, {
    status: 200,
    params: ById,
    reply: Named('AuthorityCopy', {
      reference: means('The invoice reference number (IRN) of the document.', Type.String()),
      sha256: means('The SHA-256 hash of the copy, as 64 hexadecimal digits.', Type.String()),
      isWhatWasSent: means(
        'Whether the copy has the same reference, parties, type, currency and amounts as the submitted document.',
        Type.Boolean(),
      ),
      document: means('The copy in the JSON format of the tax authority.', Type.Record(Type.String(), Type.Unknown())),
    }),
    decode: idOf,
    encode: ({ reference, sha256, isWhatWasSent, document }) => ({
      reference,
      sha256,
      isWhatWasSent,
      document: { ...document },
    }),
  }),
}
