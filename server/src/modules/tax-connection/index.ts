export { background } from './background.ts'
export { connectToAuthority, replaceConnection } from './connect.ts'
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
export { type ConnectionView, getConnection } from './read-connection.ts'
export { refreshConnection } from './refresh-connection.ts'
export { revokeConnection } from './revoke-connection.ts'
export { storeKeyFile } from './store-key-file.ts'
export { getTransportKey, publicJwkOf } from './transport-key.ts'
