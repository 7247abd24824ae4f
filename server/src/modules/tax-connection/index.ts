export { background } from './background.ts'
export {
  type Connection,
  connectionProblems,
  connectionStatuses,
  credentialsOf,
  explainProblem,
  isConnected,
  keyFileOf,
} from './connection.ts'
export {
  findConnection,
  findConnectionInCountry,
  listConnectedUnder,
  listKeysInUse,
  lockConnectionShared,
} from './connections.store.ts'
export * as taxConnectionOperations from './operations.ts'
export type { ConnectionView } from './read-connection.ts'
export { publicJwkOf } from './transport-key.ts'
