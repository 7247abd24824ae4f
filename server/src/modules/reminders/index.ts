export { background } from './background.ts'
export * as reminderOperations from './operations.ts'
export * as reminders from './reminders.ts'
