/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export {
  changeContent,
  createSchedule,
  endSchedule,
  pauseSchedule,
  resumeSchedule,
  skipPeriod,
  unskipPeriod,
} from './change-schedules.ts'
export { runPeriodAgain } from './make-invoice.ts'
export { getSchedule, listOwnSchedules, listScheduleRuns, previewSchedule } from './read-schedules.ts'
