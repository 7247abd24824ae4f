/** A provider's account for a payer. */
export interface Account {
  readonly id: number
  /** the reference of the party that opened the account */
  readonly reference: string
  readonly name: string
  readonly number: string
  closed: boolean
  /** where its money is paid out; null: it stays with the owner of the keys */
  split: Split | null
}

/** All of an account's money goes to a sub-account, which pays the provider's fee or does not. */
export interface Split {
  readonly subAccount: string
  readonly paysFee: boolean
}

/** A bank account of somebody else that money is paid out to. */
export interface SubAccount {
  readonly id: number
  readonly code: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly name: string
  /** in percent: what the owner of the keys keeps */
  readonly kept: number
}

/** What was paid out to a sub-account at one time. */
export interface Settlement {
  readonly id: number
  readonly reference: string
  readonly subAccount: SubAccount
  readonly at: Date
  status: 'paid' | 'processing' | 'failed'
  readonly transfers: readonly {
    readonly transfer: Transfer
    readonly amountMinor: number
    readonly feeMinor: number
  }[]
}

export interface Transfer {
  readonly id: number
  readonly reference: string
  readonly account: Account
  readonly amountMinor: number
  readonly senderName: string
  readonly narration: string
  readonly at: Date
  reversed: boolean
  /** paid by another way than into an account, such as a checkout of somebody else under the same key */
  elsewhere?: boolean
}

export interface Refund {
  readonly key: string
  readonly transfer: Transfer
  readonly amountMinor: number
  state: 'underway' | 'done' | 'failed'
}

/** What one provider has in its ledger, in memory. */
export class ProviderLedger {
  readonly accounts: Account[] = []
  readonly transfers: Transfer[] = []
  readonly refunds: Refund[] = []
  readonly subAccounts: SubAccount[] = []
  readonly settlements: Settlement[] = []
  /** the provider has not enabled sub-accounts for the owner of the keys */
  subAccountsOff = false
  /** nothing is there that a refund could be paid from */
  emptyBalance = false
  readonly #now: () => Date
  readonly #nameOf: (nth: number, at: Date) => string

  constructor(now: () => Date, nameOf: (nth: number, at: Date) => string) {
    this.#now = now
    this.#nameOf = nameOf
  }

  /** Each call makes another one: the providers' calls are not idempotent. */
  addSubAccount(order: Omit<SubAccount, 'id'>): SubAccount {
    const subAccount = { ...order, id: this.subAccounts.length + 1 }
    this.subAccounts.push(subAccount)
    return subAccount
  }

  subAccount(code: unknown): SubAccount | undefined {
    return this.subAccounts.find((one) => one.code === code)
  }

  /** Pays out everything that came and was neither paid out nor taken back: one settlement for each sub-account. */
  settle(feeOf: (amountMinor: number) => number): Settlement[] {
    const paid = new Set(this.settlements.flatMap(({ transfers }) => transfers.map(({ transfer }) => transfer)))
    const due = this.transfers.filter((transfer) => !paid.has(transfer) && !transfer.reversed && !transfer.elsewhere)
    const groups = Map.groupBy(due, ({ account }) => this.subAccount(account.split?.subAccount))
    const made: Settlement[] = []
    for (const [subAccount, transfers] of groups) {
      if (subAccount === undefined) continue
      const id = this.settlements.length + 1
      made.push({
        id,
        reference: `SETTLEMENT${String(id).padStart(8, '0')}`,
        subAccount,
        at: this.#now(),
        status: 'paid',
        transfers: transfers.map((transfer) => {
          const feeMinor = transfer.account.split?.paysFee ? feeOf(transfer.amountMinor) : 0
          return { transfer, amountMinor: transfer.amountMinor - feeMinor, feeMinor }
        }),
      })
      this.settlements.push(made.at(-1) as Settlement)
    }
    return made
  }

  open(reference: string, name: string, split: Split | null): Account {
    const id = this.accounts.length + 1
    const account = { id, reference, name, number: String(6_000_000_000 + id), closed: false, split }
    this.accounts.push(account)
    return account
  }

  receive(order: { number: string; amountMinor: number; senderName?: string; narration?: string }): Transfer {
    const account = this.accounts.find(({ number }) => number === order.number)
    if (account === undefined) throw new Error('no account has this number')
    const id = this.transfers.length + 1
    const at = this.#now()
    const { amountMinor, senderName = 'ADAEZE OKAFOR', narration = 'transfer' } = order
    const transfer = {
      id,
      reference: this.#nameOf(id, at),
      account,
      amountMinor,
      senderName,
      narration,
      at,
      reversed: false,
    }
    this.transfers.push(transfer)
    return transfer
  }

  /** What went back of a transfer, or is on its way. */
  sentOf(transfer: Transfer): number {
    return this.refunds
      .filter((refund) => refund.transfer === transfer && refund.state !== 'failed')
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  }
}
