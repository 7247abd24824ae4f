/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { connectToAuthority, replaceConnection } from './connect.ts'
export { getConnection } from './read-connection.ts'
export { refreshConnection } from './refresh-connection.ts'
export { revokeConnection } from './revoke-connection.ts'
export { storeKeyFile } from './store-key-file.ts'
export { getTransportKey } from './transport-key.ts'
