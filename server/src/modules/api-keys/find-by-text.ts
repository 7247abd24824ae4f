import type { Queryable } from '../../platform/database/database.ts'
import { findUsableKeyByHash, type KeyPrincipal } from './api-keys.store.ts'
import { hashOfKey, isKeyText } from './key-text.ts'

/** A mistyped key is refused without a query. */
export const findUsableKeyByText = async (db: Queryable, text: string, now: Date): Promise<KeyPrincipal | undefined> =>
  isKeyText(text) ? await findUsableKeyByHash(db, hashOfKey(text), now) : undefined
