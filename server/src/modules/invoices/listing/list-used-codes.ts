import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { listCodes } from './used-codes.store.ts'

/** Codes on the lines of invoices in any status, the most used first. */
export const listUsedCodes = reading(
  { needs: ['item.read'], refuses: [] },
  ({ db, caller }: Outside<TokenCaller>, { type, limit }: { type: 'goods' | 'service'; limit: number }) =>
    listCodes(db, caller.tenant, type, limit),
)
