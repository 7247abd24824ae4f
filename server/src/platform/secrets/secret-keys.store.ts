import type { Queryable } from '../database/database.ts'
import { identifier, sql } from '../database/sql.ts'
import { KeyFileProblem } from './key-file.ts'
import type { SealedPlace, Vault } from './secrets.ts'

/**
 * Compares the key file with the fingerprints in this database. The file of another installation, or one from before a rotation, is refused
 * before it can seal values that the right file could not open.
 */
export async function checkKeyFile(db: Queryable, vault: Vault): Promise<void> {
  const ours = vault.fingerprints()
  await compareKeys(db, ours)
  // Only now: the keys of a wrong file must not be recorded, or the right file would be refused for lacking them.
  await db.run(sql`
    insert into secret_keys (key_id, fingerprint)
    select * from unnest(${[...ours.keys()]}::text[], ${[...ours.values()]}::text[]) on conflict (key_id) do nothing`)
  // Checked again, because another node may have recorded its keys at the same moment.
  await compareKeys(db, ours)
}

async function compareKeys(db: Queryable, ours: ReadonlyMap<string, string>): Promise<void> {
  const seen = await db.rows<{ keyId: string; fingerprint: string }>(
    sql`select key_id, fingerprint from secret_keys order by key_id`,
  )
  const wrong = seen
    .filter((row) => ours.has(row.keyId) && ours.get(row.keyId) !== row.fingerprint)
    .map((row) => row.keyId)
  const missing = seen.filter((row) => !ours.has(row.keyId)).map((row) => row.keyId)
  if (wrong.length > 0)
    throw new KeyFileProblem(
      `the key file belongs to another database (key ${wrong.join(', ')} differs); point SECRETS_FILE at the right one`,
    )
  if (missing.length > 0)
    throw new KeyFileProblem(
      `the key file lacks ${missing.join(', ')}, which this database was sealed with; restore the newest key file`,
    )
}

/** A sealed column, so that a rotation can move its values to the active key. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  readonly place: (id: string) => SealedPlace
}

export interface SealedValue {
  readonly id: string
  readonly sealed: string
}

/** Up to `limit` values of a column that another key than the active one sealed, in the order of their ids, after a given one. */
export function listToReseal(
  db: Queryable,
  vault: Vault,
  { table, column }: SealedColumn,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<SealedValue[]> {
  const [from, what] = [identifier(table), identifier(column)]
  return db.rows(sql`
    select id::text as id, ${what} as sealed from ${from}
     where ${what} not like ${`v1.${vault.signingKeyId}.%`} and id::text collate "C" > ${after ?? ''}
     order by id::text collate "C" limit ${limit}`)
}

/** Seals a value again with the active key. */
export async function reseal(
  db: Queryable,
  vault: Vault,
  { table, column, place }: SealedColumn,
  { id, sealed }: SealedValue,
): Promise<void> {
  const [from, what] = [identifier(table), identifier(column)]
  const anew = vault.seal(vault.open(sealed, place(id)), place(id))
  // Only if the value was not changed meanwhile.
  await db.run(sql`update ${from} set ${what} = ${anew} where id = ${id} and ${what} = ${sealed}`)
}
