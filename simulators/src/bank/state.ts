import { type Journal, openJournal } from '../shared/journal.ts'
import { ownBank } from './banks.ts'
import { nuban } from './nuban.ts'

/** Who pays the bank's fee: the share of the sub-account, or the owner of the key. */
export const feeBearers = ['seller', 'operator'] as const
export type FeeBearer = (typeof feeBearers)[number]

/** Another party's bank account for payouts. */
export interface SubAccount {
  readonly code: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly name: string
  readonly createdAt: string
}

export interface SettledTransfer {
  readonly reference: string
  readonly accountReference: string
  /** what was paid out of it */
  readonly amountMinor: number
  readonly feeMinor: number
}

/** What was paid out to a sub-account at one time. */
export interface Settlement {
  readonly reference: string
  readonly subAccount: string
  readonly amountMinor: number
  readonly currency: string
  readonly settledAt: string
  readonly transfers: readonly SettledTransfer[]
}

/** An account for buyers' transfers. Its money belongs to the party that opened it. */
export interface VirtualAccount {
  readonly reference: string
  /** the sub-account that gets all of its money; null: the money stays with the owner of the key */
  subAccount: string | null
  feeBearer: FeeBearer
  readonly number: string
  readonly name: string
  readonly kind: 'persistent' | 'dynamic'
  readonly currency: string
  readonly amountMinor: number | null
  readonly limitMinor: number | null
  readonly expiresAt: string | null
  readonly openedAt: string
  closedAt: string | null
}

export interface Transfer {
  readonly reference: string
  readonly accountReference: string
  readonly accountNumber: string
  readonly amountMinor: number
  readonly currency: string
  readonly senderName: string
  readonly senderBank: string
  readonly senderAccount: string
  readonly narration: string
  readonly receivedAt: string
  /** taken back by the sender's bank */
  reversedAt: string | null
  refundedMinor: number
  /** the settlement that paid it out */
  settlement: string | null
}

export interface Refund {
  readonly key: string
  readonly transfer: string
  readonly amountMinor: number
  readonly reason: string
  readonly sentAt: string
}

type JournalEntry =
  | ({ readonly what: 'opened' } & Omit<VirtualAccount, 'number' | 'closedAt'>)
  | ({ readonly what: 'sub_account' } & SubAccount)
  | { readonly what: 'pointed'; readonly reference: string; readonly subAccount: string; readonly feeBearer: FeeBearer }
  | ({ readonly what: 'settled' } & Settlement)
  | { readonly what: 'closed'; readonly reference: string; readonly at: string }
  | ({ readonly what: 'received' } & Omit<Transfer, 'reference' | 'reversedAt' | 'refundedMinor' | 'settlement'>)
  | { readonly what: 'reversed'; readonly reference: string; readonly at: string }
  | ({ readonly what: 'refunded' } & Refund)
  | { readonly what: 'notify_at'; readonly url: string }

/** A limit, because an endless bank would use all memory. */
const mostRows = 200_000

export class BankIsFull extends Error {}

/** The whole state of the bank. Changes are appended, and nothing is rewritten. */
export class Records {
  /** by the reference of the party that opened the account */
  readonly accounts = new Map<string, VirtualAccount>()
  readonly byNumber = new Map<string, VirtualAccount>()
  /** in the order in which they came */
  readonly transfers: Transfer[] = []
  readonly byReference = new Map<string, Transfer>()
  readonly refunds = new Map<string, Refund>()
  readonly subAccounts = new Map<string, SubAccount>()
  /** in the order in which they were paid out */
  readonly settlements: Settlement[] = []
  notifyAt: string | undefined
  isClosed = false
  readonly #journal: Journal

  constructor(file: string | undefined) {
    this.#journal = openJournal(file, (record) => this.#apply(record as JournalEntry))
  }

  note(happened: JournalEntry): void {
    const kept = [this.accounts.size, this.transfers.length, this.refunds.size, this.subAccounts.size]
    if (kept.some((rows) => rows >= mostRows)) throw new BankIsFull('the bank is full')
    this.#journal.append(happened)
    this.#apply(happened)
  }

  close(): void {
    if (!this.isClosed) this.#journal.close()
    this.isClosed = true
  }

  #apply(happened: JournalEntry): void {
    switch (happened.what) {
      case 'opened': {
        const { what: _, ...asked } = happened
        const number = nuban(ownBank.code, this.accounts.size + 1)
        const account = { ...asked, number, closedAt: null }
        this.accounts.set(account.reference, account)
        this.byNumber.set(account.number, account)
        break
      }
      case 'sub_account': {
        const { what: _, ...subAccount } = happened
        this.subAccounts.set(subAccount.code, subAccount)
        break
      }
      case 'pointed': {
        const account = this.accounts.get(happened.reference)
        if (account) Object.assign(account, { subAccount: happened.subAccount, feeBearer: happened.feeBearer })
        break
      }
      case 'settled': {
        const { what: _, ...settlement } = happened
        this.settlements.push(settlement)
        for (const { reference } of settlement.transfers) {
          const transfer = this.byReference.get(reference)
          if (transfer) transfer.settlement = settlement.reference
        }
        break
      }
      case 'closed': {
        const account = this.accounts.get(happened.reference)
        if (account) account.closedAt = happened.at
        break
      }
      case 'received': {
        const { what: _, ...known } = happened
        const reference = `RTB${String(this.transfers.length + 1).padStart(12, '0')}`
        const transfer = { ...known, reference, reversedAt: null, refundedMinor: 0, settlement: null }
        this.transfers.push(transfer)
        this.byReference.set(reference, transfer)
        break
      }
      case 'reversed': {
        const transfer = this.byReference.get(happened.reference)
        if (transfer) transfer.reversedAt = happened.at
        break
      }
      case 'refunded': {
        const { what: _, ...refund } = happened
        this.refunds.set(refund.key, refund)
        const transfer = this.byReference.get(refund.transfer)
        if (transfer) transfer.refundedMinor += refund.amountMinor
        break
      }
      case 'notify_at':
        this.notifyAt = happened.url
    }
  }
}
