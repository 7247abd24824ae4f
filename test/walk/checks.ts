import { sql } from '../../server/src/platform/database/sql.ts'
import { brokenMoney } from '../harness/collection.ts'
import { identityFaults, shownIdentityFaults } from '../harness/invoice-identity.ts'
import { invoicesPath, ok } from '../harness/issued.ts'
import { ledgerFaults } from '../harness/ledger-faults.ts'
import { brokenInvariants } from '../harness/submission-invariants.ts'
import type { ShownDocument, World } from './world.ts'

/** Each fault is a sentence that begins with the name of its check. */
export type Faults = string[]

const counts = ({ status }: ShownDocument) => status !== 'draft' && status !== 'rejected'
const isCredit = ({ invoiceType }: ShownDocument) => invoiceType === 'credit_note'

interface Sums {
  count: number
  payableMinor: number
  taxMinor: number
  paidMinor: number
}

function summedBy(
  documents: readonly ShownDocument[],
  key: (one: ShownDocument) => string,
  sign: (one: ShownDocument) => number,
): Map<string, Sums> {
  const sums = new Map<string, Sums>()
  for (const one of documents) {
    const sum = sums.get(key(one)) ?? { count: 0, payableMinor: 0, taxMinor: 0, paidMinor: 0 }
    sum.count++
    sum.payableMinor += sign(one) * one.payableMinor
    sum.taxMinor += sign(one) * one.taxMinor
    sum.paidMinor += one.paidMinor
    sums.set(key(one), sum)
  }
  return sums
}

/** What was due before today and is not settled: whatever was settled belongs to the oldest instalments. */
function lateOf(
  {
    instalments,
    dueDate,
    dueMinor,
    payableMinor,
  }: Pick<ShownDocument, 'instalments' | 'dueDate' | 'dueMinor' | 'payableMinor'>,
  today: string,
): number {
  if (!instalments) return dueDate !== null && dueDate < today ? dueMinor : 0
  const dueByNow = instalments.filter((one) => one.dueDate < today).reduce((sum, one) => sum + one.amountMinor, 0)
  return Math.max(0, dueByNow - (payableMinor - dueMinor))
}

/** Statistics, overview and receivables must match the documents. */
async function figureFaults({ app, own }: World, documents: readonly ShownDocument[]): Promise<Faults> {
  const { token } = own
  const { groups } = ok(await app.a.get(`${invoicesPath}/statistics`, { token }))
  const overview = ok(await app.a.get('/i/v1/overview', { token }))
  const overdue = await app.a.get(`${invoicesPath}?overdue=true&limit=1`, { token })
  const faults: Faults = []
  const compare = (what: string, shown: unknown, reckoned: unknown) => {
    if (JSON.stringify(shown) !== JSON.stringify(reckoned))
      faults.push(`${what}: shows ${JSON.stringify(shown)}, the documents say ${JSON.stringify(reckoned)}`)
  }
  const byKey = (one: readonly [string, unknown], other: readonly [string, unknown]) => (one[0] < other[0] ? -1 : 1)
  compare(
    'statistics',
    groups
      .map((group: Sums & Record<'status' | 'invoiceType' | 'currency', string>) => [
        `${group.status} ${group.invoiceType} ${group.currency}`,
        [group.count, group.payableMinor, group.taxMinor, group.paidMinor],
      ])
      .sort(byKey),
    [
      ...summedBy(
        documents,
        ({ status, invoiceType, currency }) => `${status} ${invoiceType} ${currency}`,
        () => 1,
      ),
    ]
      .map(([key, sum]) => [key, [sum.count, sum.payableMinor, sum.taxMinor, sum.paidMinor]] as const)
      .sort(byKey),
  )
  const months = summedBy(
    documents.filter(counts),
    ({ invoiceDate, currency }) => `${invoiceDate.slice(0, 7)}-01 ${currency}`,
    (one) => (isCredit(one) ? -1 : 1),
  )
  compare(
    'overview',
    overview.months
      .map((one: { month: string; currency: string; invoicedMinor: number; taxMinor: number }) => [
        `${one.month} ${one.currency}`,
        [one.invoicedMinor, one.taxMinor],
      ])
      .sort(byKey),
    [...months].map(([key, { payableMinor, taxMinor }]) => [key, [payableMinor, taxMinor]] as const).sort(byKey),
  )
  const owed = documents.filter(
    (one) => counts(one) && !isCredit(one) && one.status !== 'cancelled' && one.dueMinor > 0,
  )
  const total = (rows: readonly { dueMinor: number }[]): number => rows.reduce((sum, row) => sum + row.dueMinor, 0)
  compare('receivables', total(overview.receivables), total(owed))
  const today = app.clock.now().toISOString().slice(0, 10)
  const isLate = (one: ShownDocument) => lateOf(one, today) > 0
  compare('late', owed.filter(isLate).length, overdue.body.meta.pagination.total)
  compare(
    'late amounts',
    total(overview.receivables.filter(({ age }: { age: string }) => age !== 'not_due')),
    owed.reduce((sum, one) => sum + lateOf(one, today), 0),
  )
  for (const { overdueMinor, overdue: isOverdue, invoiceNumber, ...one } of owed)
    compare(
      `overdue amount of ${invoiceNumber}`,
      [overdueMinor, isOverdue],
      [lateOf(one, today), lateOf(one, today) > 0],
    )
  return faults
}

/** Each document and its payment status must match the authority's record, registered once. */
async function authorityFaults({ app, own, authority }: World, documents: readonly ShownDocument[]): Promise<Faults> {
  const usual = authority.course
  authority.course = () => 'well'
  const known = app.runtime.ports.jurisdictions.authority('NG', 'sandbox')
  const references = await app.runtime.db.rows<{ invoiceId: string; reference: string; state: string }>(sql`
    select distinct on (invoice_id) invoice_id as "invoiceId", reference, state from submissions
     where organisation_id = ${own.organisationId} order by invoice_id, created_at desc, id desc`)
  const faults: Faults = []
  for (const { invoiceId, reference, state } of references) {
    const document = documents.find(({ id }) => id === invoiceId)
    if (!document) continue
    const { accepted } = app.authority.control.acceptancesOf(reference)
    const isRegistered = ['signed', 'transmitted', 'accepted'].includes(state)
    if (accepted > 1) faults.push(`registered twice: ${document.invoiceNumber}`)
    if (state === 'rejected' && accepted !== 0) faults.push(`rejected, and yet registered: ${document.invoiceNumber}`)
    if (!isRegistered) continue
    if (accepted !== 1) faults.push(`not registered: ${document.invoiceNumber}`)
    const answer = await known?.lookup(reference, AbortSignal.timeout(5_000))
    const reported = answer?.kind === 'found' ? answer.paymentStatus : answer?.kind
    const { paidMinor, dueMinor, paymentStatus } = document
    const isPart = paidMinor > 0 && dueMinor > 0
    const truth = isCredit(document) ? 'pending' : isPart ? 'partial' : paymentStatus === 'paid' ? 'paid' : 'pending'
    if (reported !== truth)
      faults.push(
        `payment status: ${document.invoiceNumber} is ${truth} (${paidMinor} paid, ${dueMinor} due), the authority says ${reported}`,
      )
  }
  authority.course = usual
  return faults
}

/** Received money is in exactly one balance, and reversed transfers are in none. */
async function moneyFaults({ app, own }: World): Promise<Faults> {
  const alive = await app.runtime.db.rows<{ reference: string }>(sql`
    select provider_reference as reference from received_payments
     where organisation_id = ${own.organisationId} and reversed_at is not null and refunded_minor <> amount_minor`)
  return [
    ...(await brokenMoney(app)).map((row) => `money: ${JSON.stringify(row)}`),
    ...alive.map(({ reference }) => `money: transfer ${reference} was taken back, and a part of it is still in use`),
  ]
}

/**
 * What the buyers of these documents owe. Payments on documents that do not count are credit, and so is a credit note
 * that counts although its invoice does not.
 */
function owedOn(documents: readonly ShownDocument[]): number {
  const counted = new Set(documents.filter(counts).map(({ id }) => id))
  const owed = (one: ShownDocument): number => {
    if (!counts(one)) return -one.paidMinor
    if (!isCredit(one)) return one.dueMinor - one.refundOwedMinor
    return counted.has(one.originalInvoiceId ?? '') ? 0 : -one.payableMinor
  }
  return documents.reduce((sum, one) => sum + owed(one), 0)
}

/** The statement of account of each buyer closes with what the documents say, and agrees with itself. */
async function accountFaults({ app, own, buyers }: World, documents: readonly ShownDocument[]): Promise<Faults> {
  const faults: Faults = []
  for (const buyerId of buyers) {
    const path = `/i/v1/buyers/${buyerId}/statement-of-account?from=2026-01-01&to=2027-12-31&limit=500`
    const shown = ok(await app.a.get(path, { token: own.token }))
    const { closingMinor, lines } = shown
    const { creditMinor, ...late } = shown.ages as Record<string, number>
    const owedMinor = owedOn(documents.filter((one) => one.buyerId === buyerId))
    if (closingMinor !== owedMinor) faults.push(`account: closes with ${closingMinor}, the documents say ${owedMinor}`)
    const balanceMinor = lines.at(-1)?.balanceMinor ?? 0
    const agedMinor = Object.values(late).reduce((sum, minor) => sum + minor, -(creditMinor ?? 0))
    if (balanceMinor !== closingMinor || agedMinor !== closingMinor)
      faults.push(`account: closes with ${closingMinor}, its lines with ${balanceMinor}, its ages with ${agedMinor}`)
  }
  return faults
}

/** Holds at every moment, so it is also checked before a step is finished. */
export const faultsAtOnce = async ({ app }: World): Promise<Faults> =>
  (await identityFaults(app.runtime.db)).map((fault) => `identity: ${fault}`)

/** Holds only when no work is in progress. */
export async function faultsAtRest(world: World): Promise<Faults> {
  const { app, own } = world
  const documents = await world.documents()
  return [
    ...world.faults.splice(0),
    ...(await faultsAtOnce(world)),
    ...(await shownIdentityFaults(app, own.token)).map((fault) => `identity: ${fault}`),
    ...(await figureFaults(world, documents)),
    ...(await accountFaults(world, documents)),
    ...(await authorityFaults(world, documents)),
    ...(await moneyFaults(world)),
    ...(await ledgerFaults(app.runtime.db)).map((fault) => `ledger: ${fault}`),
    ...Object.entries(await brokenInvariants(app.runtime.db)).map(([name, rows]) => `submissions: ${name} (${rows})`),
  ]
}
