import type { TableFacts } from './catalogue.ts'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { scopesOf } from './tenancy.ts'

/**
 * Where a table that belongs to no organisation would stand in a distributed PostgreSQL: a `reference` table has a copy beside every
 * shard and is read in joins with them; a `local` one stands on the coordinator alone. The others go with their organisation.
 */
export const placesOfTables: Readonly<Record<string, 'reference' | 'local'>> = {
  // Joined with rows of organisations, or the target of their foreign keys.
  organisations: 'reference',
  users: 'reference',
  code_lists: 'reference',
  event_era: 'reference',
  event_places: 'reference',
  // People sign in before we know for which organisation.
  sessions: 'local',
  refresh_tokens: 'local',
  known_devices: 'local',
  recovery_codes: 'local',
  registrations: 'local',
  one_time_codes: 'local',
  doors: 'local',
  // One for the whole service.
  free_credit_claims: 'local',
  network_lookups: 'local',
  provider_notifications: 'local',
  collection_notifications: 'local',
  collection_feeds: 'local',
  collection_strays: 'local',
  messages: 'local',
  mailbox: 'local',
  // Machinery that is claimed across organisations: there a lock on any row is one of one node.
  work: 'local',
  webhook_queue: 'local',
  webhook_batches: 'local',
  exchanges: 'local',
  auth_changes: 'local',
  authority_links: 'local',
  received_feeds: 'local',
  received_references: 'local',
  rate_windows: 'local',
  skipped_events: 'local',
  schema_migrations: 'local',
  secret_keys: 'local',
}

/** Unique indexes that would need a table of their own to look up whose row it is, which stands beside the shards. */
export const lookUpsToCome: readonly string[] = [
  'api_keys_id_key',
  'api_keys_key_hash_key',
  'billing_accounts_id_key',
  'invoice_shares_token_hash_key',
]

/** Sweeps that lock rows of several organisations in one statement; a distributed database would have them go organisation by organisation. */
export const locksAcross: Readonly<Record<string, string>> = {
  'server/src/modules/credits/credits.store.ts':
    'charges those who are written together; there, each would be written by itself',
  'server/src/modules/api-keys/api-keys.store.ts': 'tells of keys that time has ended',
  'server/src/modules/invoices/life/report-deadlines.store.ts': 'tells of documents whose time to be reported ends',
  'server/src/modules/organisations/invitations/invitations.store.ts': 'tells of invitations that time has ended',
  'server/src/modules/organisations/profile/letterheads.store.ts': 'drops the logos of one organisation at a time',
  'server/src/modules/webhooks/sending.store.ts': 'takes what waits in its queue, which is local',
  'server/src/modules/collection/hearing/notifications.store.ts': 'takes what waits in its queue, which is local',
  'server/src/modules/submissions/lane.store.ts': 'takes what is due from all organisations in turn',
}

export function checkPlaces(
  tables: readonly TableFacts[],
  places: Readonly<Record<string, string>>,
  lookUps: readonly string[],
): string[] {
  const scopes = scopesOf(tables)
  const isShared = ({ name }: TableFacts) => ['global', 'machinery'].includes(scopes.get(name) ?? 'global')
  const shared = tables.filter(isShared).map(({ name }) => name)
  const loose = tables
    .filter((table) => !isShared(table))
    .flatMap(({ uniqueIndexes }) => uniqueIndexes.filter(({ columns }) => columns[0] !== 'organisation_id'))
    .map(({ name }) => name)
  return [
    ...shared.filter((name) => !(name in places)).map((name) => `${name}: say where it stands, as reference or local`),
    ...Object.keys(places)
      .filter((name) => !shared.includes(name))
      .map((name) => `${name} goes with its organisation, or is no table`),
    ...loose
      .filter((name) => !lookUps.includes(name))
      .map((name) => `${name} is unique beyond one organisation, which no shard can hold`),
    ...lookUps.filter((name) => !loose.includes(name)).map((name) => `${name} needs no look-up`),
  ]
}

const isStore = (source: SourceFile): boolean =>
  isUnder('server/src')(source) && isCode(source) && !isTest(source) && source.path.endsWith('.store.ts')

/** What no distributed PostgreSQL does: places of rows, and locks on rows of whoever they belong to. */
export function checkStatements(tree: readonly SourceFile[], known: Readonly<Record<string, string>>): string[] {
  const stores = tree.filter(isStore)
  const isMachinery = ({ path }: SourceFile) => path.startsWith('server/src/platform/')
  const skipping = stores.filter((source) => !isMachinery(source) && /\bskip locked\b/.test(source.text))
  return [
    ...stores.filter(({ text }) => /\bctid\b/.test(text)).map(({ path }) => `${path} names ctid`),
    ...skipping.filter(({ path }) => !(path in known)).map(({ path }) => `${path} locks rows across organisations`),
    ...Object.keys(known)
      .filter((path) => !skipping.some((source) => source.path === path))
      .map((path) => `${path} locks nothing across organisations`),
  ]
}
