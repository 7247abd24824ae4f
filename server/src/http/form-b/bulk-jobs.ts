import { bulkJobsIn } from '../shared/bulk-jobs.ts'
import { answers } from './answers.ts'
import { BulkFilter, toFilter } from './invoice-list.ts'
import { pathHere } from './submissions.ts'

export const bulkJobs = bulkJobsIn({ filter: BulkFilter, filterFrom: toFilter, answers, pathHere })
