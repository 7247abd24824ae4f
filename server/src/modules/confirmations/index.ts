export { background } from './background.ts'
export type { PreparedAction } from './confirmation.ts'
export * as confirmationOperations from './operations.ts'
