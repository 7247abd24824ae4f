import { type Caller, noOrganisation } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Mode } from '../../../kernel/tenant.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { openingCredits } from '../../catalogue/index.ts'
import { issue, listSandboxesBelow, lockBalances } from '../../credits/index.ts'
import { dayOf } from './ledger-days.ts'

const full = openingCredits.sandbox

/** Returns sandboxes below their full balance, in order of organisation id. */
export const findSandboxesToFill = reading(
  { needs: [], refuses: [] },
  async ({ db }: Outside<Caller>, after: { readonly organisationId: OrganisationId } | undefined) =>
    listSandboxesBelow(db, full, after?.organisationId ?? noOrganisation, 200),
)

/** Refills a sandbox once a day, so that nobody has to ask for test credits. */
export const fillSandbox = operation(
  { needs: [], refuses: [] },
  async (context: Inside<Caller>, { organisationId }: { organisationId: OrganisationId; mode?: Mode }) => {
    const tenant = { organisationId, mode: 'sandbox' } as const
    const balances = await lockBalances(context.tx, tenant)
    if (!balances || balances.available >= full) return
    await issue(context, tenant, 'grant', full - balances.available, `daily:${dayOf(context.now)}`)
  },
)
