import { hash } from 'node:crypto'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Letterhead } from '../../../kernel/invoice-document.ts'
import { isForeignKeyViolation, type Queryable, type Tx } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'

/** A letterhead as stored with an issued document. The logo is stored by hash, once for all documents. */
export interface LetterheadCopy {
  readonly bank: Letterhead['bank']
  readonly logo: string | null
}

type Picture = NonNullable<Letterhead['logo']>
type PictureRow = { readonly contentType: Picture['contentType']; readonly bytes: Buffer }

const plain: Letterhead = { logo: null, bank: null }
const plainCopy: LetterheadCopy = { logo: null, bank: null }
const pictureFrom = ({ contentType, bytes }: PictureRow): Picture => ({ contentType, base64: bytes.toString('base64') })

/** Empty if none was ever set. */
export async function findLetterhead(db: Queryable, organisationId: OrganisationId): Promise<Letterhead> {
  const found = await db.maybe<
    Pick<Letterhead, 'bank'> & { [Column in keyof PictureRow]: PictureRow[Column] | null }
  >(sql`
    select l.bank, g.content_type, g.bytes from letterheads l
      left join logos g on g.organisation_id = l.organisation_id and g.hash = l.logo_hash
     where l.organisation_id = ${organisationId}`)
  if (!found) return plain
  const { bank, contentType, bytes } = found
  return { bank, logo: contentType && bytes ? pictureFrom({ contentType, bytes }) : null }
}

/** SQL value of the current letterhead, for the statement that issues a document. */
export const letterheadToday = (organisationId: OrganisationId): Sql => sql`
  coalesce((select jsonb_build_object('bank', l.bank, 'logo', l.logo_hash) from letterheads l where l.organisation_id = ${organisationId}),
           ${JSON.stringify(plainCopy)}::jsonb)`

/** A shared lock until the transaction ends. Only a change of the letterhead waits. */
export async function lockLetterheadShared(tx: Tx, organisationId: OrganisationId): Promise<void> {
  await tx.run(sql`select from letterheads where organisation_id = ${organisationId} for share`)
}

/** The letterhead stored with a document, with its picture. The current one if the document has none. */
export async function getLetterheadOfDocument(
  db: Queryable,
  organisationId: OrganisationId,
  kept: LetterheadCopy | null,
): Promise<Letterhead> {
  if (kept === null) return await findLetterhead(db, organisationId)
  const { bank, logo } = kept
  if (logo === null) return { bank, logo }
  const row = await db.one<PictureRow>(
    sql`select content_type, bytes from logos where organisation_id = ${organisationId} and hash = ${logo}`,
  )
  return { bank, logo: pictureFrom(row) }
}

/** The caller holds the lock of the organisation. */
export async function saveLetterhead(
  tx: Tx,
  organisationId: OrganisationId,
  { logo, bank }: Letterhead,
  now: Date,
): Promise<void> {
  const before = await tx.maybe<{ logoHash: string | null }>(
    sql`select logo_hash from letterheads where organisation_id = ${organisationId}`,
  )
  const logoHash = logo && (await keepLogo(tx, organisationId, logo))
  await tx.run(sql`
    insert into letterheads (organisation_id, logo_hash, bank, updated_at)
    values (${organisationId}, ${logoHash}, ${bank && JSON.stringify(bank)}::jsonb, ${now})
    on conflict (organisation_id) do update
      set logo_hash = excluded.logo_hash, bank = excluded.bank, updated_at = excluded.updated_at`)
  if (before?.logoHash && before.logoHash !== logoHash)
    await tx.run(sql`
      update logos set replaced_at = (select clock_timestamp()) where organisation_id = ${organisationId} and hash = ${before.logoHash}`)
  await dropReplacedLogos(tx, organisationId)
}

async function keepLogo(tx: Tx, organisationId: OrganisationId, { contentType, base64 }: Picture): Promise<string> {
  const bytes = Buffer.from(base64, 'base64')
  const logoHash = hash('sha256', bytes)
  await tx.run(sql`
    insert into logos (organisation_id, hash, content_type, bytes) values (${organisationId}, ${logoHash}, ${contentType}, ${bytes})
    on conflict (organisation_id, hash) do update set replaced_at = null`)
  return logoHash
}

/**
 * Deletes replaced logos that no issued document refers to. Waits a minute, for a document that is being issued and has
 * read which logo it will refer to. `for update`, because the rows may be deleted; `skip locked` skips a logo that a
 * document is about to refer to, instead of waiting for it.
 */
export async function dropReplacedLogos(tx: Tx, organisationId: OrganisationId): Promise<number> {
  const replaced = await tx.rows<{ hash: string }>(sql`
    select hash from logos
     where organisation_id = ${organisationId} and replaced_at < clock_timestamp() - interval '1 minute'
     order by replaced_at limit 100 for update skip locked`)
  let dropped = 0
  for (const { hash } of replaced) {
    if (await deleteLogo(tx, organisationId, hash)) dropped++
    else
      await tx.run(
        sql`update logos set replaced_at = null where organisation_id = ${organisationId} and hash = ${hash}`,
      )
  }
  return dropped
}

async function deleteLogo(tx: Tx, organisationId: OrganisationId, logoHash: string): Promise<boolean> {
  await tx.run(sql`savepoint before_delete`)
  try {
    await tx.run(sql`delete from logos where organisation_id = ${organisationId} and hash = ${logoHash}`)
    return true
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    await tx.run(sql`rollback to savepoint before_delete`)
    return false
  }
}

/** For the sweep, across organisations: those with logos to delete. */
export async function listOrganisationsWithReplacedLogos(db: Queryable, limit: number): Promise<OrganisationId[]> {
  const rows = await db.rows<{ organisationId: OrganisationId }>(sql`
    select distinct organisation_id from logos where replaced_at < clock_timestamp() - interval '1 minute' limit ${limit}`)
  return rows.map(({ organisationId }) => organisationId)
}
