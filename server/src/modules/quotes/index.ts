export { background } from './background.ts'
export * as quoteOperations from './operations.ts'
export * as quotes from './quote-values.ts'
