import type { Caller } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import { type ApiKeyId, newId, type OrganisationId, type UserId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operation.ts'
import { insertApiKey } from './api-keys.store.ts'
import { hashOfKey, hintOf, newKeyText } from './key-text.ts'

interface Minting {
  readonly organisationId: OrganisationId
  readonly mode: Mode
  readonly name: string
  readonly capabilities: readonly Capability[]
  readonly createdBy: UserId | null
}

/** Makes a key, in the caller's transaction. The plain text exists only in what this returns. */
export async function mintKey(context: Inside<Caller>, minting: Minting): Promise<{ id: ApiKeyId; key: string }> {
  const { organisationId, mode, name, capabilities, createdBy } = minting
  const key = newKeyText(mode)
  const id: ApiKeyId = newId()
  await insertApiKey(
    context.tx,
    organisationId,
    { id, mode, name, keyHash: hashOfKey(key), hint: hintOf(key), capabilities, createdBy },
    context.now,
  )
  context.emit('api_key.created', { organisationId }, { apiKeyId: id, name, mode })
  return { id, key }
}
