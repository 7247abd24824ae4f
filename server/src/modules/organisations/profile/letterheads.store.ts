import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Letterhead } from '../../../kernel/invoice-document.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

const plain: Letterhead = { logo: null, bank: null }

/** A plain one where nothing was ever set. */
export async function findLetterhead(db: Queryable, organisationId: OrganisationId): Promise<Letterhead> {
  const found = await db.maybe<Letterhead>(
    sql`select logo, bank from letterheads where organisation_id = ${organisationId}`,
  )
  return found ?? plain
}

export async function saveLetterhead(
  tx: Tx,
  organisationId: OrganisationId,
  { logo, bank }: Letterhead,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into letterheads (organisation_id, logo, bank, updated_at)
    values (${organisationId}, ${logo && JSON.stringify(logo)}::jsonb, ${bank && JSON.stringify(bank)}::jsonb, ${now})
    on conflict (organisation_id) do update
      set logo = excluded.logo, bank = excluded.bank, updated_at = excluded.updated_at`)
}
