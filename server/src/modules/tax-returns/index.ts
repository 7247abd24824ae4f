export * as taxReturnOperations from './operations.ts'
export * as taxReturnRules from './return-rules.ts'
