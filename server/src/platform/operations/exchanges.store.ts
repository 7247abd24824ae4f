import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { CallOutcome } from './operation.ts'

export interface ExchangeRow {
  readonly id: string
  readonly name: string
  /** the kind of the caller, its tenant if it has one, and then the owner of its keys */
  readonly caller: Partial<Tenant> & { readonly keyHolderId?: OrganisationId | null }
  readonly intent: object
}

export async function insertExchange(
  tx: Tx,
  tenant: Tenant | undefined,
  row: ExchangeRow,
  lifeMs: number,
): Promise<void> {
  await tx.run(sql`
    insert into exchanges (id, name, organisation_id, mode, caller, intent, abandoned_after)
    values (${row.id}, ${row.name}, ${tenant?.organisationId ?? null}, ${tenant?.mode ?? null}, ${JSON.stringify(row.caller)}::jsonb,
            ${JSON.stringify(row.intent)}::jsonb, now() + ${lifeMs} * interval '1 millisecond')`)
}

const longestReason = 200
/** How long a sweep that claimed an exchange may take to inquire and settle it. */
const claimSeconds = 60

/**
 * Settles the exchange by writing its outcome, so that a sweep and a late process cannot both do it. Returns false if the exchange was
 * already settled.
 */
export async function takeExchange(tx: Tx, id: string, outcome: CallOutcome<unknown>): Promise<boolean> {
  const reason = outcome.kind === 'unknown' ? outcome.reason.slice(0, longestReason) : null
  const taken = await tx.run(sql`
    update exchanges set settled_at = now(), outcome = ${outcome.kind}, reason = ${reason}, abandoned_after = 'infinity'
     where id = ${id} and settled_at is null`)
  return taken === 1
}

/** Who received an answer: the process that called the outside party, or a sweep that inquired. */
export type AnsweredTo = 'process' | 'sweep'

/**
 * Records that a late answer came. The row stays locked until the transaction ends, so that two late answers do not settle at the same
 * time. Returns false if an answer is already known: an inquiry may be older than the answer to the process.
 */
export async function saveLate(tx: Tx, id: string, answered: AnsweredTo): Promise<boolean> {
  const saved = await tx.run(sql`
    update exchanges set late_at = now()
     where id = ${id} and (${answered}::text = 'process' or (outcome = 'unknown' and late_at is null))`)
  return saved === 1
}

/** Takes exchanges whose process must be dead. Moves their time forward so that two sweeps do not take the same one. */
export function claimAbandoned(db: Queryable, limit: number): Promise<ExchangeRow[]> {
  return db.rows(sql`
    update exchanges set abandoned_after = now() + ${claimSeconds} * interval '1 second'
     where id in (
       select id from exchanges where abandoned_after < now() and settled_at is null order by abandoned_after limit ${limit} for no key update skip locked)
    returning id, name, caller, intent`)
}
