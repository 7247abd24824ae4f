/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { cancelBulkJob } from './cancel-bulk-job.ts'
export { downloadArchive, getArchiveLink } from './download-archive.ts'
export { getBulkJob, listBulkResults, listOwnBulkJobs } from './read-bulk-jobs.ts'
export { startBulkJob } from './start-bulk-job.ts'
