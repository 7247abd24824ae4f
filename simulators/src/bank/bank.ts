import { bankOf } from './banks.ts'
import { type Behaviour, behaviourOf } from './behaviour.ts'
import { type Notice, type Notifier, noticeOf } from './notifier.ts'
import { isNuban } from './nuban.ts'
import { settlementsDue } from './settling.ts'
import type { FeeBearer, Records, Refund, Settlement, SubAccount, Transfer, VirtualAccount } from './state.ts'

/** A refusal of the bank, with its own message. */
export class BankRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export interface AccountOrder {
  readonly reference: string
  readonly name: string
  readonly kind: VirtualAccount['kind']
  readonly currency: string
  readonly amountMinor: number | null
  readonly limitMinor: number | null
  readonly expiresAt: string | null
  readonly subAccount: string | null
  readonly feeBearer: FeeBearer
}

export interface SubAccountOrder {
  readonly bankCode: string
  readonly accountNumber: string
  readonly name: string
}

export interface TransferOrder {
  readonly accountNumber: string
  readonly amountMinor: number
  readonly senderName?: string
  readonly narration?: string
  readonly currency?: string
  /** accepts the transfer even if the account is closed, expired or over its limit */
  readonly force?: boolean
}

export interface BankParts {
  readonly records: Records
  readonly notifier: Notifier
  readonly webhookSecret: string
  now(): Date
  behaviour(): Behaviour
}

export const statusOf = ({ closedAt, expiresAt }: VirtualAccount, now: Date): 'active' | 'expired' | 'closed' =>
  closedAt !== null ? 'closed' : expiresAt !== null && new Date(expiresAt) <= now ? 'expired' : 'active'

const orderFields = ['name', 'kind', 'currency', 'amountMinor', 'limitMinor', 'expiresAt'] as const

/** The bank's operations: accounts, transfers and refunds. */
export class Bank {
  readonly #parts: BankParts

  constructor(parts: BankParts) {
    this.#parts = parts
  }

  /** The same reference returns the same account. With other details it is refused. */
  open(order: AccountOrder): VirtualAccount {
    const { records, now } = this.#parts
    if (order.subAccount !== null) this.subAccount(order.subAccount)
    const known = records.accounts.get(order.reference)
    if (known === undefined) {
      records.note({ what: 'opened', ...order, openedAt: now().toISOString() })
      return this.account(order.reference)
    }
    if (orderFields.some((field) => known[field] !== order[field]))
      throw new BankRefusal(409, 'reference_used', 'this reference belongs to another account')
    return known
  }

  account(reference: string): VirtualAccount {
    const account = this.#parts.records.accounts.get(reference)
    if (account === undefined) throw new BankRefusal(404, 'account_not_found', 'no account has this reference')
    return account
  }

  /** Each call creates another sub-account, even for the same bank account. A caller has to look for one first. */
  addSubAccount({ bankCode, accountNumber, name }: SubAccountOrder): SubAccount {
    const { records, now, behaviour } = this.#parts
    if (behaviour().subAccountsOff)
      throw new BankRefusal(422, 'sub_accounts_not_enabled', 'sub-accounts are not enabled for this customer')
    const bank = bankOf(bankCode)
    if (bank === undefined || !isNuban(bank.code, accountNumber))
      throw new BankRefusal(404, 'account_not_found', 'the bank has no such account')
    const code = `RTS${String(records.subAccounts.size + 1).padStart(9, '0')}`
    const at = now().toISOString()
    records.note({ what: 'sub_account', code, bankCode: bank.code, accountNumber, name, createdAt: at })
    return this.subAccount(code)
  }

  subAccount(code: string): SubAccount {
    const found = this.#parts.records.subAccounts.get(code)
    if (found === undefined) throw new BankRefusal(404, 'sub_account_not_found', 'no sub-account has this code')
    return found
  }

  /** Applies to all money that is not paid out yet. */
  point(reference: string, { subAccount, feeBearer }: { subAccount: string; feeBearer: FeeBearer }): VirtualAccount {
    const account = this.account(reference)
    const { code } = this.subAccount(subAccount)
    this.#parts.records.note({ what: 'pointed', reference, subAccount: code, feeBearer })
    return account
  }

  /** Pays out transfers that are old enough, and sends notifications. */
  settle(olderThanMs: number): Settlement[] {
    const { records, now, notifier, webhookSecret, behaviour } = this.#parts
    const paid = settlementsDue(records, now(), olderThanMs)
    for (const settlement of paid) {
      records.note({ what: 'settled', ...settlement })
      const notification = { type: 'settlement.paid', settlement: settlement.reference } as const
      notifier.tell(noticeOf(webhookSecret, notification, now()), behaviourOf(behaviour(), ''))
    }
    return paid
  }

  settlement(reference: string): Settlement {
    const found = this.#parts.records.settlements.find((one) => one.reference === reference)
    if (found === undefined) throw new BankRefusal(404, 'settlement_not_found', 'no settlement has this reference')
    return found
  }

  close(reference: string): VirtualAccount {
    const account = this.account(reference)
    const { records, now } = this.#parts
    if (account.closedAt === null) records.note({ what: 'closed', reference, at: now().toISOString() })
    return account
  }

  /** Receives a transfer and notifies the account's owner, as the behaviour says. */
  receive(order: TransferOrder): Transfer {
    const { records, now, behaviour, notifier } = this.#parts
    const account = records.byNumber.get(order.accountNumber)
    if (account === undefined) throw new BankRefusal(404, 'account_not_found', 'no account has this number')
    if (!order.force) this.#refuseUnlessOpen(account, order)
    const { amountMinor, senderName = 'ADAEZE OKAFOR', narration = '', currency = account.currency } = order
    records.note({
      what: 'received',
      accountReference: account.reference,
      accountNumber: account.number,
      amountMinor,
      currency,
      senderName,
      senderBank: '058',
      senderAccount: '0123456789',
      narration,
      receivedAt: now().toISOString(),
    })
    const transfer = records.transfers.at(-1) as Transfer
    const ofTransfer = behaviourOf(behaviour(), narration)
    const notice = this.noticeOf(transfer.reference)
    notifier.tell(ofTransfer.isForged ? forged(notice) : notice, ofTransfer)
    return transfer
  }

  /** The sender's bank reverses the transfer. */
  reverse(reference: string): void {
    const transfer = this.transfer(reference)
    const { records, now, behaviour, notifier } = this.#parts
    if (transfer.reversedAt !== null) return
    records.note({ what: 'reversed', reference, at: now().toISOString() })
    notifier.tell(this.noticeOf(reference, 'transfer.reversed'), behaviourOf(behaviour(), ''))
  }

  transfer(reference: string): Transfer {
    const transfer = this.#parts.records.byReference.get(reference)
    if (transfer === undefined) throw new BankRefusal(404, 'transfer_not_found', 'no transfer has this reference')
    return transfer
  }

  noticeOf(reference: string, type: 'transfer.received' | 'transfer.reversed' = 'transfer.received'): Notice {
    const { webhookSecret, now } = this.#parts
    const { accountNumber, accountReference } = this.transfer(reference)
    return noticeOf(webhookSecret, { type, transfer: reference, account: accountNumber, accountReference }, now())
  }

  /** The same key refunds only once. */
  refund(order: Omit<Refund, 'sentAt'>): Refund {
    const { records, now, behaviour } = this.#parts
    const known = records.refunds.get(order.key)
    if (known !== undefined) {
      if (known.transfer === order.transfer && known.amountMinor === order.amountMinor) return known
      throw new BankRefusal(409, 'key_used', 'this key belongs to another refund')
    }
    const transfer = this.transfer(order.transfer)
    if (behaviour().refusesRefunds)
      throw new BankRefusal(422, 'refund_refused', 'the sender’s bank does not take it back')
    if (transfer.reversedAt !== null || transfer.refundedMinor + order.amountMinor > transfer.amountMinor)
      throw new BankRefusal(422, 'refund_too_much', 'this is more than is left of the transfer')
    if (behaviour().emptyBalance)
      throw new BankRefusal(
        422,
        'balance_too_low',
        'Insufficient balance: top up the balance that refunds are paid from',
      )
    const refund = { ...order, sentAt: now().toISOString() }
    records.note({ what: 'refunded', ...refund })
    return refund
  }

  #refuseUnlessOpen(account: VirtualAccount, { amountMinor, currency = account.currency }: TransferOrder): void {
    const status = statusOf(account, this.#parts.now())
    if (status !== 'active') throw new BankRefusal(422, `account_${status}`, `the account is ${status}`)
    if (account.limitMinor !== null && amountMinor > account.limitMinor)
      throw new BankRefusal(422, 'over_limit', 'this is more than one transfer into the account may be')
    if (currency !== account.currency)
      throw new BankRefusal(422, 'other_currency', `the account takes ${account.currency} and nothing else`)
  }
}

const forged = ({ body, headers }: Notice): Notice => ({
  body,
  headers: { ...headers, 'bank-signature': `t=1,v1=${'0'.repeat(64)}` },
})
