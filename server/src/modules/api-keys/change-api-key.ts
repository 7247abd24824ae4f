import type { UserCaller } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import type { ApiKeyId, RoleId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { requireCurrentCapabilities, requireOwnCapabilities } from '../organisations/index.ts'
import { type ApiKey, capabilitiesOfKey, type ShownKey, shown, statusOf } from './api-key.ts'
import { lockApiKey, saveKeyGrant, saveKeyName } from './api-keys.store.ts'
import { roleForKey } from './key-role.ts'

export const keySubject = (id: ApiKeyId): string => `key:${id}`

export async function lockKeyToChange(context: Inside<UserCaller>, id: ApiKeyId): Promise<ApiKey> {
  await requireCurrentCapabilities(context)
  const key = await lockApiKey(context.tx, context.caller.tenant.organisationId, id)
  if (!key) throw refuse('resource.not_found')
  return key
}

export const renameApiKey = operation(
  { time: 'real', needs: ['api_key.update'], refuses: ['resource.not_found'] },
  async (context: Inside<UserCaller>, { id, name }: { id: ApiKeyId; name: string }): Promise<ShownKey> => {
    const key = shown(await lockKeyToChange(context, id), context.now)
    if (key.name === name) return key
    const { organisationId } = key
    await saveKeyName(context.tx, organisationId, id, name)
    context.emit('api_key.updated', { organisationId, objectId: id }, { from: key.name, name })
    context.authChanged(keySubject(id))
    return { ...key, name }
  },
)

type NewGrant = Pick<ApiKey, 'preset' | 'ownCapabilities' | 'role'>

/** Only a working key can be changed, and nobody can give it capabilities that they lack. */
async function regrant(context: Inside<UserCaller>, key: ApiKey, grant: NewGrant): Promise<ShownKey> {
  const { tx, caller, now, emit, authChanged } = context
  const { organisationId, id } = key
  if (['revoked', 'expired'].includes(statusOf(key, now))) throw refuse('key.not_usable')
  requireOwnCapabilities(caller.capabilities, capabilitiesOfKey(grant))
  await saveKeyGrant(tx, organisationId, id, {
    preset: grant.preset,
    ownCapabilities: grant.ownCapabilities,
    roleId: grant.role?.id ?? null,
  })
  emit(
    'api_key.capabilities_changed',
    { organisationId, objectId: id },
    { name: key.name, capabilities: capabilitiesOfKey(grant) },
  )
  authChanged(keySubject(id))
  return shown({ ...key, ...grant }, now)
}

/** Tokens that the key has issued stop working. */
export const replaceKeyCapabilities = operation(
  { time: 'real', needs: ['api_key.update'], refuses: ['resource.not_found', 'role.above_own', 'key.not_usable'] },
  async (
    context: Inside<UserCaller>,
    { id, capabilities }: { id: ApiKeyId; capabilities: readonly Capability[] },
  ): Promise<ShownKey> =>
    await regrant(context, await lockKeyToChange(context, id), {
      preset: null,
      ownCapabilities: [...new Set(capabilities)],
      role: null,
    }),
)

/** Tokens that the key has issued stop working. */
export const changeKeyRole = operation(
  { time: 'real', needs: ['api_key.update'], refuses: ['resource.not_found', 'role.above_own', 'key.not_usable'] },
  async (context: Inside<UserCaller>, { id, roleId }: { id: ApiKeyId; roleId: RoleId }): Promise<ShownKey> => {
    const key = await lockKeyToChange(context, id)
    const role = await roleForKey(context.tx, key.organisationId, roleId)
    return await regrant(context, key, { preset: null, ownCapabilities: [], role })
  },
)
