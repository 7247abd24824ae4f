import type { Caller } from '../../kernel/callers.ts'
import { type ApiKeyId, newId, type OrganisationId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { insertApiKey, type NewApiKey } from './api-keys.store.ts'
import { hashOfKey, hintOf, newKeyText } from './key-text.ts'

type KeyToMint = Pick<NewApiKey, 'mode' | 'name' | 'ownCapabilities' | 'createdBy'> &
  Partial<Pick<NewApiKey, 'preset' | 'roleId' | 'requestsPerMinute' | 'dailyQuota' | 'expiresAt'>>

const plain = { preset: null, roleId: null, requestsPerMinute: null, dailyQuota: null, expiresAt: null }

/** Runs in the caller's transaction. Only the result has the plain text. */
export async function mintKey(
  context: Inside<Caller>,
  organisationId: OrganisationId,
  minting: KeyToMint,
): Promise<{ id: ApiKeyId; key: string }> {
  const key = newKeyText(minting.mode)
  const id: ApiKeyId = newId()
  await insertApiKey(
    context.tx,
    organisationId,
    { ...plain, ...minting, id, keyHash: hashOfKey(key), hint: hintOf(key) },
    context.now,
  )
  context.emit('api_key.created', { organisationId, objectId: id }, { name: minting.name, mode: minting.mode })
  return { id, key }
}
