import type { UserCaller } from '../../kernel/callers.ts'
import type { ApiKeyId, OrganisationId, UserId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { type ApiKey, type ShownKey, shown, statusOf } from './api-key.ts'
import { lockUsableKeysBy, saveKeyRevoked } from './api-keys.store.ts'
import { keySubject, lockKeyToChange } from './change-api-key.ts'

/** Working keys that a person created. */
export async function lockKeysMadeBy(
  { tx, now }: Inside<UserCaller>,
  { organisationId, userId }: { organisationId: OrganisationId; userId: UserId },
): Promise<ShownKey[]> {
  const keys = await lockUsableKeysBy(tx, organisationId, userId, now)
  return keys.map((key) => shown(key, now))
}

/** The caller has locked the key and checked that it works. */
export async function endKey({ tx, now, emit, authChanged }: Inside<UserCaller>, key: ApiKey): Promise<ShownKey> {
  const { organisationId, id, name, mode } = key
  await saveKeyRevoked(tx, organisationId, id, now)
  emit('api_key.revoked', { organisationId, objectId: id }, { name, mode })
  authChanged(keySubject(id))
  return shown({ ...key, revokedAt: now }, now)
}

export const revokeApiKey = operation(
  { time: 'real', needs: ['api_key.revoke'], refuses: ['resource.not_found', 'key.not_usable'] },
  async (context: Inside<UserCaller>, { id }: { id: ApiKeyId }): Promise<ShownKey> => {
    const key = await lockKeyToChange(context, id)
    if (['revoked', 'expired'].includes(statusOf(key, context.now))) throw refuse('key.not_usable')
    return await endKey(context, key)
  },
)
