import type { Mode } from '../../../kernel/tenant.ts'
import type { Bank } from './bank.ts'
import type { ProviderSettlement, Split, SubAccount, SubAccountOrder } from './sub-accounts.ts'

export const collectionProviderNames = ['sandbox', 'monnify', 'paystack'] as const
export type CollectionProviderName = (typeof collectionProviderNames)[number]

/** The account holder, as the bank reports it. */
export interface AccountHolder {
  readonly accountName: string
  readonly bank: Bank
}

/** Official numbers of a payer, by the name that the provider gives them. */
export type PayerIdentifiers = Readonly<Record<string, string>>

/** An account that the provider is asked to open. */
export interface AccountOrder {
  /** Our own reference, never reused. The provider returns the same account for the same handle. */
  readonly handle: string
  readonly kind: 'persistent' | 'dynamic'
  readonly currency: string
  /** What payers see. */
  readonly name: string
  readonly customer: {
    readonly name: string
    readonly firstName: string | null
    readonly lastName: string | null
    readonly phoneNumber: string | null
    readonly email: string | null
    readonly identifiers: PayerIdentifiers
  }
  readonly amountMinor: bigint | null
  readonly limitMinor: bigint | null
  readonly expiresAt: Date | null
  /** Where all of its money goes. Required, because we never hold buyers' money. */
  readonly split: Split
}

export const providerAccountStatuses = ['active', 'expired', 'closed'] as const

/** An account as the provider reports it now. */
export interface ProviderAccount {
  readonly accountNumber: string
  readonly accountName: string
  readonly bankCode: string
  readonly bankName: string
  readonly status: (typeof providerAccountStatuses)[number]
}

/** A transfer in the provider's own ledger. */
export interface Transfer {
  /** The provider's own reference, which never changes. */
  readonly reference: string
  /** Our handle of the account that received it. */
  readonly handle: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly senderName: string | null
  readonly narration: string | null
  readonly receivedAt: Date
  /** The sender's bank took all of it back. */
  readonly isReversed: boolean
  /** What we have refunded of it. Null if the provider does not say. */
  readonly refundedMinor: bigint | null
}

export interface RefundOrder {
  /** Our id of the refund, as idempotency key. */
  readonly key: string
  readonly transfer: string
  readonly amountMinor: bigint
  readonly reason: string
}

/** Result of a refund. `unknown`: the provider has never received it. */
export type RefundStatus = 'sent' | 'pending' | 'failed' | 'unknown'

export const notificationSubjects = ['transfer', 'settlement'] as const
export type NotificationSubject = (typeof notificationSubjects)[number]

/** What a notification is about. Amounts are never taken from it: `look` asks for them. */
export interface CollectionNotification {
  readonly id: string
  /** A transfer if left out. */
  readonly subject?: NotificationSubject
  /** Argument for `look` or `lookSettlement`. */
  readonly transfer: string
  /** Our handle of the account, if the provider sends it. Used for fair queueing only. */
  readonly handle: string | null
}

/** An entry of a statement of account that cannot be parsed. */
export interface UnreadableEntry {
  /** The provider's reference, or a name derived from the entry. */
  readonly reference: string
  /** Whether the provider can be asked about that reference. */
  readonly hasReference: boolean
  readonly detail: string
  /** The entry as received, or its beginning. */
  readonly entry: string
}

/** One page of a statement of account, oldest entry first. `next` requests the following page. */
export interface StatementPage {
  readonly transfers: readonly Transfer[]
  readonly unreadable: readonly UnreadableEntry[]
  readonly next: string | null
}

/** A provider of virtual accounts. */
export interface CollectionProvider {
  readonly name: CollectionProviderName
  /** Whether its key moves real money. */
  readonly mode: Mode
  /** ISO 3166-1 alpha-2 code. */
  readonly country: string
  readonly currencies: readonly string[]
  banks(signal: AbortSignal): Promise<readonly Bank[]>
  /** Returns undefined if the bank has no such account. */
  findHolder(
    asked: { readonly bank: Bank; readonly accountNumber: string },
    signal: AbortSignal,
  ): Promise<AccountHolder | undefined>
  /** Returns undefined if the provider has no sub-account for this bank account that takes all of the money. */
  findSubAccount(order: SubAccountOrder, signal: AbortSignal): Promise<SubAccount | undefined>
  /**
   * Not idempotent: each call creates another one. Throws `SubAccountsNotEnabled` if the provider does not allow it.
   */
  createSubAccount(order: SubAccountOrder, signal: AbortSignal): Promise<SubAccount>
  openAccount(order: AccountOrder, signal: AbortSignal): Promise<ProviderAccount>
  /** Sends all future money of an account to another sub-account. Idempotent. */
  pointAccount(handle: string, split: Split, signal: AbortSignal): Promise<void>
  /** Returns undefined if the provider knows no such settlement or cannot be asked about one. */
  lookSettlement(reference: string, signal: AbortSignal): Promise<ProviderSettlement | undefined>
  /** Settlements of sub-accounts in a span, and those of transfers that still wait for one. Each is returned once. */
  findSettlements(
    asked: {
      readonly subAccounts: readonly string[]
      readonly from: Date
      readonly to: Date
      readonly waitingTransfers: readonly string[]
    },
    signal: AbortSignal,
  ): Promise<readonly ProviderSettlement[]>
  /** Makes the provider ask its bank for missing transfers, which then arrive the usual way. Not every provider can. */
  seekTransfers?(handle: string, signal: AbortSignal): Promise<void>
  /** Returns undefined if the account was never opened. */
  findAccount(handle: string, signal: AbortSignal): Promise<ProviderAccount | undefined>
  /** Ends payments into the account. Idempotent. */
  closeAccount(handle: string, signal: AbortSignal): Promise<void>
  /** Returns undefined if the provider knows no such transfer. */
  look(reference: string, signal: AbortSignal): Promise<Transfer | undefined>
  statement(
    asked: { readonly from: Date; readonly to: Date; readonly after: string | null },
    signal: AbortSignal,
  ): Promise<StatementPage>
  refund(order: RefundOrder, signal: AbortSignal): Promise<RefundStatus>
  findRefund(order: RefundOrder, signal: AbortSignal): Promise<RefundStatus>
  /**
   * Returns undefined if the signature is missing or wrong, and `'nothing to do'` if the notification is not about our
   * accounts.
   */
  readNotification(
    body: Buffer,
    headers: Readonly<Record<string, unknown>>,
  ): CollectionNotification | 'nothing to do' | undefined
}

/** Country, currency and mode that an account is needed for. */
export interface AccountContext {
  readonly jurisdiction: string
  readonly currency: string
  readonly mode: Mode
  readonly preferred?: CollectionProviderName | undefined
}

export interface CollectionProviders {
  readonly all: readonly CollectionProvider[]
  /** Returns the preferred provider, or else the first that serves the place. Undefined if none does. */
  route(place: AccountContext): CollectionProvider | undefined
  named(name: CollectionProviderName, mode: Mode): CollectionProvider | undefined
}

/** A transfer that a tester starts. */
export interface SimulatedTransfer {
  readonly accountNumber: string
  readonly amountMinor: bigint
  readonly senderName?: string | undefined
  readonly narration?: string | undefined
}

export type SentTransfer =
  | { readonly kind: 'sent'; readonly reference: string }
  /** The bank refused it for this reason. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'away' }

/** Simulated payers of the sandbox bank. */
export interface SimulatedPayers {
  send(transfer: SimulatedTransfer, signal: AbortSignal): Promise<SentTransfer>
}

declare module '../../../platform/operations/ports.ts' {
  interface Ports {
    readonly collectionProviders: CollectionProviders
    /** Undefined if the sandbox is a provider's own test system. */
    readonly simulatedPayers: SimulatedPayers | undefined
  }
}
