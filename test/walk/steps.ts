import { expect } from 'vitest'
import { retryPolicyOf } from '../../server/src/modules/submissions/state/retry-policy.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { Reply } from '../harness/client.ts'
import { collectionPath } from '../harness/collection.ts'
import { invoiceBody } from '../harness/invoices.ts'
import { invoicesPath, ok } from '../harness/issued.ts'
import type { ShownDocument, World } from './world.ts'

/**
 * An action of a person, buyer or bank, or the passing of time. Returns what it did, or `undefined` if no document
 * fits.
 */
export interface Step {
  readonly name: string
  /** relative frequency */
  readonly weight: number
  run(world: World, documents: readonly ShownDocument[]): Promise<string | undefined>
}

/** At any moment, the reply is a success or a clear refusal. */
function answered(reply: Reply): string {
  expect(reply.status, reply.text).toBeLessThan(500)
  return `${reply.status}${reply.status < 300 ? '' : ` ${reply.headers.get('risiti-reason')}`}`
}

const isNote = ({ invoiceType }: ShownDocument) => invoiceType === 'credit_note' || invoiceType === 'debit_note'
const isOwed = ({ invoiceType, status, dueMinor }: ShownDocument) =>
  invoiceType !== 'credit_note' && status !== 'draft' && status !== 'cancelled' && dueMinor > 0
const inStatus = (documents: readonly ShownDocument[], ...statuses: string[]) =>
  documents.filter(({ status }) => statuses.includes(status))
const line = { description: 'Bag of cement', hsnCode: '2523.29', unitCode: 'XBG', taxCategory: 'standard' }
/** A random part, from 1.00 up to the whole amount. */
const partOf = ({ chance }: World, minor: number): string =>
  (Math.max(1, chance() < 0.4 ? minor : Math.floor(chance() * minor)) / 100).toFixed(2)

/** POST to a path below one of these documents. */
const act =
  (action: string, among: (documents: readonly ShownDocument[]) => readonly ShownDocument[]): Step['run'] =>
  async ({ choose, post }, documents) => {
    const found = choose(among(documents))
    if (!found) return undefined
    return `${found.invoiceNumber}: ${answered(await post(`${invoicesPath}/${found.id}/${action}`))}`
  }

async function create(world: World): Promise<string> {
  const { own, chance, post } = world
  const form = chance() < 0.7 ? 'A' : 'B'
  const quantity = 1 + Math.floor(chance() * 4)
  const dueDate = chance() < 0.5 ? '2026-11-05' : '2026-12-02'
  const lineItems =
    form === 'A'
      ? [{ ...line, quantity, unitPrice: '4500.50' }]
      : [{ ...line, taxCategory: undefined, quantity, unitPrice: 4500.5, taxPercent: 7.5 }]
  const declared = form === 'B' && chance() < 0.25 ? { paymentStatus: 'paid' } : {}
  const percents = ['2026-11-04', '2026-11-10', '2026-12-02'].map((dueDate, at) => ({
    dueDate,
    percent: [20, 30, 50][at],
  }))
  const times = chance() < 0.3 ? { dueDate: undefined, instalments: percents } : { dueDate }
  const body = invoiceBody[form](own, { ...times, lineItems, ...declared })
  const { id, invoiceNumber } = ok(await post(invoicesPath, body, form), 201)
  if (chance() < 0.1) return `${invoiceNumber} as a draft`
  const finalised = answered(await post(`${invoicesPath}/${id}/finalise`))
  const wanted = chance() < 0.25 ? 'nothing' : 'submit'
  if (chance() < 0.2) answered(await post(`${invoicesPath}/${id}/share`))
  if (chance() < 0.2) answered(await post(`${invoicesPath}/${id}/payments`, { amount: '100.00', paidOn: '2026-11-14' }))
  const submitted = wanted === 'submit' ? answered(await post(`${invoicesPath}/${id}/submit`)) : 'not submitted'
  return `${invoiceNumber} form ${form}: finalise ${finalised}, submit ${submitted}`
}

async function note(world: World, documents: readonly ShownDocument[]): Promise<string | undefined> {
  const { choose, chance, post } = world
  const original = choose(documents.filter((one) => !isNote(one) && one.status !== 'draft'))
  if (!original) return undefined
  const kind = chance() < 0.75 ? 'credit-notes' : 'debit-notes'
  const whole = kind === 'credit-notes' && chance() < 0.3
  const amount = partOf(world, original.payableMinor)
  const body =
    kind === 'debit-notes'
      ? { reason: 'Freight', lineItems: [{ ...line, quantity: 1, unitPrice: '150.00' }] }
      : { reason: 'Returned', ...(whole ? {} : { amount }) }
  const made = await post(`${invoicesPath}/${original.id}/${kind}`, body)
  const said = `${kind} on ${original.invoiceNumber} (${whole ? 'whole' : amount}): ${answered(made)}`
  if (made.status !== 201 || chance() < 0.35) return `${said}, left as a draft`
  const finalised = answered(await post(`${invoicesPath}/${made.data.id}/finalise`))
  if (chance() < 0.3) return `${said}, finalise ${finalised}`
  return `${said}, finalise ${finalised}, submit ${answered(await post(`${invoicesPath}/${made.data.id}/submit`))}`
}

async function shrink({ app, own, choose }: World, documents: readonly ShownDocument[]): Promise<string | undefined> {
  const draft = choose(inStatus(documents, 'draft').filter(({ invoiceType }) => invoiceType === 'credit_note'))
  if (!draft) return undefined
  const lineItems = [{ ...line, quantity: 1, unitPrice: '100.00' }]
  const reply = await app.a.patch(`${invoicesPath}/${draft.id}`, { token: own.token, body: { lineItems } })
  return `${draft.invoiceNumber}: ${answered(reply)}`
}

async function remove({ app, own, choose }: World, documents: readonly ShownDocument[]): Promise<string | undefined> {
  const draft = choose(inStatus(documents, 'draft'))
  if (!draft) return undefined
  const reply = await app.a.delete(`${invoicesPath}/${draft.id}`, { token: own.token })
  return `${draft.invoiceNumber}: ${answered(reply)}`
}

async function pay(world: World, documents: readonly ShownDocument[]): Promise<string | undefined> {
  const invoice = world.choose(documents.filter(isOwed))
  if (!invoice) return undefined
  const amount = partOf(world, invoice.dueMinor)
  const body = { amount, paidOn: '2026-11-14' }
  return `${amount} on ${invoice.invoiceNumber}: ${answered(await world.post(`${invoicesPath}/${invoice.id}/payments`, body))}`
}

async function takeBackPayment(
  { app, own, pick, choose }: World,
  documents: readonly ShownDocument[],
): Promise<string | undefined> {
  const invoice = choose(documents.filter(({ paidMinor }) => paidMinor > 0))
  if (!invoice) return undefined
  const { token } = own
  const payments = ok(await app.a.get(`${invoicesPath}/${invoice.id}/payments`, { token })) as {
    id: string
    reversedAt: string | null
  }[]
  const payment = pick(payments.filter(({ reversedAt }) => reversedAt === null))
  if (!payment) return undefined
  const reply = await app.a.delete(`${invoicesPath}/${invoice.id}/payments/${payment.id}`, { token })
  return `${invoice.invoiceNumber}: ${answered(reply)}`
}

async function transfer(world: World, documents: readonly ShownDocument[]): Promise<string | undefined> {
  const { choose, chance, accountOf, app } = world
  const invoice = choose(documents.filter(isOwed))
  if (!invoice) return undefined
  const accountNumber = await accountOf(invoice)
  if (accountNumber === undefined) return undefined
  const more = chance() < 0.2 ? 5_000 : 0
  const amountMinor = Math.max(1, chance() < 0.5 ? invoice.dueMinor + more : Math.floor(chance() * invoice.dueMinor))
  app.bank.control.receive({ accountNumber, amountMinor, force: true })
  return `${amountMinor} minor units to the account of ${invoice.invoiceNumber}`
}

/** Into the account of the buyer: one transfer pays several invoices. */
async function transferOfBuyer(
  { app, chance, buyersAccount }: World,
  documents: readonly ShownDocument[],
): Promise<string | undefined> {
  const owed = documents.filter(isOwed).reduce((sum, { dueMinor }) => sum + dueMinor, 0)
  const amountMinor = Math.max(1_000, Math.floor((0.2 + chance()) * owed))
  app.bank.control.receive({ accountNumber: buyersAccount, amountMinor, force: true })
  return `${amountMinor} minor units, ${owed} are due`
}

interface ShownTransfer {
  readonly id: string
  readonly providerReference: string
  readonly amountMinor: number
  readonly refundedMinor: number
  readonly creditedMinor: number
  readonly unmatchedMinor: number
  readonly reversedAt: string | null
}
const transfers = async ({ app, own }: World): Promise<ShownTransfer[]> =>
  ok(await app.a.get(`${collectionPath}/payments?limit=100`, { token: own.token }))

async function reverse(world: World): Promise<string | undefined> {
  const found = world.pick((await transfers(world)).filter(({ reversedAt }) => reversedAt === null))
  if (!found) return undefined
  world.app.bank.control.reverse(found.providerReference)
  return found.providerReference
}

/** A person says whose money it is, or which invoice it pays. */
async function assign(world: World, documents: readonly ShownDocument[]): Promise<string | undefined> {
  const { pick, chance, post, buyers } = world
  const found = pick((await transfers(world)).filter((one) => one.unmatchedMinor + one.creditedMinor > 0))
  if (!found) return undefined
  const invoice = chance() < 0.4 ? pick(documents.filter(isOwed)) : undefined
  const body = invoice ? { invoiceId: invoice.id } : { buyerId: pick(buyers) }
  const reply = await post(`${collectionPath}/exceptions/${found.id}/resolve`, body)
  return `${found.providerReference} to ${invoice?.invoiceNumber ?? `buyer ${body.buyerId}`}: ${answered(reply)}`
}

interface OwedBack {
  readonly appliedMinor: number
  /** what its invoices owe back, at most the money that they have from it */
  readonly owedMinor: number
}
const owedBackOf = ({ app }: World, { id }: ShownTransfer): Promise<OwedBack> =>
  app.runtime.db.one(sql`
    select coalesce(sum(share), 0)::int as applied_minor, coalesce(sum(least(share, owed)), 0)::int as owed_minor
      from (select sum(p.amount_minor) as share,
                   (select greatest(i.paid_minor + i.credited_minor - i.payable_minor, 0) from invoices i where i.id = p.invoice_id) as owed
              from invoice_payments p
             where p.received_payment_id = ${id} and p.reversed_at is null group by p.invoice_id) as shares`)

async function refund(world: World): Promise<string | undefined> {
  const found = world.pick(
    (await transfers(world)).filter((one) => one.reversedAt === null && one.refundedMinor < one.amountMinor),
  )
  return found && (await refundOf(world, found))
}

/** Credits an invoice whose transfer also paid a later one, and refunds a part of the transfer. */
async function refundOneOfTwo(world: World): Promise<string | undefined> {
  const { app, own, pick, post } = world
  const found = pick(
    await app.runtime.db.rows<{ invoiceId: string; transferId: string }>(sql`
      select p.invoice_id, p.received_payment_id as transfer_id from invoice_payments p
       where p.organisation_id = ${own.organisationId} and p.reversed_at is null and exists (
         select from invoice_payments q
          where q.received_payment_id = p.received_payment_id and q.reversed_at is null and q.invoice_id <> p.invoice_id and q.id > p.id)
       order by p.id`),
  )
  const transferred = (await transfers(world)).find(({ id }) => id === found?.transferId)
  if (!found || !transferred) return undefined
  const note = await post(`${invoicesPath}/${found.invoiceId}/credit-notes`, { reason: 'Returned' })
  const said = `credit note ${answered(note)}`
  if (note.status !== 201) return said
  const finalised = answered(await post(`${invoicesPath}/${note.data.id}/finalise`))
  return `${said}, finalise ${finalised}, ${await refundOf(world, transferred)}`
}

async function refundOf(world: World, found: ShownTransfer): Promise<string> {
  const { chance, app, post } = world
  const bank = chance() < 0.45 ? 'away' : chance() < 0.3 ? 'refuses' : 'well'
  app.bank.control.behave({ outage: bank === 'away', refusesRefunds: bank === 'refuses' })
  const amount = partOf(world, found.amountMinor - found.refundedMinor)
  const before = await owedBackOf(world, found)
  const reply = await post(`${collectionPath}/payments/${found.id}/refund`, { amount })
  const after = await owedBackOf(world, found)
  const takenMinor = before.appliedMinor - after.appliedMinor
  const leftMinor = before.owedMinor - Math.min(before.owedMinor, takenMinor)
  if (bank !== 'refuses' && after.owedMinor !== leftMinor)
    world.faults.push(
      `refund: took ${takenMinor} off invoices that owed ${before.owedMinor} back, and ${after.owedMinor} is still owed`,
    )
  app.bank.control.behave({})
  return `${amount} of ${found.providerReference}, the bank ${bank}: ${answered(reply)}`
}

/** The bank may have changed the refund's status since. */
async function followRefunds({ app, own, chance }: World): Promise<string | undefined> {
  const pending = await app.runtime.db.rows(sql`
    select id from collection_refunds where organisation_id = ${own.organisationId} and state = 'pending'`)
  if (pending.length === 0) return undefined
  const refusesRefunds = chance() < 0.4
  app.bank.control.behave({ refusesRefunds })
  const now = app.clock.now()
  app.clock.set(new Date(now.getTime() + 10 * 60_000))
  await app.runJob('sweep-collection')
  app.clock.set(now)
  app.bank.control.behave({})
  return refusesRefunds ? 'the bank refuses' : 'the bank pays'
}

async function cancel({ choose, post }: World, documents: readonly ShownDocument[]): Promise<string | undefined> {
  const invoice = choose(inStatus(documents, 'accepted').filter((one) => !isNote(one)))
  if (!invoice) return undefined
  const reply = await post(`${invoicesPath}/${invoice.id}/cancel`, { reason: 'Never delivered' })
  return `${invoice.invoiceNumber}: ${answered(reply)}`
}

/** Corrects a rejected or finalised document and issues it again. */
async function reissue(world: World, documents: readonly ShownDocument[]): Promise<string | undefined> {
  const { app, own, choose, chance, post } = world
  const refused = choose(inStatus(documents, 'rejected')) ?? choose(inStatus(documents, 'finalised'))
  if (!refused) return undefined
  const below = (action: string) => post(`${invoicesPath}/${refused.id}/${action}`)
  const reopened = await below('reopen')
  const said = `${refused.invoiceNumber}: reopen ${answered(reopened)}`
  if (reopened.status !== 200) return said
  const lineItems = [{ ...line, quantity: 1, unitPrice: chance() < 0.5 ? '100.00' : '4000.00' }]
  const change = chance() < 0.5 ? { lineItems } : { notes: 'Mended' }
  const changed = answered(await app.a.patch(`${invoicesPath}/${refused.id}`, { token: own.token, body: change }))
  if (chance() < 0.2) return `${said}, change ${changed}, left as a draft`
  const finalised = answered(await below('finalise'))
  return `${said}, change ${changed}, finalise ${finalised}, submit ${answered(await below('submit'))}`
}

/** The invoice is paid at submission, but no longer when the authority receives it. */
async function paidForAMoment(world: World, documents: readonly ShownDocument[]): Promise<string | undefined> {
  const { app, own, choose, post, authority } = world
  const found = choose(inStatus(documents, 'finalised').filter(isOwed))
  if (!found) return undefined
  const below = `${invoicesPath}/${found.id}`
  const paid = await post(`${below}/payments`, { amount: (found.dueMinor / 100).toFixed(2), paidOn: '2026-11-14' })
  if (paid.status !== 201) return `${found.invoiceNumber}: ${answered(paid)}`
  const usual = authority.course
  authority.course = () => 'not_sent'
  const submitted = answered(await post(`${below}/submit`))
  const back = await app.a.delete(`${below}/payments/${paid.data.payment.id}`, { token: own.token })
  authority.course = usual
  return `${found.invoiceNumber}: submit ${submitted}, payment taken back ${answered(back)}`
}

/** The authority is silent until the submission fails. */
async function giveUp(world: World, documents: readonly ShownDocument[]): Promise<string | undefined> {
  const { app, own, choose, post, authority } = world
  const found = choose(inStatus(documents, 'finalised'))
  if (!found) return undefined
  const usual = authority.course
  const isRegistered = world.chance() < 0.5
  authority.course = (request) => (request === 'sign' ? (isRegistered ? 'reply_lost' : 'server_error') : 'server_error')
  const said = answered(await post(`${invoicesPath}/${found.id}/submit`))
  const { mostTries } = retryPolicyOf('sandbox', app.runtime.settings)
  await app.runtime.db.run(sql`
    update submissions set tries = ${mostTries - 1} where invoice_id = ${found.id} and failed_at is null and state not in ('accepted', 'rejected')`)
  if (said.startsWith('202')) await own.until(found.id, 'failed')
  authority.course = usual
  return `${found.invoiceNumber}: ${said}, ${isRegistered ? 'and the authority has it' : 'and the authority does not have it'}`
}

/**
 * Requests a cancellation whose credit note the authority rejects, then issues the credit note again, often for less.
 */
async function cancelRefused(world: World, documents: readonly ShownDocument[]): Promise<string | undefined> {
  const { authority, choose, post, own } = world
  const invoice = choose(inStatus(documents, 'accepted').filter((one) => !isNote(one)))
  if (!invoice) return undefined
  const usual = authority.course
  authority.course = (request, reference) => (request === 'sign' ? 'refused' : usual(request, reference))
  const said = answered(await post(`${invoicesPath}/${invoice.id}/cancel`, { reason: 'Never delivered' }))
  if (said.startsWith('202')) await own.until(invoice.id, 'accepted')
  authority.course = usual
  const notes = (await world.documents()).filter(({ originalInvoiceId }) => originalInvoiceId === invoice.id)
  const again = await reissue(world, inStatus(notes, 'rejected'))
  return `${invoice.invoiceNumber}: ${said}${again === undefined ? '' : `, then ${again}`}`
}

export const steps: readonly Step[] = [
  { name: 'create', weight: 5, run: create },
  { name: 'finalise', weight: 4, run: act('finalise', (all) => inStatus(all, 'draft')) },
  { name: 'submit', weight: 5, run: act('submit', (all) => inStatus(all, 'finalised')) },
  { name: 'credit or debit note', weight: 9, run: note },
  { name: 'make a draft note smaller', weight: 3, run: shrink },
  { name: 'delete a draft', weight: 3, run: remove },
  { name: 'record a payment', weight: 6, run: pay },
  { name: 'take a payment back', weight: 3, run: takeBackPayment },
  { name: 'transfer', weight: 6, run: transfer },
  { name: 'transfer of the buyer', weight: 4, run: transferOfBuyer },
  { name: 'assign a payment', weight: 3, run: assign },
  { name: 'the bank takes a transfer back', weight: 4, run: reverse },
  { name: 'refund', weight: 5, run: refund },
  { name: 'refund one of two', weight: 3, run: refundOneOfTwo },
  { name: 'follow refunds', weight: 4, run: followRefunds },
  { name: 'cancel', weight: 8, run: cancel },
  { name: 'cancel in vain', weight: 3, run: cancelRefused },
  { name: 'reopen and issue again', weight: 8, run: reissue },
  { name: 'paid for a moment', weight: 3, run: paidForAMoment },
  { name: 'no answer', weight: 2, run: giveUp },
  { name: 'retry', weight: 3, run: act('retry', (all) => inStatus(all, 'failed')) },
  {
    name: 'ask the authority',
    weight: 3,
    run: act('query-status', (all) => all.filter(({ status }) => status !== 'draft')),
  },
]

/** The steps that a walk prefers, so that each kind of long life occurs. */
export const themes: readonly (readonly string[])[] = [
  [
    'credit or debit note',
    'cancel',
    'cancel in vain',
    'reopen and issue again',
    'make a draft note smaller',
    'delete a draft',
  ],
  [
    'transfer',
    'transfer of the buyer',
    'assign a payment',
    'refund',
    'refund one of two',
    'the bank takes a transfer back',
    'follow refunds',
  ],
  ['record a payment', 'take a payment back', 'paid for a moment', 'credit or debit note', 'create'],
]
const preference = 4
const mostTries = 50

/** Runs the next step that finds a document, and returns what it did. */
export async function takeStep(world: World, theme: readonly string[]): Promise<string> {
  const weights = steps.map(({ name, weight }) => weight * (theme.includes(name) ? preference : 1))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const documents = await world.documents()
  if (documents.length === 0) return `create: ${await create(world)}`
  for (let tries = 0; tries < mostTries; tries++) {
    let drawn = world.chance() * all
    const at = weights.findIndex((weight) => {
      drawn -= weight
      return drawn < 0
    })
    const step = steps[at] as Step
    const done = await step.run(world, documents)
    if (done !== undefined) return `${step.name}: ${done}`
  }
  return `create: ${await create(world)}`
}
