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
  list: endpoint('GET', keys, 'user', listOrganisationKeys, { summary: 'List API keys' }),
  create: endpoint('POST', keys, 'user', createApiKey, {
    summary: 'Create an API key',
    description:
      'The reply has the text of the key, which is never shown again. For a live key you also need `live_mode.use`.',
  }),
  get: endpoint('GET', `${keys}/{id}`, 'user', getApiKey, { summary: 'Get an API key' }),
  rename: endpoint('PATCH', `${keys}/{id}`, 'user', renameApiKey, { summary: 'Rename an API key' }),
  replaceCapabilities: endpoint('PUT', `${keys}/{id}/capabilities`, 'user', replaceKeyCapabilities, {
    summary: 'Replace the capabilities of an API key',
    description: 'Tokens that the key has issued stop working.',
  }),
  changeRole: endpoint('PATCH', `${keys}/{id}/role`, 'user', changeKeyRole, {
    summary: 'Give an API key another role',
    description: 'Tokens that the key has issued stop working.',
  }),
  getPermissions: endpoint('GET', `${keys}/{id}/permissions`, 'user', getKeyPermissions, {
    summary: 'Get what an API key may do, and what you could give it',
  }),
  revoke: endpoint('PATCH', `${keys}/{id}/revoke`, 'user', revokeApiKey, {
    summary: 'Revoke an API key',
    description: 'The key stops working at once and can never be used again.',
  }),
  rotate: endpoint('POST', `${keys}/{id}/rotate`, 'user', rotateApiKey, {
    summary: 'Rotate an API key',
    description:
      'Creates a new key. The old key works until the grace period ends. Only this reply has the text of the new key, in `current.key`.',
  }),
}
