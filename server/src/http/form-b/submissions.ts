import Type from 'typebox'
import type { InvoiceSummary } from '../../modules/invoices/index.ts'
import { ById, idOf } from '../both/invoices.ts'
import {
  AttemptView,
  AuthorityView,
  BatchBody,
  BatchView,
  batchFrom,
  CancelBody,
  cancellationFrom,
  ReportView,
  tellStanding,
  toBatch,
  versionOfInvoice,
} from '../both/submissions.ts'
import { submissionEndpoints as endpoints } from '../endpoints/submissions.ts'
import { isoOrNull, List, Maybe, means, Named } from '../fields.ts'
import { elsewhere, type Moment, speak } from '../speak.ts'
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
  authorityReference: invoice.irn,
  reporting: toSummary(invoice, moment).reporting,
  submittedAt: isoOrNull(invoice.submittedAt),
  updatedAt: invoice.updatedAt.toISOString(),
})
const tell = tellStanding(toStatus, pathHere)

export const submissions = {
  submitBatch: speak(endpoints.submitBatch, {
    status: 200,
    body: BatchBody,
    reply: BatchView,
    decode: batchFrom,
    encode: toBatch(answers),
  }),
  createAndSubmit: elsewhere,
  submit: speak(endpoints.submit, { ...ofInvoice, status: 202, decode: idOf, version: versionOf }),
  retry: speak(endpoints.retry, { ...ofInvoice, status: 202, decode: idOf, version: versionOf }),
  cancel: speak(endpoints.cancel, {
    ...ofInvoice,
    status: 200,
    body: CancelBody,
    decode: cancellationFrom,
    version: versionOf,
  }),
  getStatus: speak(endpoints.getStatus, {
    status: 200,
    params: ById,
    reply: Named('SubmissionStatus', status),
    decode: idOf,
    encode: tell.standing,
    version: versionOfInvoice,
  }),
  queryStatus: speak(endpoints.queryStatus, {
    status: 200,
    params: ById,
    reply: Named('QueriedStatus', { ...status, authority: AuthorityView }),
    decode: idOf,
    encode: tell.queried,
    version: versionOfInvoice,
  }),
  getTimeline: speak(endpoints.getTimeline, {
    status: 200,
    params: ById,
    reply: Named('SubmissionTimeline', {
      ...status,
      attempts: means('The requests to the tax authority about this document, oldest first.', List(AttemptView)),
    }),
    decode: idOf,
    encode: tell.timeline,
  }),
  readAuthorityCopy: elsewhere,
}
