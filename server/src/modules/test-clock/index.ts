export { advanceClockJob } from './advance.ts'
export { background, testClockJobs } from './background.ts'
export * as clockMoves from './move.ts'
export * as testClockOperations from './operations.ts'
