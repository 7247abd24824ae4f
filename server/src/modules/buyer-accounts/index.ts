export * as accountShares from './account-shares.store.ts'
export { background } from './background.ts'
export * as buyerAccountOperations from './operations.ts'
export * as statementRules from './statement-rules.ts'
