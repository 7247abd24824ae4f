import type { UserCaller } from '../../../kernel/callers.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { listChildren } from '../organisations.store.ts'

export const listChildOrganisations = reading(
  { time: 'real', needs: ['organization.read'], refuses: [] },
  ({ db, caller }: Outside<UserCaller>, page: PageRequest) => listChildren(db, caller.tenant.organisationId, page),
)
