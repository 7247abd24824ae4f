import Type from 'typebox'
import { describeRoute } from '../definitions/describe-route.ts'
import { Instant, means, Named } from '../definitions/fields.ts'
import { bulkJobRoutes as routes } from '../routes/bulk-jobs.ts'
import { BulkById, bulkIdOf, bulkJobsIn } from '../shared/bulk-jobs.ts'
import { answers } from './answers.ts'
import { BulkFilter, toBulkFilter } from './invoice-list.ts'

export const bulkJobs = {
  ...bulkJobsIn({
    filter: BulkFilter,
    filterFrom: toBulkFilter,
    answers,
    pathHere: (path) => path,
    downloads: true,
  }),
  download: describeRoute(routes.download, {
    status: 200,
    params: BulkById,
    reply: Named('BulkDownload', {
      url: means('The link to the ZIP file. It works without a token.', Type.String({ format: 'uri' })),
      expiresAt: means('When the link stops working.', Instant),
    }),
    decode: bulkIdOf,
    encode: ({ url, expiresAt }) => ({ url, expiresAt: expiresAt.toISOString() }),
  }),
}
