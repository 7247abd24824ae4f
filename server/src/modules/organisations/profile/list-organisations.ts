import type { UserCaller } from '../../../kernel/callers.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { listOrganisationsOf } from '../members/members.store.ts'

/** In any status of membership. */
export const listOrganisations = reading(
  { time: 'real', needs: [], refuses: [] },
  async ({ db, caller }: Outside<UserCaller>, page: PageRequest | undefined) => {
    const found = await listOrganisationsOf(db, caller.userId, page ?? { page: 1, limit: 1000 })
    return { ...found, rows: found.rows.map((row) => ({ ...row, current: row.id === caller.tenant.organisationId })) }
  },
)
