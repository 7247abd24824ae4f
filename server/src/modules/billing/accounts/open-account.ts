import { type Caller, noOrganisation } from '../../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../../kernel/ids.ts'
import { modes } from '../../../kernel/tenant.ts'
import { jobOn } from '../../../platform/jobs/jobs.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { openingCredits } from '../../catalogue/index.ts'
import { issue, openBalances } from '../../credits/index.ts'
import { insertAccount, listOrganisationsWithoutAccount } from './accounts.store.ts'
import { grantToFirstOf } from './free-credits.ts'

/** Registration does not wait for the account: a background job opens it. */
export const openAccountJob = jobOn('open-billing-account', 'upkeep', ['organization.created'])

/** Opens the account with its ledger and first credits. Idempotent. */
export async function ensureAccount(context: Inside<Caller>, organisationId: OrganisationId): Promise<void> {
  const { tx, now, emit } = context
  const id = newId()
  if (!(await insertAccount(tx, organisationId, id, now))) return
  for (const mode of modes) await openBalances(tx, { organisationId, mode }, now)
  await issue(context, { organisationId, mode: 'sandbox' }, 'grant', openingCredits.sandbox, 'opening')
  await grantToFirstOf(context, organisationId)
  emit('billing.account.status_changed', { organisationId, objectId: id }, { status: 'active' })
}

export const openAccount = operation(
  { needs: [], refuses: [] },
  async (context: Inside<Caller>, { organisationId }: { organisationId: OrganisationId }) =>
    ensureAccount(context, organisationId),
)

/** Finds organisations whose event was lost, or that existed before billing. */
export const findWithoutAccount = reading(
  { needs: [], refuses: [] },
  async ({ db }: Outside<Caller>, after: { readonly organisationId: OrganisationId } | undefined) =>
    listOrganisationsWithoutAccount(db, after?.organisationId ?? noOrganisation, 100),
)
