import type { SystemCaller } from '../../kernel/callers.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { takeEndedKeys } from './api-keys.store.ts'

/** Tells of keys that time has ended. They stopped working by themselves. */
export const announceEndedKeys = operation(
  { needs: [], refuses: [] },
  async ({ tx, now, emit }: Inside<SystemCaller>) => {
    const ended = await takeEndedKeys(tx, now, 200)
    for (const { organisationId, id, name, mode, expired } of ended)
      emit(expired ? 'api_key.expired' : 'api_key.revoked', { organisationId, objectId: id }, { name, mode })
    return ended.length
  },
)
