import type { UserCaller } from '../../kernel/callers.ts'
import { keyCapabilities } from '../../kernel/capabilities.ts'
import type { ApiKeyId } from '../../kernel/ids.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { capabilitiesOfKey, shown, statusOf } from './api-key.ts'
import { findApiKey, type KeyFilter, listApiKeys } from './api-keys.store.ts'

export const listOrganisationKeys = reading(
  { time: 'real', needs: ['api_key.read'], refuses: [] },
  async ({ db, caller, now }: Outside<UserCaller>, { filter, page }: { filter: KeyFilter; page: PageRequest }) => {
    const found = await listApiKeys(db, caller.tenant.organisationId, filter, now, page)
    return { ...found, rows: found.rows.map((key) => shown(key, now)) }
  },
)

export const getApiKey = reading(
  { time: 'real', needs: ['api_key.read'], refuses: ['resource.not_found'] },
  async ({ db, caller, now }: Outside<UserCaller>, { id }: { id: ApiKeyId }) => {
    const key = await findApiKey(db, caller.tenant.organisationId, id)
    if (!key) throw refuse('resource.not_found')
    return shown(key, now)
  },
)

/** Current capabilities of a key, and those that the caller could give it. */
export const getKeyPermissions = reading(
  { time: 'real', needs: ['api_key.read'], refuses: ['resource.not_found'] },
  async ({ db, caller, now }: Outside<UserCaller>, { id }: { id: ApiKeyId }) => {
    const key = await findApiKey(db, caller.tenant.organisationId, id)
    if (!key) throw refuse('resource.not_found')
    const live = ['active', 'rotating'].includes(statusOf(key, now))
    return {
      key: shown(key, now),
      capabilities: live ? capabilitiesOfKey(key) : [],
      grantable: keyCapabilities.filter((name) => caller.capabilities.has(name)),
    }
  },
)
