import {
  changeKeyRole,
  createApiKey,
  getApiKey,
  getKeyPermissions,
  listOrganisationKeys,
  renameApiKey,
  replaceKeyCapabilities,
  revokeApiKey,
  rotateApiKey,
} from '../../modules/api-keys/index.ts'
import { endpoint } from '../endpoint.ts'

const keys = '/a/v1/organizations/{orgId}/api-keys'

export const apiKeyEndpoints = {
  list: endpoint('GET', keys, 'user', listOrganisationKeys, { summary: 'API keys, without their secrets' }),
  create: endpoint('POST', keys, 'user', createApiKey, {
    summary: 'Create an API key',
    description: 'Its text is in this answer and can never be retrieved again. Live keys also need `live_mode.use`.',
  }),
  get: endpoint('GET', `${keys}/{id}`, 'user', getApiKey, { summary: 'An API key' }),
  rename: endpoint('PATCH', `${keys}/{id}`, 'user', renameApiKey, { summary: 'Rename an API key' }),
  replaceCapabilities: endpoint('PUT', `${keys}/{id}/capabilities`, 'user', replaceKeyCapabilities, {
    summary: 'Replace what an API key may do',
    description: 'Tokens issued to the key stop working.',
  }),
  changeRole: endpoint('PATCH', `${keys}/{id}/role`, 'user', changeKeyRole, {
    summary: 'Put an API key under another role',
    description: 'Tokens issued to the key stop working.',
  }),
  getPermissions: endpoint('GET', `${keys}/{id}/permissions`, 'user', getKeyPermissions, {
    summary: 'What an API key may do, and what you could give it',
  }),
  revoke: endpoint('PATCH', `${keys}/{id}/revoke`, 'user', revokeApiKey, {
    summary: 'Stop an API key at once and for good',
  }),
  rotate: endpoint('POST', `${keys}/{id}/rotate`, 'user', rotateApiKey, {
    summary: 'Replace an API key by a new one',
    description: 'The old one works for the grace period. The new text is in `current.key` of this answer only.',
  }),
}
