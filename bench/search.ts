import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRuntime } from '../server/src/bin/runtime.ts'
import { readServiceConfig } from '../server/src/bin/service-config.ts'
import { systemCaller } from '../server/src/kernel/callers.ts'
import { newId, type OrganisationId } from '../server/src/kernel/ids.ts'
import { searchText, searchTextOf } from '../server/src/kernel/search-text.ts'
import { mintKey, presets } from '../server/src/modules/api-keys/index.ts'
import { foundOrganisation } from '../server/src/modules/foundings/index.ts'
import { insertPerson } from '../server/src/modules/people/index.ts'
import { openDatabase, type Queryable } from '../server/src/platform/database/database.ts'
import { sql } from '../server/src/platform/database/sql.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { operation } from '../server/src/platform/operations/operation.ts'
import { percentile, type Row } from './measure.ts'
import { buyerName, chance, itemName, pick } from './names.ts'
import { startRisiti } from './server-process.ts'

const seed = 20_260_731
const rounds = 400
const warmUp = 60
const large = { buyers: 100_000, items: 20_000 }
const small = { buyers: 1_000, items: 1_000 }

interface Shop {
  readonly key: string
  readonly buyerIds: readonly string[]
  readonly buyerNames: readonly string[]
  readonly itemNames: readonly string[]
}

async function insertBuyers(db: Queryable, organisationId: OrganisationId, names: readonly string[]) {
  const ids = names.map(() => newId())
  for (let from = 0; from < names.length; from += 5_000) {
    const rows = names.slice(from, from + 5_000).map((name, at) => {
      const taxId = `${String(20_000_000 + from + at)}-0001`
      return { id: ids[from + at], name, taxId, search: searchTextOf(name, taxId, taxId.replace('-', '')) }
    })
    await db.run(sql`
      insert into buyers (organisation_id, mode, id, name, party_type, tax_id, tax_id_normal, tax_id_type, search, created_at, updated_at)
      select ${organisationId}, 'sandbox', r.id, r.name, 'company', r."taxId", replace(r."taxId", '-', ''), 'national', r.search, now(), now()
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, name text, "taxId" text, search text)`)
  }
  return ids
}

async function insertItems(db: Queryable, organisationId: OrganisationId, names: readonly string[]) {
  for (let from = 0; from < names.length; from += 5_000) {
    const rows = names.slice(from, from + 5_000).map((name, at) => {
      const sku = `SKU-${from + at}`
      return { id: newId(), name, sku, uses: (from + at) % 97, search: searchTextOf(name, sku, '0101.21', '010121') }
    })
    await db.run(sql`
      insert into items (organisation_id, mode, id, name, item_type, hsn_code, product_category, unit_code, unit_price_minor, currency,
                         tax_category, sku, search, use_count, created_at, updated_at)
      select ${organisationId}, 'sandbox', r.id, r.name, 'goods', '0101.21', 'Goods', 'EA', 150000, 'NGN', 'STANDARD_VAT', r.sku, r.search, r.uses,
             now(), now()
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, name text, sku text, uses bigint, search text)`)
  }
}

/** Fills the service's database with a large and a small organisation. */
async function fill(home: string): Promise<{ large: Shop; small: Shop }> {
  const open = await openRuntime(readServiceConfig({ DATA_DIR: home, LOG_LEVEL: 'warn' }, []), silentLogger)
  const next = chance(seed)
  const found = operation({ needs: [], refuses: [] }, async (context) => {
    const founder = { id: newId<'user'>(), email: `${newId()}@bench.test` }
    const person = { ...founder, passwordHash: '', firstName: 'B', lastName: 'B', emailVerifiedAt: null }
    await insertPerson(context.tx, person, context.now)
    const organisationId = await foundOrganisation(context, founder, { name: 'Bench', country: 'NG' })
    const capabilities = { mode: 'sandbox', name: 'Bench', ownCapabilities: presets.full_integration } as const
    return { organisationId, key: (await mintKey(context, organisationId, { ...capabilities, createdBy: null })).key }
  })
  const shop = async (size: typeof large): Promise<Shop> => {
    const origin = { requestId: 'bench', address: '', userAgent: '' }
    const { organisationId, key } = await open.runner.run(found, { caller: systemCaller, origin, input: undefined })
    const buyerNames = Array.from({ length: size.buyers }, () => buyerName(next))
    const itemNames = Array.from({ length: size.items }, () => itemName(next))
    const buyerIds = await insertBuyers(open.runtime.db, organisationId, buyerNames)
    await insertItems(open.runtime.db, organisationId, itemNames)
    return { key, buyerIds, buyerNames, itemNames }
  }
  try {
    const shops = { large: await shop(large), small: await shop(small) }
    const owner = openDatabase({ connection: open.ownerConnection, poolSize: 1 })
    await owner.run(sql`analyze buyers, items`)
    await owner.end()
    return shops
  } finally {
    await open.close()
  }
}

/** A search word of at least three letters from a random name. Frequent words are drawn as often as they occur. */
function wordOf(names: readonly string[], next: () => number): string {
  const words = searchText(pick(names, next))
    .split(' ')
    .filter((word) => /^\p{L}{3,}$/u.test(word))
  return words.length > 0 ? pick(words, next) : wordOf(names, next)
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds until the complete reply. */
async function millisecondsOf(url: string, key: string): Promise<number> {
  const begun = performance.now()
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.on('end', () => resolve(response.statusCode)).resume()
    })
      .on('error', reject)
      .end()
  })
  if (status !== 200) throw new Error(`${url} answered ${status}`)
  return performance.now() - begun
}

/**
 * Searches by a word in a large organisation. The yardsticks are a read by id and the same search in a small
 * organisation. One request is in flight at a time.
 */
export async function benchSearch(say: (text: string) => void): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-bench-'))
  try {
    const shops = await fill(home)
    const risiti = await startRisiti(home)
    try {
      const next = chance(seed + 1)
      const buyers = ({ buyerNames }: Shop) => `buyers/search?q=${encodeURIComponent(wordOf(buyerNames, next))}`
      const items = ({ itemNames }: Shop) => `items?q=${encodeURIComponent(wordOf(itemNames, next))}`
      const kinds = {
        read: { shop: shops.large, path: ({ buyerIds }: Shop) => `buyers/${pick(buyerIds, next)}` },
        buyers: { shop: shops.large, path: buyers },
        items: { shop: shops.large, path: items },
        fewBuyers: { shop: shops.small, path: buyers },
        fewItems: { shop: shops.small, path: items },
      }
      const times = { read: [], buyers: [], items: [], fewBuyers: [], fewItems: [] } as Record<
        keyof typeof kinds,
        number[]
      >
      for (let round = -warmUp; round < rounds; round++)
        for (const [kind, { shop, path }] of Object.entries(kinds)) {
          const took = await millisecondsOf(`${risiti.url}/i/v1/${path(shop)}`, shop.key)
          if (round >= 0) times[kind as keyof typeof kinds].push(took)
        }
      const p95 = Object.fromEntries(Object.entries(times).map(([kind, all]) => [kind, percentile(all, 95)]))
      const p50 = Object.entries(times).map(([kind, all]) => `${kind} ${percentile(all, 50).toFixed(2)}`)
      say(`${rounds} requests of each, seed ${seed}; medians in ms: ${p50.join(', ')}.`)
      const row = (name: string, ours: number, yardstickName: string, yardstick: number, goal: number): Row => {
        return { name, unit: 'ms (p95)', ours, yardstick, yardstickName, goal, goalIs: 'at most' }
      }
      const figure = (kind: keyof typeof kinds) => p95[kind] as number
      const byId = 'GET /i/v1/buyers/{id}'
      return [
        row('GET /i/v1/buyers/search among 100,000', figure('buyers'), byId, figure('read'), 5),
        row('GET /i/v1/items?q= among 20,000', figure('items'), byId, figure('read'), 5),
        row('GET /i/v1/buyers/search among 100,000', figure('buyers'), 'among 1,000', figure('fewBuyers'), 2),
        row('GET /i/v1/items?q= among 20,000', figure('items'), 'among 1,000', figure('fewItems'), 2),
      ]
    } finally {
      await risiti.stop()
    }
  } finally {
    agent.destroy()
    await rm(home, { recursive: true, force: true })
  }
}
