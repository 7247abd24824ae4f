import type { UserCaller } from '../../kernel/callers.ts'
import type { ApiKeyId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { type ShownKey, shown, statusOf } from './api-key.ts'
import { saveKeyRevoked } from './api-keys.store.ts'
import { keySubject, lockKeyToChange } from './change-api-key.ts'

/** Stops a key at once and for good. */
export const revokeApiKey = operation(
  { needs: ['api_key.revoke'], refuses: ['resource.not_found', 'key.not_usable'] },
  async (context: Inside<UserCaller>, { id }: { id: ApiKeyId }): Promise<ShownKey> => {
    const { tx, now, emit, authChanged } = context
    const key = await lockKeyToChange(context, id)
    if (['revoked', 'expired'].includes(statusOf(key, now))) throw refuse('key.not_usable')
    const { organisationId } = key
    await saveKeyRevoked(tx, organisationId, id, now)
    emit('api_key.revoked', { organisationId, objectId: id }, { name: key.name, mode: key.mode })
    authChanged(keySubject(id))
    return shown({ ...key, revokedAt: now }, now)
  },
)
