import { expect } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from '../harness/app.ts'
import { seeded } from '../harness/chance.ts'
import type { Reply } from '../harness/client.ts'
import { collectionPath, ownBankAccount } from '../harness/collection.ts'
import { eventually } from '../harness/eventually.ts'
import { invoicesPath, ok } from '../harness/issued.ts'
import { type Reporter, reporter } from '../harness/reporters.ts'
import type { Course, Request, UnreliableAuthority } from './unreliable-authority.ts'

/** A document as form A shows it: the fields that the walk reads. */
export interface ShownDocument {
  readonly id: string
  readonly invoiceNumber: string
  readonly invoiceType: string
  readonly buyerId: string | null
  readonly invoiceDate: string
  readonly dueDate: string | null
  readonly status: string
  readonly currency: string
  readonly paymentStatus: string
  readonly netMinor: number
  readonly taxMinor: number
  readonly payableMinor: number
  readonly paidMinor: number
  readonly creditedMinor: number
  readonly dueMinor: number
  readonly refundOwedMinor: number
  readonly overdue: boolean
  readonly overdueMinor: number
  readonly instalments: readonly { readonly dueDate: string; readonly amountMinor: number }[] | null
  readonly originalInvoiceId: string | null
  readonly reporting: { readonly irn: string | null }
}

/** One organisation whose documents the walk changes. */
export interface World {
  readonly app: TestApp
  readonly own: Reporter
  readonly authority: UnreliableAuthority
  /** the steps so far, for the reader of a failure */
  readonly diary: string[]
  /** from 0 to below 1, the same for the same seed */
  chance(): number
  pick<One>(among: readonly One[]): One | undefined
  /** one of these documents, mostly of the current invoice, so that long lives occur */
  choose(among: readonly ShownDocument[]): ShownDocument | undefined
  /** every document, as the list shows it */
  documents(): Promise<ShownDocument[]>
  post(path: string, body?: object, form?: 'A' | 'B'): Promise<Reply>
  /** the virtual account of an invoice, opened on first use */
  accountOf(invoice: ShownDocument): Promise<string | undefined>
  /** the virtual account of the buyer of all documents */
  readonly buyersAccount: string
  /** the buyer of all documents, and one without documents */
  readonly buyers: readonly string[]
  /** faults that a step found itself; the next check reports them */
  readonly faults: string[]
  /** waits until all work in progress is finished */
  settled(): Promise<void>
}

/** How the first and later requests for a document end, in percent. */
const courses: Readonly<Record<Request, readonly (readonly [Course, number])[]>> = {
  sign: [
    ['refused', 24],
    ['reply_lost', 10],
    ['server_error', 6],
    ['not_sent', 5],
  ],
  lookup: [],
  transmit: [
    ['reply_lost', 8],
    ['server_error', 6],
  ],
  updatePaymentStatus: [
    ['reply_lost', 10],
    ['server_error', 10],
  ],
}
/** After this many failures of a document all requests succeed, so that every life ends. */
const mostTroubles = 4

function courseFrom(chance: () => number): UnreliableAuthority['course'] {
  const troubles = new Map<string, number>()
  return (request, reference) => {
    const before = troubles.get(reference) ?? 0
    if (before >= mostTroubles) return 'well'
    let drawn = chance() * 100
    for (const [course, share] of courses[request]) {
      drawn -= share
      if (drawn < 0) {
        troubles.set(reference, before + 1)
        return course
      }
    }
    return 'well'
  }
}

const pageSize = 100
/** Probability that the walk stays with the current invoice. */
const staying = 0.75

export async function newWorld(app: TestApp, authority: UnreliableAuthority, seed: number): Promise<World> {
  const chance = seeded(seed)
  authority.course = () => 'well'
  const own = await reporter(app)
  const { token, sellerId } = own
  const settlement = { sellerId, ...ownBankAccount }
  ok(await app.a.post(`${collectionPath}/settlement-accounts`, { token, body: settlement }), 201)
  const buyersAccount = {
    mode: 'persistent',
    jurisdiction: 'NG',
    sellerId,
    reference: `buyer-${seed}`,
    customer: { name: 'Chidi Stores' },
    buyerId: own.buyerId,
  }
  const { accountNumber } = ok(await app.a.post(`${collectionPath}/accounts`, { token, body: buyersAccount }), 201)
  const buyers = [own.buyerId, await own.life.buyer()]
  // Requests to the authority come in any order, so they have their own random sequence.
  authority.course = courseFrom(seeded(seed + 1))
  const accounts = new Map<string, string | undefined>()
  const pick: World['pick'] = (among) => among[Math.floor(chance() * among.length)]
  let busyWith: string | undefined
  const { db } = app.runtime

  const queuesAreEmpty = async () => {
    const unheard = await db.rows(sql`select id from collection_notifications where due_at is not null`)
    expect(unheard, 'notifications that nobody looks into').toEqual([])
    const undecided = await db.rows(sql`
      select id from submissions where organisation_id = ${own.organisationId} and state not in ('accepted', 'rejected') and failed_at is null`)
    expect(undecided, 'submissions that nobody decides').toEqual([])
    const unmatched = await db.rows(sql`
      select id from received_payments where organisation_id = ${own.organisationId} and matched_at is null and reversed_at is null`)
    expect(unmatched, 'transfers that nobody matches').toEqual([])
  }
  const isSettled = async () => {
    // Makes waiting retries due now.
    await db.run(
      sql`update jobs set due_at = now() where job = 'tell-payment' and given_up_at is null and due_at > now()`,
    )
    await app.bank.control.settled()
    // Before consumers and jobs are quiet, because these queues emit events, and after, because jobs fill them.
    await queuesAreEmpty()
    await app.quiet()
    await queuesAreEmpty()
    const retried = await db.rows(sql`select job from jobs where job = 'tell-payment' and given_up_at is null`)
    expect(retried, 'payments that were not reported to the authority').toEqual([])
  }

  return {
    app,
    own,
    authority,
    diary: [],
    buyersAccount: accountNumber,
    buyers,
    faults: [],
    chance,
    pick,
    choose: (among) => {
      const ofOne = among.filter(({ id, originalInvoiceId }) => (originalInvoiceId ?? id) === busyWith)
      const chosen = chance() < staying && ofOne.length > 0 ? pick(ofOne) : pick(among)
      if (chosen) busyWith = chosen.originalInvoiceId ?? chosen.id
      return chosen
    },
    documents: async () => {
      const reply = await app.a.get(`${invoicesPath}?limit=${pageSize}&sortBy=createdAt&sortOrder=ASC`, { token })
      const shown = ok(reply) as ShownDocument[]
      expect(reply.body.meta.pagination.total, 'one page holds all documents of a world').toBe(shown.length)
      return shown
    },
    post: (path, body, form = 'A') => app.client(form).post(path, { token, ...(body ? { body } : {}) }),
    accountOf: async (invoice) => {
      if (!accounts.has(invoice.id)) {
        const body = {
          mode: 'dynamic',
          jurisdiction: 'NG',
          sellerId,
          reference: invoice.id,
          customer: { name: 'Chidi Stores' },
          invoiceId: invoice.id,
          amount: Math.max(invoice.dueMinor, 1) / 100,
        }
        const opened = await app.a.post(`${collectionPath}/accounts`, { token, body })
        expect(opened.status, opened.text).toBeLessThan(500)
        accounts.set(invoice.id, opened.data?.accountNumber)
      }
      return accounts.get(invoice.id)
    },
    settled: () => eventually(isSettled),
  }
}
