import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** Returns false if the claim exists. Of two concurrent claims, the later one waits and then gets false. */
export async function insertFreeCreditClaim(
  tx: Tx,
  claim: string,
  organisationId: OrganisationId,
  now: Date,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into free_credit_claims (claim, organisation_id, claimed_at) values (${claim}, ${organisationId}, ${now})
    on conflict (claim) do nothing`)
  return inserted === 1
}
