export * as departureOperations from './operations.ts'
