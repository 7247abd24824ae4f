import { createHash } from 'node:crypto'
import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import type { Capability } from '../../../kernel/capabilities.ts'
import { newId, type UserId } from '../../../kernel/ids.ts'
import { type Fault, invalid, type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { actorOf } from '../../../platform/events/actors.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../../platform/operations/operation.ts'
import { findBuyer } from '../../buyers/index.ts'
import { collectedPayments, getOwnInvoice } from '../../invoices/index.ts'
import {
  type Callback,
  callbackAt,
  callbackFaults,
  type FormatName,
  requireRoomForCallback,
} from '../../webhooks/index.ts'
import { keeperOf, notSetUp, providerAway, refusedBy, routeTo } from '../providers/asking.ts'
import type { CollectionProviderName, PayerIdentifiers, ProviderAccount } from '../providers/collection-provider.ts'
import { CollectionRefusal, ProviderNotSetUp } from '../providers/provider-refusals.ts'
import type { Split } from '../providers/sub-accounts.ts'
import { findSettlementAccount } from '../settlement-accounts/settlement-accounts.store.ts'
import type { SellerSubAccount } from '../settlement-accounts/sub-account.ts'
import {
  findSubAccount,
  lockSubAccount,
  type SubAccountKey,
  saveAccountsDue,
} from '../settlement-accounts/sub-accounts.store.ts'
import {
  type AccountNow,
  type AccountRequest,
  accountPayload,
  isOpen,
  type OpeningAccount,
  type VirtualAccountId,
} from './virtual-account.ts'
import {
  deleteUnopened,
  findAccountByReference,
  insertAccount,
  lockAccount,
  saveOpened,
} from './virtual-accounts.store.ts'

export interface OpenInput extends AccountRequest {
  readonly preferred?: CollectionProviderName | undefined
  /** Official numbers of the payer by name. They are passed to the provider and never stored. */
  readonly identifiers: PayerIdentifiers
  /** The form whose webhook format `callbackUrl` receives. */
  readonly callbackForm: FormatName
}

interface OpenIntent extends Tenant {
  readonly accountId: VirtualAccountId
  readonly reference: string
  /** The account is already open, so the provider is not called. */
  readonly isKnown: boolean
  readonly callback: Callback | null
  /** Where the money of the account goes. */
  readonly split: Split | null
  /** An earlier attempt may have opened it with another sub-account. */
  readonly isAnotherTry: boolean
}

type OpenAnswer =
  | { readonly kind: 'known' }
  | { readonly kind: 'opened'; readonly account: ProviderAccount }
  | { readonly kind: 'refused'; readonly reason: string; readonly isNotSetUp?: boolean }

export interface OpenedAccount extends AccountNow {
  readonly isNew: boolean
}

/** Identifiers are never stored: they stay in memory while the request runs. */
const identifiersOf = new WeakMap<object, PayerIdentifiers>()

/** Without the identifiers: the hash of a short number could be reversed by trying all numbers. */
function fingerprintOf({ identifiers: _, callbackForm: __, ...asked }: OpenInput): string {
  const text = JSON.stringify(asked, (___, value) => (typeof value === 'bigint' ? String(value) : value))
  return createHash('sha256').update(text).digest('hex')
}

/** Only a caller who may read payments may send their events to a URL. */
const neededFor = ({ callbackUrl }: OpenInput): Capability[] =>
  callbackUrl === null ? ['collection.manage'] : ['collection.manage', 'collection.read']

const callbackOf = ({ callbackUrl: url, callbackForm: format }: OpenInput): Callback | null =>
  url === null ? null : { url, format }

/** The named invoice and buyer must exist and belong together. */
async function checkParties({ tx, caller }: Inside<TokenCaller>, asked: OpenInput): Promise<void> {
  const { tenant } = caller
  if (asked.buyerId !== null && !(await findBuyer(tx, tenant, asked.buyerId)))
    throw refuse('resource.not_found', { message: 'The buyer was not found. Check buyerId and the mode.' })
  if (asked.invoiceId === null) return
  const invoice = await getOwnInvoice(tx, tenant, asked.invoiceId)
  const faults: Fault[] = []
  if (asked.buyerId !== null && invoice.buyerId !== null && asked.buyerId !== invoice.buyerId)
    faults.push({ path: 'buyerId', rule: 'invoice', message: 'must be the buyer of the invoice' })
  if (invoice.sellerId !== null && asked.sellerId !== invoice.sellerId)
    faults.push({ path: 'sellerId', rule: 'invoice', message: 'must be the seller of the invoice' })
  if (asked.currency !== invoice.currency)
    faults.push({
      path: 'currency',
      rule: 'invoice',
      message: `must be the currency of the invoice, ${invoice.currency}`,
    })
  if (faults.length > 0) throw invalid(faults)
  const { isPayable, dueMinor } = collectedPayments.collectableOf(invoice)
  if (!isPayable || dueMinor === 0n) throw refuse('collection.invoice_closed')
}

const refusedFor: Readonly<Record<SellerSubAccount['state'], (reason: string) => string>> = {
  confirmed: () => '',
  pending: (reason) =>
    `The provider has not confirmed the seller’s settlement account yet, so money paid into an account could not reach the seller. Try again in a few minutes.${reason}`,
  refused: (reason) =>
    `The provider refuses the seller’s settlement account, so money paid into an account could not reach the seller.${reason}`,
}

/** Without a confirmed sub-account for the seller, no virtual account is opened. */
async function splitFor({ tx, settings }: Inside<TokenCaller>, tenant: Tenant, key: SubAccountKey): Promise<Split> {
  const subAccount = await findSubAccount(tx, tenant, key)
  const state = subAccount?.state ?? 'pending'
  if (state === 'confirmed' && subAccount?.code)
    return { subAccount: subAccount.code, feeBearer: settings.collectionFeeBearer }
  const reason = subAccount?.reason ? ` ${subAccount.reason}` : ''
  throw refuse('collection.not_settled_to', { message: refusedFor[state](reason) })
}

/** Reserves the reference, or finds the account that has it. */
async function begin(
  context: Inside<TokenCaller>,
  asked: OpenInput,
): Promise<{ readonly account: OpeningAccount; readonly isAnotherTry: boolean }> {
  const { tx, caller, ports, now } = context
  const { tenant } = caller
  const { preferred, identifiers: _, callbackForm: __, ...wanted } = asked
  const fingerprint = fingerprintOf(asked)
  const known = await findAccountByReference(tx, tenant, asked.reference)
  if (known) return { account: sameAs(known, fingerprint), isAnotherTry: true }
  if (asked.expiresAt !== null && asked.expiresAt <= now)
    throw invalid([{ path: 'expiresAt', rule: 'future', message: 'must be in the future' }])
  const callback = callbackOf(asked)
  const wrong = callback ? callbackFaults(ports, tenant.mode, callback) : []
  if (wrong.length > 0) throw invalid(wrong)
  const { jurisdiction, currency } = asked
  const provider = routeTo(ports, { jurisdiction, currency, mode: tenant.mode, preferred })
  if (!(await findSettlementAccount(tx, tenant, asked.sellerId))) throw refuse('collection.no_settlement_account')
  await checkParties(context, asked)
  if (callback) await requireRoomForCallback(context, tenant, callback)
  const id: VirtualAccountId = newId()
  const { kind, id: by } = actorOf(caller)
  const account: OpeningAccount = {
    ...wanted,
    id,
    fingerprint,
    state: 'opening',
    provider: provider.name,
    handle: id,
    accountNumber: null,
    accountName: null,
    bankCode: null,
    bankName: null,
    callbackEndpointId: null,
    subAccountCode: null,
    splitFailure: null,
    createdBy: { type: kind, id: by },
    createdAt: now,
    deactivatedAt: null,
    deactivationReason: null,
  }
  if (await insertAccount(tx, tenant, account)) return { account, isAnotherTry: false }
  const other = await findAccountByReference(tx, tenant, asked.reference)
  if (!other) throw refuse('state.changed')
  return { account: sameAs(other, fingerprint), isAnotherTry: true }
}

function sameAs(known: OpeningAccount, fingerprint: string): OpeningAccount {
  if (known.fingerprint !== fingerprint) throw refuse('collection.reference_used')
  return known
}

const accountOf = async ({ db }: Outside<Caller>, { organisationId, mode, reference }: OpenIntent) => {
  const account = await findAccountByReference(db, { organisationId, mode }, reference)
  if (!account) throw new Error('the account that is being opened is gone')
  return account
}

/**
 * Opens a virtual account. The reference is reserved before the provider is called, and the provider returns the same
 * account for the same handle. A repeated request therefore returns the same account, never a second one.
 */
export const openAccount = exchange(
  {
    needs: { all: ['collection.manage'], oneOf: [], by: neededFor },
    refuses: [
      'resource.not_found',
      'request.invalid',
      'state.changed',
      'collection.not_routed',
      'collection.no_settlement_account',
      'collection.not_settled_to',
      'collection.reference_used',
      'collection.invoice_closed',
      'collection.provider_away',
      'collection.provider_refused',
      'webhook.too_many',
    ],
  },
  {
    name: 'open-virtual-account',
    deadlineMs: 15_000,
    intend: async (context: Inside<TokenCaller>, asked: OpenInput): Promise<OpenIntent | Refusal> => {
      const { account, isAnotherTry } = await begin(context, asked)
      const { tenant } = context.caller
      const { id: accountId, reference, sellerId, provider } = account
      const isKnown = isOpen(account)
      const intent = {
        ...tenant,
        accountId,
        reference,
        isKnown,
        callback: callbackOf(asked),
        split: isKnown ? null : await splitFor(context, tenant, { sellerId, provider }),
        isAnotherTry,
      }
      identifiersOf.set(intent, asked.identifiers)
      return intent
    },
    call: async (context: Outside<Caller> & { signal: AbortSignal }, intent: OpenIntent): Promise<OpenAnswer> => {
      if (intent.isKnown || intent.split === null) return { kind: 'known' }
      const account = await accountOf(context, intent)
      const settlement = await findSettlementAccount(context.db, intent, account.sellerId)
      const { handle, kind, currency, customer, amountMinor, limitMinor, expiresAt } = account
      const order = {
        handle,
        kind,
        currency,
        name: settlement?.sellerName ?? customer.name,
        customer: { ...customer, identifiers: identifiersOf.get(intent) ?? {} },
        amountMinor,
        limitMinor,
        expiresAt,
        split: intent.split,
      }
      try {
        const opened = await keeperOf(context.ports, intent, account.provider).openAccount(order, context.signal)
        return { kind: 'opened', account: opened }
      } catch (error) {
        if (error instanceof CollectionRefusal)
          return { kind: 'refused', reason: error.message, isNotSetUp: error instanceof ProviderNotSetUp }
        throw error
      }
    },
    inquire: async (context: Outside<Caller> & { signal: AbortSignal }, intent: OpenIntent): Promise<OpenAnswer> => {
      if (intent.isKnown) return { kind: 'known' }
      const { provider, handle } = await accountOf(context, intent)
      const account = await keeperOf(context.ports, intent, provider).findAccount(handle, context.signal)
      return account ? { kind: 'opened', account } : { kind: 'refused', reason: 'the request did not reach it in time' }
    },
    settle: async (
      context: Inside<Caller>,
      { organisationId, mode, accountId, callback, split, isAnotherTry }: OpenIntent,
      outcome: CallOutcome<OpenAnswer>,
    ): Promise<OpenedAccount | Refusal> => {
      const { tx, emit, now } = context
      const tenant = { organisationId, mode }
      // The reference stays reserved, so that a repeated request asks for the same account.
      if (outcome.kind === 'unknown') return providerAway()
      const { answer } = outcome
      const before = await lockAccount(tx, tenant, accountId)
      if (!before) return refuse('state.changed')
      if (answer.kind === 'refused' && !isOpen(before)) {
        // After a late answer, another request may be using the row.
        if (!outcome.late) await deleteUnopened(tx, tenant, accountId)
        return answer.isNotSetUp ? notSetUp(answer.reason) : refusedBy(answer.reason)
      }
      if (isOpen(before)) return { account: before, now, isNew: false }
      if (answer.kind !== 'opened') return refuse('state.changed')
      const { type, id } = before.createdBy
      const by = type === 'user' ? (id as UserId | null) : null
      const callbackEndpointId = callback ? await callbackAt(context, tenant, callback, by) : null
      // An earlier attempt may have sent another sub-account to the provider, so the sweep sends it again.
      const code = isAnotherTry ? null : (split?.subAccount ?? null)
      const account = await saveOpened(tx, tenant, accountId, answer.account, callbackEndpointId, code)
      const { sellerId, provider } = account
      // The lock orders this with a change of the settlement account: one of the two sees the other.
      const current = await lockSubAccount(tx, tenant, { sellerId, provider })
      if (current?.code !== code) await saveAccountsDue(tx, tenant, { sellerId, provider }, now)
      emit('collection.account_opened', { ...tenant, objectId: account.id }, accountPayload(account))
      return { account, now, isNew: true }
    },
  },
)
