import { bulkJobsIn } from '../shared/bulk-jobs.ts'
import { answers } from './answers.ts'
import { BulkFilter, toBulkFilter } from './invoice-list.ts'

export const bulkJobs = bulkJobsIn({
  filter: BulkFilter,
  filterFrom: toBulkFilter,
  answers,
  pathHere: (path) => path,
})
