import type { Mode } from '../../../kernel/tenant.ts'
import type { Bank } from './bank.ts'
import type { ProviderSettlement, Split, SubAccount, SubAccountOrder } from './sub-accounts.ts'

export const collectionProviderNames = ['sandbox', 'monnify', 'paystack'] as const
export type CollectionProviderName = (typeof collectionProviderNames)[number]

/** Whose account it is, as the bank says. */
export interface AccountHolder {
  readonly accountName: string
  readonly bank: Bank
}

/** An account that the provider is asked for. */
export interface AccountOrder {
  /** our own name for it, unique for good; the provider gives the same account for the same one */
  readonly handle: string
  readonly kind: 'persistent' | 'dynamic'
  readonly currency: string
  /** what payers are shown */
  readonly name: string
  readonly customer: {
    readonly name: string
    readonly firstName: string | null
    readonly lastName: string | null
    readonly phoneNumber: string | null
    readonly email: string | null
    readonly bvn: string | null
  }
  readonly amountMinor: bigint | null
  readonly limitMinor: bigint | null
  readonly expiresAt: Date | null
  /** Where all of its money goes. The type has no account without one: we never hold buyers' money. */
  readonly split: Split
}

export const providerAccountStatuses = ['active', 'expired', 'closed'] as const

/** An account as the provider says it is now. */
export interface ProviderAccount {
  readonly accountNumber: string
  readonly accountName: string
  readonly bankCode: string
  readonly bankName: string
  readonly status: (typeof providerAccountStatuses)[number]
}

/** A transfer as the provider's own books have it. */
export interface Transfer {
  /** what the provider calls it, for good */
  readonly reference: string
  /** our name of the account that it came into */
  readonly handle: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly senderName: string | null
  readonly narration: string | null
  readonly receivedAt: Date
  /** the sender's bank took all of it back */
  readonly isReversed: boolean
  /** what we have sent back of it; nothing where the provider does not say it */
  readonly refundedMinor: bigint | null
}

export interface RefundOrder {
  /** our id of it: the same one sends money once */
  readonly key: string
  readonly transfer: string
  readonly amountMinor: bigint
  readonly reason: string
}

/** What became of a refund; `unknown` is one that the provider never heard of. */
export type RefundStanding = 'sent' | 'pending' | 'failed' | 'unknown'

export const notificationSubjects = ['transfer', 'settlement'] as const
export type NotificationSubject = (typeof notificationSubjects)[number]

/** What a notification is about. It carries no amount: that is asked for. */
export interface CollectionNotification {
  readonly id: string
  /** a transfer, unless it says otherwise */
  readonly subject?: NotificationSubject
  /** the reference that `look` or `lookSettlement` takes */
  readonly transfer: string
  /** our name of the account that it came into, where the provider says it: whose turn it is depends on it, and nothing else */
  readonly handle: string | null
}

/** An entry of a statement that cannot be read: no amount, no time, another form than it should have. */
export interface UnreadableEntry {
  /** the provider's reference, or a name made from the entry */
  readonly reference: string
  /** whether the provider can be asked about it by that reference */
  readonly hasReference: boolean
  readonly detail: string
  /** the entry as it came, or its beginning */
  readonly entry: string
}

/** A page of a statement, oldest first; `next` asks for what follows. */
export interface StatementPage {
  readonly transfers: readonly Transfer[]
  readonly unreadable: readonly UnreadableEntry[]
  readonly next: string | null
}

/** Somebody who keeps accounts that buyers pay into. */
export interface CollectionProvider {
  readonly name: CollectionProviderName
  /** whether its key moves real money */
  readonly mode: Mode
  /** ISO 3166-1 alpha-2 */
  readonly country: string
  readonly currencies: readonly string[]
  banks(signal: AbortSignal): Promise<readonly Bank[]>
  /** nothing where the bank knows no such account */
  findHolder(
    asked: { readonly bank: Bank; readonly accountNumber: string },
    signal: AbortSignal,
  ): Promise<AccountHolder | undefined>
  /** `undefined` if the provider has no sub-account for this bank account that takes all of the money */
  findSubAccount(order: SubAccountOrder, signal: AbortSignal): Promise<SubAccount | undefined>
  /** Not idempotent: each call makes another one. Throws `SubAccountsNotEnabled` if the provider does not let us. */
  createSubAccount(order: SubAccountOrder, signal: AbortSignal): Promise<SubAccount>
  openAccount(order: AccountOrder, signal: AbortSignal): Promise<ProviderAccount>
  /** leads all that comes into an account from now on to another sub-account; as often as one likes */
  pointAccount(handle: string, split: Split, signal: AbortSignal): Promise<void>
  /** `undefined` if the provider knows no such settlement, or cannot be asked about one */
  lookSettlement(reference: string, signal: AbortSignal): Promise<ProviderSettlement | undefined>
  /** settlements of sub-accounts in a span, and those of transfers that are still waiting for one; once each */
  findSettlements(
    asked: {
      readonly subAccounts: readonly string[]
      readonly from: Date
      readonly to: Date
      readonly waitingTransfers: readonly string[]
    },
    signal: AbortSignal,
  ): Promise<readonly ProviderSettlement[]>
  /** has the bank behind it asked for transfers that it was not told of; what is found comes by the usual ways. Not all can. */
  seekTransfers?(handle: string, signal: AbortSignal): Promise<void>
  /** nothing where it was never opened */
  findAccount(handle: string, signal: AbortSignal): Promise<ProviderAccount | undefined>
  /** nothing comes into it any more; as often as one likes */
  closeAccount(handle: string, signal: AbortSignal): Promise<void>
  /** nothing where the provider knows no such transfer */
  look(reference: string, signal: AbortSignal): Promise<Transfer | undefined>
  statement(
    asked: { readonly from: Date; readonly to: Date; readonly after: string | null },
    signal: AbortSignal,
  ): Promise<StatementPage>
  refund(order: RefundOrder, signal: AbortSignal): Promise<RefundStanding>
  findRefund(order: RefundOrder, signal: AbortSignal): Promise<RefundStanding>
  /** nothing when its signature does not prove that the provider sent it; `undefined` transfers are none of ours to know */
  readNotification(
    body: Buffer,
    headers: Readonly<Record<string, unknown>>,
  ): CollectionNotification | 'nothing to do' | undefined
}

/** Where an account is to be. */
export interface Place {
  readonly jurisdiction: string
  readonly currency: string
  readonly mode: Mode
  readonly preferred?: CollectionProviderName | undefined
}

export interface CollectionProviders {
  readonly all: readonly CollectionProvider[]
  /** the one that is preferred, or else the first that serves the place; nothing where none does */
  route(place: Place): CollectionProvider | undefined
  named(name: CollectionProviderName, mode: Mode): CollectionProvider | undefined
}

/** Money that a tester has arrive. */
export interface SimulatedTransfer {
  readonly accountNumber: string
  readonly amountMinor: bigint
  readonly senderName?: string | undefined
  readonly narration?: string | undefined
}

export type SentTransfer =
  | { readonly kind: 'sent'; readonly reference: string }
  /** the bank does not take it; the words say why */
  | { readonly kind: 'refused'; readonly told: string }
  | { readonly kind: 'away' }

/** People who pay into accounts of a simulated bank. */
export interface SimulatedPayers {
  send(transfer: SimulatedTransfer, signal: AbortSignal): Promise<SentTransfer>
}

declare module '../../../platform/operations/ports.ts' {
  interface Ports {
    readonly collectionProviders: CollectionProviders
    /** nothing where the sandbox is a provider's own test system */
    readonly simulatedPayers: SimulatedPayers | undefined
  }
}
