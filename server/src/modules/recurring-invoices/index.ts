export { background } from './background.ts'
export * as calendar from './calendar.ts'
export * as recurringOperations from './operations.ts'
export * as recurringSchedules from './recurring-schedule.ts'
