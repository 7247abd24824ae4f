export { background } from './background.ts'
export * as confirmationOperations from './operations.ts'
