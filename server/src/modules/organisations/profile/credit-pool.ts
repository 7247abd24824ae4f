import { isDeepStrictEqual } from 'node:util'
import type { UserCaller } from '../../../kernel/callers.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { type CreditPool, findCreditPool, lockOrganisation, saveCreditPool } from '../organisations.store.ts'

/** The default: every organisation pays for itself. */
const standard: CreditPool = { primaryCoversSecondary: false, fallbackToPrimary: false, minimumReserve: 0n }

export const getCreditPool = reading(
  { time: 'real', needs: ['organization.read'], refuses: [] },
  async ({ db, caller }: Outside<UserCaller>) => (await findCreditPool(db, caller.tenant.organisationId)) ?? standard,
)

export const changeCreditPool = operation(
  { time: 'real', needs: ['organization.update'], refuses: [] },
  async ({ tx, caller, now, emit }: Inside<UserCaller>, change: Partial<CreditPool>) => {
    const { organisationId } = caller.tenant
    await lockOrganisation(tx, organisationId)
    const before = (await findCreditPool(tx, organisationId)) ?? standard
    const pool = { ...before, ...change }
    if (isDeepStrictEqual(pool, before)) return pool
    await saveCreditPool(tx, organisationId, pool, now)
    emit(
      'organization.credit_pool_changed',
      { organisationId, objectId: organisationId },
      { ...pool, minimumReserve: Number(pool.minimumReserve) },
    )
    return pool
  },
)
