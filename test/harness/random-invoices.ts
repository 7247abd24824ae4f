import { newId } from '../../server/src/kernel/ids.ts'
import { documentTypes } from '../../server/src/kernel/invoice-document.ts'
import { searchTextOf } from '../../server/src/kernel/search-text.ts'
import type { Tenant } from '../../server/src/kernel/tenant.ts'
import { invoiceStatuses } from '../../server/src/modules/invoices/index.ts'
import { deliveries } from '../../server/src/modules/invoices/invoice.ts'
import { codesOn } from '../../server/src/modules/invoices/stored-lines.ts'
import type { Queryable } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { emitChanges } from './follow-lists.ts'

export type Chance = () => number

/** A random number generator that returns the same numbers for the same seed. */
export function chance(seed: number): Chance {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32
  }
}
export const pick = <T>(next: Chance, from: readonly T[]): T => from[Math.floor(next() * from.length)] as T
const whole = (next: Chance, below: number): number => Math.floor(next() * below)

const names = [
  'Adébáyọ̀ Foods Ltd',
  'Adebayo Motors',
  'Zenith 100% Pure',
  'Under_score & Sons',
  'INV Traders',
  'Òjó',
  'ṢADÉ STORES',
  'Inc 20',
  'Jo',
  'Gone',
]

export interface World {
  readonly buyers: readonly { readonly id: string; readonly name: string; readonly taxId: string | null }[]
  readonly sellers: readonly string[]
  readonly creators: readonly string[]
}

/** Parties for invoices: some buyers have no tax number, one is archived, and the last is only on drafts. */
export async function makeWorld(db: Queryable, { organisationId, mode }: Tenant): Promise<World> {
  const buyers = names.map((name, at) => ({
    id: newId<'b'>(),
    name,
    taxId: at % 3 === 2 ? null : `2026${1000 + at}-000${at}`,
  }))
  for (const [at, { id, name, taxId }] of buyers.entries()) {
    const normal = taxId?.replace('-', '') ?? null
    await db.run(sql`
      insert into buyers (organisation_id, mode, id, name, legal_name, party_type, tax_id, tax_id_normal, tax_id_type, search, created_at, updated_at,
                          archived_at)
      values (${organisationId}, ${mode}, ${id}, ${name}, 'Legal Name Only', 'company', ${taxId}, ${normal}, 'national',
              ${searchTextOf(name, 'Legal Name Only', taxId, normal)}, now(), now(), ${at === 1 ? new Date() : null})`)
  }
  const sellers = [newId<'s'>(), newId<'s'>()]
  for (const id of sellers)
    await db.run(sql`
      insert into sellers (organisation_id, id, name, party_type, search, created_at, updated_at)
      values (${organisationId}, ${id}, 'Seller', 'company', 'seller', now(), now())`)
  return { buyers, sellers, creators: [newId<'c'>(), newId<'c'>()] }
}

const day = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 86_400_000).toISOString().slice(0, 10)

/** Instalments of equal amounts, at irregular times, for some of the documents that can have them. */
function instalmentsOf(next: Chance, type: string, payable: number, issue: number) {
  const count = 2 + whole(next, 4)
  if (type === 'credit_note' || payable < count || next() < 0.6) return null
  const share = Math.floor(payable / count)
  let due = issue
  return Array.from({ length: count }, (_, at) => {
    due += 1 + whole(next, 40)
    return { dueDate: day(due), amountMinor: String(at === 0 ? payable - share * (count - 1) : share) }
  })
}

/** The fields of an issued document that can still change. */
function standing(next: Chance, payable: number) {
  const credited = pick(next, [0, 0, whole(next, payable + 1), payable])
  return {
    status: pick(next, invoiceStatuses.slice(1)),
    paid_minor: pick(next, [0, 0, payable, payable - credited, whole(next, payable + 1)]),
    credited_minor: credited,
    delivery: pick(next, deliveries),
  }
}

function codesOf(next: Chance) {
  return Array.from({ length: 1 + whole(next, 3) }, () => {
    const code = pick(next, ['0101.21', '8471', '2203', null])
    return {
      hsnCode: code,
      serviceCode: code === null ? pick(next, ['S1', 'S2']) : null,
      productCategory: pick(next, ['Horses', 'Beer', 'Work', null]),
    }
  })
}

let made = 0

/** Inserts invoices in all states that the tables allow, spread over half a year. */
export async function insertRandomInvoices(
  db: Queryable,
  { organisationId, mode }: Tenant,
  world: World,
  count: number,
  next: Chance,
): Promise<string[]> {
  const ids: string[] = []
  const rows: object[] = []
  for (let at = 0; at < count; at++) {
    const id = newId<'invoice'>()
    const number = `${pick(next, ['INV', 'inv', 'CN', '2026', 'A%', 'B_'])}${String(++made).padStart(4, '0')}`
    const type = ids.length === 0 ? 'standard' : pick(next, documentTypes)
    const isDraft = next() < 0.3
    const payable = pick(next, [0, 100_000, 100_000, whole(next, 2_000), whole(next, 10_000_000)])
    const tax = pick(next, [0, Math.floor(payable / 10)])
    const created = new Date(Date.UTC(2026, 0, 1) + whole(next, 180) * 86_400_000 + whole(next, 4) * 1_000)
    const issue = Math.floor((created.getTime() - Date.UTC(2026, 0, 1)) / 86_400_000) + whole(next, 20) - 10
    const buyer = isDraft ? pick(next, [...world.buyers, undefined]) : pick(next, world.buyers.slice(0, -1))
    const [creatorType, creator] = pick(next, [
      ['user', world.creators[0]],
      ['api_key', world.creators[0]],
      ['api_key', world.creators[1]],
      ['system', null],
    ])
    const lines = codesOf(next)
    const instalments = instalmentsOf(next, type, payable, issue)
    const row = {
      id,
      number,
      type,
      currency: pick(next, ['NGN', 'NGN', 'USD', 'EUR']),
      issue_date: day(issue),
      due_date: instalments?.at(-1)?.dueDate ?? (next() < 0.3 ? null : day(issue + pick(next, [0, 14, 30]))),
      instalments,
      payable_minor: payable,
      tax_minor: tax,
      net_minor: payable - tax,
      declared_payment_status: pick(next, [null, null, 'unpaid', 'paid', 'partially_paid', 'payment_failed']),
      original_id: type === 'credit_note' || type === 'debit_note' ? pick(next, ids) : null,
      lines,
      // Older documents have no value in this column.
      codes_at_creation: next() < 0.5 ? null : codesOn(lines),
      buyer_id: buyer?.id ?? null,
      seller_id: isDraft && next() < 0.2 ? null : pick(next, world.sellers),
      buyer_copy:
        isDraft || next() < 0.1
          ? null
          : { name: next() < 0.1 ? `${buyer?.name} (formerly)` : buyer?.name, taxId: buyer?.taxId },
      authority_reference:
        isDraft || next() < 0.5 ? null : `${number.replace(/[^A-Za-z0-9]/g, '').toUpperCase()}-94ND90NR-20260101`,
      created_by_type: creatorType,
      created_by: creator,
      created_at: created,
      finalised_at: isDraft ? null : created,
      ...(isDraft ? { status: 'draft', paid_minor: 0, credited_minor: 0, delivery: 'none' } : standing(next, payable)),
    }
    ids.push(id)
    rows.push(row)
  }
  await db.run(sql`
    insert into invoices (organisation_id, mode, id, number, type, kind, status, seller_id, buyer_id, issue_date, due_date, instalments, currency, lines, codes_at_creation, tax_groups,
                          net_minor, allowance_minor, charge_minor, tax_minor, payable_minor, paid_minor, credited_minor, declared_payment_status,
                          original_id, buyer_copy, authority_reference, delivery, finalised_at, created_by_type, created_by, created_at, updated_at)
    select ${organisationId}, ${mode}, id, number, type, 'B2B', status, seller_id, buyer_id, issue_date, due_date, instalments, currency, lines, codes_at_creation, '[]', net_minor, 0,
           0, tax_minor, payable_minor, paid_minor, credited_minor, declared_payment_status, original_id, buyer_copy, authority_reference, delivery, finalised_at,
           created_by_type, created_by, created_at, created_at
      from jsonb_populate_recordset(null::invoices, ${JSON.stringify(rows)}::jsonb)`)
  await emitChanges(db, { organisationId, mode }, ids, 'invoice.created')
  return ids
}

const noteChange = (db: Queryable, tenant: Tenant, id: string) => emitChanges(db, tenant, [id])

/** Changes an invoice at random: pays, credits or sends it, or deletes a draft or changes its buyer. */
export async function changeAtRandom(
  db: Queryable,
  tenant: Tenant,
  world: World,
  id: string,
  next: Chance,
): Promise<void> {
  const { organisationId, mode } = tenant
  const found = await db.maybe<{ status: string; payableMinor: bigint }>(sql`
    select status, payable_minor from invoices where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}`)
  if (!found) return
  const isDraft = found.status === 'draft'
  const now = standing(next, Number(found.payableMinor))
  if (!isDraft)
    await db.run(sql`
      update invoices set status = ${now.status}, paid_minor = ${now.paid_minor}, credited_minor = ${now.credited_minor}, delivery = ${now.delivery}, version = version + 1
       where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}`)
  else if (next() < 0.5)
    await db.run(sql`
      delete from invoices i where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}
         and not exists (select 1 from invoices n where n.organisation_id = i.organisation_id and n.mode = i.mode and n.original_id = i.id)`)
  else
    await db.run(sql`
      update invoices set buyer_id = ${pick(next, world.buyers).id}, due_date = ${next() < 0.5 ? null : '2027-01-01'}, instalments = null, lines = ${JSON.stringify(codesOf(next))}::jsonb,
             version = version + 1
       where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}`)
  await noteChange(db, tenant, id)
}
