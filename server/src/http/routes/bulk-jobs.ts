import { bulkJobOperations } from '../../modules/bulk-jobs/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const bulk = '/i/v1/invoices/bulk'

export const bulkJobRoutes = {
  list: defineRoute('GET', bulk, 'token', bulkJobOperations.listOwnBulkJobs, {
    summary: 'List the bulk jobs of the last 30 days, newest first',
    description: 'The list has only jobs whose action you may do.',
  }),
  start: defineRoute('POST', bulk, 'token', bulkJobOperations.startBulkJob, {
    summary: 'Finalise, submit, send, remind about, download or delete many documents',
    description:
      'Up to 10,000 documents, or 200 for `download`. Name the documents by their ids, or by the filters of the list. They are chosen once, now. The job runs in the background, one document at a time, oldest first if you sent a filter. A refused document does not affect the others. Each document costs the same as if you acted on it alone. The call counts as one request.',
  }),
  get: defineRoute('GET', `${bulk}/{id}`, 'token', bulkJobOperations.getBulkJob, {
    summary: 'Get the progress of a bulk job',
    description: 'Poll it about once a second until its status is no longer `running`.',
  }),
  listResults: defineRoute('GET', `${bulk}/{id}/results`, 'token', bulkJobOperations.listBulkResults, {
    summary: 'List the result of a bulk job for each document',
    description: 'In the order of the request. Results are deleted after 30 days.',
  }),
  download: defineRoute('GET', `${bulk}/{id}/download`, 'token', bulkJobOperations.getArchiveLink, {
    summary: 'Get a download link to the PDFs of a bulk job as one ZIP file',
    description:
      'For jobs with the action `download`, once they have ended. The link works for 15 minutes without a token. The file has the PDF of each document whose outcome is `done`, drawn as the document is now. Documents that cannot be drawn any more, for example because they were deleted, are listed in `missing.txt` with the reason.',
  }),
  cancel: defineRoute('POST', `${bulk}/{id}/cancel`, 'token', bulkJobOperations.cancelBulkJob, {
    summary: 'Cancel a bulk job',
    description: 'Documents whose turn has not come are skipped. Actions that were done are not undone.',
  }),
}
