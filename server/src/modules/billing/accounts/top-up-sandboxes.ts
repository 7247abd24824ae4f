import { type Caller, noOrganisation } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { openingCredits } from '../../catalogue/index.ts'
import { issue, listSandboxesBelow, lockBooks } from '../../credits/index.ts'
import { dayOf } from './ledger-days.ts'

const full = openingCredits.sandbox

/** The next sandboxes, in order of their ids, that are not full. */
export const findSandboxesToFill = reading(
  { needs: [], refuses: [] },
  async ({ db }: Outside<Caller>, after: { readonly organisationId: OrganisationId } | undefined) =>
    listSandboxesBelow(db, full, after?.organisationId ?? noOrganisation, 200),
)

/** Fills up a sandbox, once a day: it is for trying things out, and nobody should have to ask. */
export const fillSandbox = operation(
  { needs: [], refuses: [] },
  async (context: Inside<Caller>, { organisationId }: { organisationId: OrganisationId }) => {
    const tenant = { organisationId, mode: 'sandbox' } as const
    const books = await lockBooks(context.tx, tenant)
    if (!books || books.available >= full) return
    await issue(context, tenant, 'grant', full - books.available, `daily:${dayOf(context.now)}`)
  },
)
