export { background } from './background.ts'
export * as bulkJobs from './bulk-job.ts'
export * as bulkJobOperations from './operations.ts'
export { zipOf } from './zip.ts'
