import pg from 'pg'
import { lockNumber } from './migrations.store.ts'

/**
 * The service has a role of its own that owns nothing. The role reads and writes rows, but cannot change a table, disable a trigger or
 * truncate a table. The owner of the tables applies migrations and then grants these rights.
 */

/** The service's role in the embedded database, where we create it ourselves. */
export const embeddedServiceRole = 'risiti_app'

/** Rows of these tables are never deleted. `test/structure` compares the list with the stores. */
export const neverDeleted: ReadonlySet<string> = new Set([
  'api_key_hashes',
  'api_keys',
  'authority_links',
  'billing_accounts',
  'bulk_job_items',
  'buyer_account_moves',
  'code_lists',
  'collection_differences',
  'collection_feeds',
  'collection_reconciliations',
  'collection_refunds',
  'collection_settled_transfers',
  'collection_settlements',
  'collection_strays',
  'collection_sub_accounts',
  'credit_balances',
  'credit_moves',
  'credit_pool_configs',
  'event_counts',
  'event_era',
  'event_cursors',
  'event_heads',
  'consumers',
  'consumer_cursors',
  'events',
  'exchange_rates',
  'free_credit_claims',
  'import_records',
  'invitations',
  'invoice_numbers',
  'invoice_parties',
  'invoice_payments',
  'letterheads',
  'number_series',
  'organisations',
  'payments',
  'received_feeds',
  'received_invoices',
  'received_payment_moves',
  'quote_versions',
  'quotes',
  'received_payments',
  'received_references',
  'received_suppliers',
  'recurring_schedules',
  'refresh_tokens',
  'reminder_buyers',
  'reminder_days',
  'reminder_holds',
  'reminder_plans',
  'roles',
  'schema_migrations',
  'secret_keys',
  'sent_reminders',
  'settlement_accounts',
  'skipped_events',
  'subscription_allocations',
  'subscription_periods',
  'submission_attempts',
  'submissions',
  'subscriptions',
  'tax_connections',
  'tax_moves',
  'tax_number_checks',
  'tax_reports',
  'tax_returns',
  'tax_transport_keys',
  'test_clocks',
  'users',
  'webhook_endpoints',
])

/**
 * Tables that the service only reads, never updates, or does not use itself. Tables whose triggers refuse every change are not listed.
 */
const narrower: Readonly<Record<string, readonly Right[]>> = {
  api_key_hashes: ['select', 'insert'],
  account_share_tokens: ['select', 'insert', 'delete'],
  event_era: ['select'],
  // Only on Citus, where a trigger writes it with the rights of the owner.
  in_two_phases: [],
  invoice_share_tokens: ['select', 'insert', 'delete'],
  schema_migrations: ['select'],
  secret_keys: ['select', 'insert'],
}

type Right = 'select' | 'insert' | 'update' | 'delete'

interface Table {
  readonly name: string
  readonly isView: boolean
  readonly isPartition: boolean
  readonly columns: readonly string[]
  /** what a trigger refuses anyway: no right is granted */
  readonly refusesDelete: boolean
  readonly refusesUpdate: boolean
  readonly frozenColumns: readonly string[]
}

/** bits of `pg_trigger.tgtype` */
const [deletes, updates] = [8, 16]

/** All our tables and views, and what their triggers refuse. */
const tablesOfOurs = `
  select c.relname::text as name, c.relkind = 'v' as "isView", c.relispartition as "isPartition",
         array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as columns,
         exists (select from refusing t where t.tgrelid = c.oid and t.tgtype & ${deletes} <> 0) as "refusesDelete",
         exists (select from refusing t where t.tgrelid = c.oid and t.tgtype & ${updates} <> 0 and t.tgattr = '') as "refusesUpdate",
         array(select attname::text from refusing t, unnest(t.tgattr) as number, pg_attribute a
                where t.tgrelid = c.oid and t.tgtype & ${updates} <> 0 and a.attrelid = c.oid and a.attnum = number) as "frozenColumns"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') order by c.relname`
const refusing = `
  select tgrelid, tgtype, tgattr from pg_trigger join pg_proc on pg_proc.oid = tgfoid
   where not tgisinternal and tgqual is null and proname like 'refuse_to_rewrite%'`

/** The rights to a table, in the words of GRANT. Partitions are accessed only through their table. */
function rightsTo(table: Table): string[] {
  if (table.isPartition) return []
  if (table.isView) return ['select']
  const narrow = narrower[table.name]
  if (narrow) return [...narrow]
  const changeable = table.columns.filter((column) => !table.frozenColumns.includes(column))
  const update = table.frozenColumns.length === 0 ? ['update'] : [`update (${changeable.map(quoted).join(', ')})`]
  return [
    'select',
    'insert',
    ...(table.refusesUpdate ? [] : update),
    ...(table.refusesDelete || neverDeleted.has(table.name) ? [] : ['delete']),
  ]
}

const quoted = (name: string): string => pg.escapeIdentifier(name)

/** Grants a role what the service needs on the present tables, and revokes all else. */
export async function grantRights(client: pg.Client, role: string): Promise<void> {
  const to = quoted(role)
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
    const { rows: tables } = await client.query<Table>(`with refusing as (${refusing}) ${tablesOfOurs}`)
    const grants = tables.flatMap((table) => {
      const rights = rightsTo(table)
      const name = `public.${quoted(table.name)}`
      return [
        `revoke all on ${name} from ${to}`,
        ...(rights.length > 0 ? [`grant ${rights.join(', ')} on ${name} to ${to}`] : []),
      ]
    })
    const whole = [
      `revoke create on schema public from ${to}`,
      `grant usage on schema public to ${to}`,
      `grant usage on all sequences in schema public to ${to}`,
      `grant execute on all functions in schema public to ${to}`,
    ]
    await client.query([...grants, ...whole].join(';\n'))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const withoutRights = Object.keys(narrower).filter((name) => narrower[name]?.length === 0)

/** Tables that the present role should read and cannot: rights were not granted yet, or a dump was loaded without them. */
export async function findClosedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and not relname = any ($1) and not has_table_privilege(oid, 'select') order by relname`,
    [withoutRights],
  )
  return rows.map(({ name }) => name)
}

export async function findRole(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ role: string }>('select current_user as role')
  return (rows as [{ role: string }])[0].role
}

/** Creates the service's role if we are a superuser. */
export async function makeServiceRole(client: pg.Client, role: string): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [lockNumber])
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
    if (rowCount === 0) await client.query(`create role ${quoted(role)} login`)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockNumber])
  }
}
