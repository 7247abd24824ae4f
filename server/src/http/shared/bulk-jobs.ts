import Type, { type TObject } from 'typebox'
import type { Fault } from '../../kernel/refusals.ts'
import { bulkJobs } from '../../modules/bulk-jobs/index.ts'
import type { InvoiceId } from '../../modules/invoices/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  PageQuery,
  pageFrom,
  Uuid,
} from '../definitions/fields.ts'
import type { Answers } from '../reply/answers.ts'
import { bulkJobRoutes as routes } from '../routes/bulk-jobs.ts'
import { filterNames } from './invoices.ts'
import { RefusalView, refusalIn } from './submissions.ts'

const Count = Type.Integer({ minimum: 0 })
const ActionView = means(
  'What the job does with each document. `finalise`: issue a draft. `submit`: submit it to the tax authority. `send`: email it to its buyer. `remind`: remind the buyer of an unpaid invoice. `download`: collect the PDFs in one ZIP file. `delete`: delete a draft.',
  OneOf(...bulkJobs.actions),
)
const actionMeaning =
  'What to do with each document. `finalise`: issue a draft. `submit`: submit an issued document to the tax authority. `send`: email an issued document to its buyer. `remind`: remind the buyer of an unpaid invoice by email. `delete`: delete a draft.'

const BulkJobView = Named('BulkJob', {
  id: means('Unique identifier of the bulk job (UUIDv7).', Uuid),
  action: ActionView,
  status: means(
    '`running`: documents are still waiting. `done`: every document has its result. `cancelled`: a member cancelled the job. `stopped`: the member or API key that started it lost the permission, or it kept failing.',
    OneOf(...bulkJobs.statuses),
  ),
  counts: means(
    'The number of documents with each outcome.',
    Named('BulkCounts', {
      total: means('All documents of the job.', Count),
      waiting: means('Documents whose turn has not come yet.', Count),
      done: means('Documents on which the action was done.', Count),
      failed: means('Documents on which the action was refused.', Count),
      skipped: means('Documents that were left out because the job was cancelled or stopped.', Count),
    }),
  ),
  continuesAt: means(
    'When the job continues, if it waits for the hourly limit of mails of your organisation. Null otherwise.',
    Maybe(Instant),
  ),
  createdAt: means('When the job was started.', Instant),
  updatedAt: means('When the job last made progress.', Instant),
})

const toView = ({ id, action, status, counts, continuesAt, createdAt, updatedAt }: bulkJobs.BulkJob) => ({
  id,
  action,
  status,
  counts: { total: counts.waiting + counts.done + counts.failed + counts.skipped, ...counts },
  continuesAt: isoOrNull(continuesAt),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

const Outcome = OneOf(...bulkJobs.outcomes)
const ResultView = Named('BulkResult', {
  invoiceId: means('The id of the document.', Uuid),
  invoiceNumber: means(
    'The number of the document when the job started. Null if you have no document with this id.',
    Maybe(Type.String()),
  ),
  outcome: means(
    '`waiting`: its turn has not come yet. `done`: the action was done. `failed`: the action was refused, and nothing was changed. `skipped`: the job ended before its turn.',
    Outcome,
  ),
  error: means(
    'Why the action was refused. Null unless the outcome is `failed`.',
    Maybe(Named('BulkRefusal', RefusalView.properties)),
  ),
})

export const BulkById = Fields({ id: means('The id of the bulk job (UUIDv7).', Uuid) })
export const bulkIdOf = ({ params }: { params: { id: string } }) => ({ id: params.id as bulkJobs.BulkJobId })

/** Ids that occur a second time, in small or capital letters. */
function repeatedIds(ids: readonly unknown[]): Fault[] {
  const seen = new Set<string>()
  return ids.flatMap((id, at) => {
    const known = String(id).toLowerCase()
    if (!seen.has(known)) {
      seen.add(known)
      return []
    }
    return [{ path: `invoiceIds[${at}]`, rule: 'unique', message: 'is in the list already; name each document once' }]
  })
}

/** Rules that a schema cannot express: the documents are named in one way, and each once. */
function checkTarget(body: unknown): Fault[] {
  if (typeof body !== 'object' || body === null) return []
  if ('invoiceIds' in body && 'filter' in body)
    return [{ path: 'filter', rule: 'unwanted', message: 'must be left out if invoiceIds is sent' }]
  if ('invoiceIds' in body && 'expectedCount' in body)
    return [{ path: 'expectedCount', rule: 'unwanted', message: 'must be left out if invoiceIds is sent' }]
  if ('invoiceIds' in body) return Array.isArray(body.invoiceIds) ? repeatedIds(body.invoiceIds) : []
  if ('filter' in body) return []
  return [{ path: 'invoiceIds', rule: 'required', message: 'is required, unless filter is sent' }]
}

const downloadMeaning = ' `download`: collect the PDFs in one ZIP file, at most 200.'
const withoutDownload = bulkJobs.actions.filter((action) => action !== 'download')

/** What a form adds: the filters of its list, its codes, and its names for fields in a refusal. */
interface BulkForm {
  readonly filter: TObject
  /** takes what the schema of `filter` has checked */
  readonly filterFrom: (sent: never) => NonNullable<bulkJobs.NewBulkJob['filter']>
  readonly answers: Answers
  readonly pathHere: (path: string) => string
  /** whether documents can be downloaded before the tax authority has accepted them */
  readonly downloads: boolean
}

export const bulkJobsIn = ({ filter, filterFrom, answers, pathHere, downloads }: BulkForm) => {
  const actions = downloads ? bulkJobs.actions : withoutDownload
  const toError = refusalIn(answers)
  const toResult = ({ invoiceId, invoiceNumber, outcome, refused }: bulkJobs.BulkResult) => ({
    invoiceId,
    invoiceNumber,
    outcome,
    error:
      refused &&
      toError({ ...refused, details: refused.details.map((fault) => ({ ...fault, path: pathHere(fault.path) })) }),
  })
  return {
    list: describeRoute(routes.list, {
      status: 200,
      query: Fields(PageQuery()),
      reply: List(BulkJobView),
      decode: ({ query }) => pageFrom(query),
      encode: ({ rows }) => rows.map(toView),
      pagination: (page) => page,
    }),
    start: describeRoute(routes.start, {
      status: 202,
      body: Named('NewBulkJob', {
        action: means(actionMeaning + (downloads ? downloadMeaning : ''), OneOf(...actions)),
        invoiceIds: Type.Optional(
          Type.Array(Uuid, {
            minItems: 1,
            maxItems: bulkJobs.mostItems,
            description:
              'The ids of the documents, each once, in the order of their turns. Leave it out if you send `filter`.',
          }),
        ),
        filter: Type.Optional(
          means('All documents that match these filters, at most 10,000. An empty object means all documents.', filter),
        ),
        expectedCount: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description:
              'The number of documents that you saw for `filter`. If another number matches now, the request is refused with `bulk_job.count_changed` and nothing is done.',
          }),
        ),
      }),
      checkBody: checkTarget,
      reply: BulkJobView,
      decode: ({ body }) => ({
        action: body.action,
        ids: body.invoiceIds?.map((id) => id.toLowerCase() as InvoiceId),
        filter: body.filter === undefined ? undefined : filterFrom(body.filter as never),
        expectedCount: body.expectedCount,
      }),
      encode: toView,
      location: ({ id }) => `/i/v1/invoices/bulk/${id}`,
      fieldNames: filterNames,
    }),
    get: describeRoute(routes.get, {
      status: 200,
      params: BulkById,
      reply: BulkJobView,
      decode: bulkIdOf,
      encode: toView,
    }),
    listResults: describeRoute(routes.listResults, {
      status: 200,
      params: BulkById,
      query: Fields({
        ...PageQuery(),
        outcome: Type.Optional(
          means('Only documents with this outcome. `BulkResult.outcome` explains the values.', Outcome),
        ),
      }),
      reply: List(ResultView),
      decode: ({ params, query }) => ({ ...bulkIdOf({ params }), outcome: query.outcome, page: pageFrom(query) }),
      encode: ({ rows }) => rows.map(toResult),
      pagination: (page) => page,
    }),
    cancel: describeRoute(routes.cancel, {
      status: 200,
      params: BulkById,
      reply: BulkJobView,
      decode: bulkIdOf,
      encode: toView,
    }),
  }
}
