import { apiKeyOperations } from '../../modules/api-keys/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const keys = '/a/v1/organizations/{orgId}/api-keys'

export const apiKeyRoutes = {
  list: defineRoute('GET', keys, 'user', apiKeyOperations.listOrganisationKeys, { summary: 'List API keys' }),
  create: defineRoute('POST', keys, 'user', apiKeyOperations.createApiKey, {
    summary: 'Create an API key',
    description:
      'The reply has the text of the key, which is never shown again. For a live key you also need `live_mode.use`.',
  }),
  get: defineRoute('GET', `${keys}/{id}`, 'user', apiKeyOperations.getApiKey, { summary: 'Get an API key' }),
  rename: defineRoute('PATCH', `${keys}/{id}`, 'user', apiKeyOperations.renameApiKey, { summary: 'Rename an API key' }),
  replaceCapabilities: defineRoute(
    'PUT',
    `${keys}/{id}/capabilities`,
    'user',
    apiKeyOperations.replaceKeyCapabilities,
    {
      summary: 'Replace the capabilities of an API key',
      description: 'Tokens that the key has issued stop working.',
    },
  ),
  changeRole: defineRoute('PATCH', `${keys}/{id}/role`, 'user', apiKeyOperations.changeKeyRole, {
    summary: 'Give an API key another role',
    description: 'Tokens that the key has issued stop working.',
  }),
  getPermissions: defineRoute('GET', `${keys}/{id}/permissions`, 'user', apiKeyOperations.getKeyPermissions, {
    summary: 'Get what an API key may do, and what you could give it',
  }),
  revoke: defineRoute('PATCH', `${keys}/{id}/revoke`, 'user', apiKeyOperations.revokeApiKey, {
    summary: 'Revoke an API key',
    description: 'The key stops working at once and can never be used again.',
  }),
  rotate: defineRoute('POST', `${keys}/{id}/rotate`, 'user', apiKeyOperations.rotateApiKey, {
    summary: 'Rotate an API key',
    description:
      'Creates a new key. The old key works until the grace period ends. Only this reply has the text of the new key, in `current.key`.',
  }),
}
