/** An account that a provider keeps for somebody who pays. */
export interface Account {
  readonly id: number
  /** how whoever asked for it calls it */
  readonly reference: string
  readonly name: string
  readonly number: string
  closed: boolean
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

/** What one provider has in its books, in memory. */
export class Books {
  readonly accounts: Account[] = []
  readonly transfers: Transfer[] = []
  readonly refunds: Refund[] = []
  readonly #now: () => Date
  readonly #nameOf: (nth: number, at: Date) => string

  constructor(now: () => Date, nameOf: (nth: number, at: Date) => string) {
    this.#now = now
    this.#nameOf = nameOf
  }

  open(reference: string, name: string): Account {
    const id = this.accounts.length + 1
    const account = { id, reference, name, number: String(6_000_000_000 + id), closed: false }
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
