import { isDeepStrictEqual } from 'node:util'
import type { Jurisdiction } from '../../../jurisdictions/port.ts'
import type { TokenCaller } from '../../../kernel/callers.ts'
import { type Decimal, decimalText, parseDecimal } from '../../../kernel/decimal.ts'
import { taxDay } from '../../../kernel/invoice-document.ts'
import { majorOf } from '../../../kernel/money-words.ts'
import { type Fault, invalid, refuse } from '../../../kernel/refusals.ts'
import { sentAgain } from '../../../kernel/resolve-instalments.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import {
  type Inside,
  type Outside,
  operation,
  type PlannedWrite,
  statement,
} from '../../../platform/operations/operation.ts'
import { usesOf } from '../../items/index.ts'
import { jurisdictionOf } from '../../reference/index.ts'
import { rateKey } from '../amounts/totals.ts'
import { changeInvoices, type InvoiceChange } from '../change-invoices.store.ts'
import { fittedToRest } from '../crediting/fitted-to-rest.ts'
import type { Invoice, InvoiceId, InvoiceLine } from '../invoice.ts'
import { contentFields, type InvoiceField } from '../invoice-columns.ts'
import { emitInvoiceEvent, newInvoiceEvent } from '../invoice-events.ts'
import { deleteInvoice, findInvoice, findToChange, itemsOf, saveItems } from '../invoices.store.ts'
import { type LockedInvoice, lockOwnInvoice, writeLocked } from '../lock-invoice.ts'
import { amountsOf, writtenOf } from '../new-draft.ts'
import { normalisedNumber } from '../numbers.ts'
import { deleteShare } from '../shares.store.ts'
import { type CompletionContext, partiesFor } from './complete-draft.ts'
import type { DraftChange, LineInput } from './draft.ts'
import { numberFor } from './number-for.ts'
import { itemsFor } from './plan-invoice.ts'
import { resolveDraft } from './resolve-draft.ts'

/** An unchanged line as input. A legal rate follows the law to the new day; a rate that was sent stays. */
function again(line: InvoiceLine, currency: string, before: string, jurisdiction: Jurisdiction): LineInput {
  const lawful = parseDecimal(jurisdiction.taxRateOn(line.taxCategory, before) ?? '')
  const { taxCategory, taxRate, itemId, discountMinor, feeMinor, ...rest } = line
  const isLawful = lawful !== undefined && rateKey(lawful) === rateKey(taxRate)
  return {
    ...rest,
    isKept: true,
    discount: majorOf(discountMinor, currency),
    fee: majorOf(feeMinor, currency),
    ...(itemId === null ? {} : { itemId }),
    ...(isLawful ? { taxCategory } : { taxPercent: taxRate }),
  }
}

/** Where a change is planned: in a transaction, which locks parties and items, or before it. */
type UpdateContext = CompletionContext & Pick<Outside<TokenCaller>, 'ports' | 'now'>

const given = <T>(change: T | undefined, before: T): T => (change === undefined ? before : change)

/** The instalments of a draft follow its new total and dates, unless others are sent. They decide the due date. */
function paymentTimes(change: DraftChange, before: Invoice): Pick<DraftChange, 'instalments' | 'dueDate'> {
  if (change.dueDate === null && change.instalments === undefined && before.instalments)
    throw invalid([
      {
        path: 'dueDate',
        rule: 'instalments',
        message: 'cannot be removed: the last instalment is due on this day. Send null as instalments to remove both',
      },
    ])
  const instalments =
    change.instalments === undefined && before.instalments
      ? sentAgain(before.instalments, (minor) => majorOf(minor, before.currency))
      : change.instalments
  return { instalments, dueDate: instalments ? change.dueDate : given(change.dueDate, before.dueDate) }
}

/** A rate belongs to a currency. */
function rateAfter({ exchangeRate, currency }: DraftChange, before: Invoice): Decimal | null {
  if (exchangeRate !== undefined) return exchangeRate
  const isKept = before.exchangeRate !== null && (currency ?? before.currency) === before.currency
  return isKept ? (parseDecimal(before.exchangeRate as string) ?? null) : null
}

/** The changed draft before its parties are checked. Its amounts are calculated again. */
async function changed(
  context: UpdateContext,
  { invoice: before, original }: LockedInvoice,
  change: DraftChange,
): Promise<Invoice> {
  const { caller, ports } = context
  const jurisdiction = jurisdictionOf(ports, caller)
  const issueDate = change.issueDate ?? before.issueDate
  const fields = {
    kind: change.kind,
    number: change.number,
    type: before.type,
    originalNumber: before.originalNumber ?? undefined,
    issueDate,
    ...paymentTimes(change, before),
    supplyDate: given(change.supplyDate, before.supplyDate),
    currency: change.currency ?? before.currency,
    exchangeRate: rateAfter(change, before),
    allowance: given(change.allowance, majorOf(before.allowanceMinor, before.currency)) ?? undefined,
    charge: given(change.charge, majorOf(before.chargeMinor, before.currency)) ?? undefined,
    ...writtenOf(change, before),
  }
  // A note has the tax rates of its original.
  const taxedOn = original && taxDay(original)
  const sent =
    change.lines ?? before.lines.map((line) => again(line, before.currency, taxDay(original ?? before), jurisdiction))
  const items = await itemsFor(context, sent, itemsOf(before))
  const { lines, totals, instalments, dueDate } = resolveDraft(
    { ...fields, taxedOn, lines: sent },
    { jurisdiction, codeLists: ports.codeLists, items },
  )
  const isSameSum =
    isDeepStrictEqual(lines, before.lines) && totals.payableMinor + before.roundingMinor === before.payableMinor
  const roundingMinor = isSameSum ? before.roundingMinor : 0n
  return {
    ...before,
    kind: change.kind ?? before.kind,
    number: change.number ?? before.number,
    issueDate,
    issueTime: given(change.issueTime, before.issueTime),
    dueDate,
    instalments,
    supplyDate: fields.supplyDate,
    currency: fields.currency,
    exchangeRate: fields.exchangeRate ? decimalText(fields.exchangeRate) : null,
    declaredPaymentStatus: given(change.declaredPaymentStatus, before.declaredPaymentStatus),
    ...amountsOf(lines, totals, roundingMinor),
    ...writtenOf(change, before),
  }
}

/** The parties that a change names, and the kind that follows from another buyer. */
async function partiesOf(
  context: UpdateContext,
  { invoice: before, original }: LockedInvoice,
  { buyerId, sellerId, primarySellerOnly, kindFollowsBuyer }: DraftChange,
): Promise<Partial<Invoice>> {
  const isSameBuyer = buyerId === undefined || buyerId === before.buyerId
  if (isSameBuyer && sellerId === undefined) return {}
  const { kindsByBuyer: kinds } = jurisdictionOf(context.ports, context.caller)
  const wanted = {
    kind: '',
    kinds,
    buyerId: isSameBuyer ? null : buyerId,
    sellerId: sellerId ?? null,
    primarySellerOnly: primarySellerOnly ?? false,
  }
  const found = await partiesFor(context, wanted, original)
  const { buyerName, buyerTaxId, draftKind } = found
  return {
    ...(sellerId === undefined ? {} : { sellerId: found.sellerId }),
    ...(isSameBuyer ? {} : { buyerId, buyerName, buyerTaxId }),
    ...(kindFollowsBuyer && !isSameBuyer ? { kind: draftKind } : {}),
  }
}

export interface DraftUpdate {
  readonly id: InvoiceId
  readonly change: DraftChange
  /** the version that the caller read, if the caller sent it */
  readonly expectedVersion: number | undefined
}

/** The requested draft, or a refusal. It may equal the current one. */
async function asAsked(context: UpdateContext, locked: LockedInvoice, update: DraftUpdate): Promise<Invoice> {
  const { invoice: before, original } = locked
  const { change, expectedVersion } = update
  if (expectedVersion !== undefined && expectedVersion !== before.version) throw refuse('version.stale')
  if (before.status !== 'draft') throw refuse('invoice.edit.not_draft')
  if (change.isBuyerFixed && !before.submittedAt && given(change.buyerId, before.buyerId) !== before.buyerId)
    throw invalid([
      {
        path: 'buyerId',
        rule: 'immutable',
        message: 'can be changed only after the tax authority has rejected the invoice',
      },
    ])
  const asked: Invoice = {
    ...(await changed(context, locked, change)),
    ...(await partiesOf(context, locked, change)),
  }
  const fixed = faultsOfFixed(before, asked)
  if (fixed.length > 0) throw invalid(fixed)
  if (original && original.currency !== asked.currency && !isDeepStrictEqual(asked, before))
    throw invalid([{ path: 'currency', rule: 'original', message: `must be ${original.currency}, as on the original` }])
  return asked
}

/** The event's data about a change. */
function changePayload(before: Invoice, after: Invoice) {
  const known = new Set(itemsOf(before))
  const names = Object.keys(after) as (keyof Invoice)[]
  return {
    changed: names.filter((name) => !isDeepStrictEqual(after[name], before[name])),
    itemUses: usesOf(itemsOf(after).filter((item) => !known.has(item))),
  }
}

interface UpdatePlan extends InvoiceChange {
  readonly update: DraftUpdate
  /** the fields that change; none if the draft already is as requested */
  readonly changed: readonly (keyof Invoice)[]
}

/** Recipients of an earlier version belong to the former buyer: a version for another buyer is not for them. */
const withoutFormerRecipients = (before: Invoice, asked: Invoice): Invoice =>
  asked.buyerId === before.buyerId ? asked : { ...asked, sentAt: null, sharedAt: null }

async function planUpdate(context: UpdateContext, update: DraftUpdate): Promise<UpdatePlan> {
  const { db, caller, now } = context
  const { tenant } = caller
  const before = await findToChange(db, tenant, update.id)
  if (!before) throw refuse('resource.not_found')
  const original = before.originalId === null ? undefined : await findInvoice(db, tenant, before.originalId)
  const asked = withoutFormerRecipients(before, await asAsked(context, { invoice: before, original }, update))
  const isFitted = original && asked.type === 'credit_note' && !isDeepStrictEqual(asked, before)
  const fitted = isFitted ? await fittedToRest(db, tenant, original, asked) : asked
  const after = { ...fitted, updatedAt: now, version: before.version + 1 }
  const payload = changePayload(before, fitted)
  return {
    update,
    before,
    after,
    changed: payload.changed,
    events: [newInvoiceEvent(caller, 'invoice.updated', after, payload)],
  }
}

const isRenumbered = ({ before, after }: UpdatePlan): boolean =>
  normalisedNumber(after.number) !== normalisedNumber(before.number)

/**
 * An empty change is not written. Notes depend on their originals, and numbers, parties and items have their own
 * rows: these use the fallback.
 */
const updateFitsStatement = (plan: UpdatePlan): boolean => {
  const { before, after, changed } = plan
  return (
    changed.length > 0 &&
    before.originalId === null &&
    !isRenumbered(plan) &&
    after.buyerId === before.buyerId &&
    after.sellerId === before.sellerId &&
    itemsOf(before).length + itemsOf(after).length === 0
  )
}

async function updateFallback(context: Inside<TokenCaller>, { update }: UpdatePlan): Promise<Invoice> {
  const { tx, caller } = context
  const { tenant } = caller
  await lockOwnInvoice(tx, tenant, update.id)
  const plan = await planUpdate({ ...context, db: tx }, update)
  const { before, after, changed } = plan
  if (changed.length === 0) return before
  if (changed.includes('sentAt') || changed.includes('sharedAt')) await deleteShare(tx, tenant, after.id)
  if (isRenumbered(plan)) await numberFor(tx, tenant, after.id, after.type, after.number)
  await writeLocked(context, updateTogether, plan)
  if (update.change.lines) await saveItems(tx, tenant, after)
  return after
}

/** The lines and the amounts that follow from them: most of a document, and usually unchanged. */
const reckoned: readonly InvoiceField[] = [
  'lines',
  'taxGroups',
  'netMinor',
  'allowanceMinor',
  'chargeMinor',
  'taxMinor',
  'roundingMinor',
  'payableMinor',
]
const wordFields = contentFields.filter((field) => !reckoned.includes(field))
const draftFields: readonly InvoiceField[] = [...contentFields, 'sentAt', 'sharedAt']

/** If no change of the batch touches the lines, they are neither sent nor written. */
function updateTogether(db: Queryable, tenant: Tenant, planned: readonly PlannedWrite<TokenCaller, UpdatePlan>[]) {
  const isOfWords = planned.every(({ plan }) =>
    plan.changed.every((field) => (wordFields as readonly string[]).includes(field)),
  )
  return changeInvoices(
    db,
    tenant,
    planned,
    isOfWords
      ? { name: 'update the words of drafts', fields: wordFields }
      : { name: 'update drafts', fields: draftFields },
  )
}

/**
 * After a submission, number and date are part of the authority reference and cannot change. Payments before a
 * rejection were made in the currency, so it cannot change either.
 */
function faultsOfFixed(before: Invoice, asked: Invoice): Fault[] {
  const message = 'cannot be changed: the document was submitted to the tax authority with this value'
  const fault = (path: string, why = message): Fault => ({ path, rule: 'fixed', message: why })
  const wasSubmitted = before.submittedAt !== null
  return [
    ...(wasSubmitted && asked.number !== before.number ? [fault('invoiceNumber')] : []),
    ...(wasSubmitted && asked.issueDate !== before.issueDate ? [fault('invoiceDate')] : []),
    ...(before.paidMinor > 0n && asked.currency !== before.currency
      ? [fault('currency', `must stay ${before.currency}: payments are recorded in it`)]
      : []),
  ]
}

/** Changes a draft. Lines that are sent replace every line. */
export const updateDraft = statement(
  {
    needs: ['invoice.update_draft'],
    refuses: [
      'request.invalid',
      'resource.not_found',
      'version.stale',
      'jurisdiction.unsupported',
      'invoice.edit.not_draft',
      'invoice.number_taken',
      'invoice.seller_unknown',
      'invoice.buyer_unknown',
      'invoice.buyer_archived',
      'invoice.item_unknown',
      'invoice.item_archived',
      'invoice.note.too_much',
    ],
  },
  {
    plan: planUpdate,
    fitsStatement: updateFitsStatement,
    conflictKey: ({ update }) => update.id,
    write: updateTogether,
    returning: [],
    replyHasNoSecret: true,
    output: ({ after }) => after,
    fallback: updateFallback,
  },
)

/** Deletes a draft. Its number is never used again. */
export const deleteDraft = operation(
  {
    needs: ['invoice.delete_draft'],
    refuses: ['resource.not_found', 'invoice.delete.not_draft'],
  },
  async (context: Inside<TokenCaller>, { id }: { id: InvoiceId }) => {
    const { tx, caller } = context
    const { invoice } = await lockOwnInvoice(tx, caller.tenant, id)
    if (invoice.status !== 'draft') throw refuse('invoice.delete.not_draft')
    if (invoice.submittedAt)
      throw refuse('invoice.delete.not_draft', {
        message:
          'This draft was submitted to the tax authority before and must be kept. Correct it and submit it again.',
      })
    if (invoice.paidMinor > 0n)
      throw refuse('invoice.delete.not_draft', {
        message: 'This draft has payments. Reverse or refund them first.',
      })
    await deleteShare(tx, caller.tenant, id)
    await deleteInvoice(tx, caller.tenant, id)
    emitInvoiceEvent(context, 'invoice.deleted', caller.tenant, { ...invoice, version: invoice.version + 1 })
    return { id, number: invoice.number }
  },
)
