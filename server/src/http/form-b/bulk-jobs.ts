import { elsewhere } from '../definitions/describe-route.ts'
import { bulkJobsIn } from '../shared/bulk-jobs.ts'
import { answers } from './answers.ts'
import { BulkFilter, toFilter } from './invoice-list.ts'
import { pathHere } from './submissions.ts'

/** This form downloads accepted documents only, one by one. */
export const bulkJobs = {
  ...bulkJobsIn({ filter: BulkFilter, filterFrom: toFilter, answers, pathHere, downloads: false }),
  download: elsewhere,
}
