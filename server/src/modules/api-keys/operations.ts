/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { changeKeyRole, renameApiKey, replaceKeyCapabilities } from './change-api-key.ts'
export { createApiKey } from './create-api-key.ts'
export { getApiKey, getKeyPermissions, listOrganisationKeys } from './read-api-keys.ts'
export { revokeApiKey } from './revoke-api-key.ts'
export { rotateApiKey } from './rotate-api-key.ts'
