import { createHmac, randomUUID } from 'node:crypto'
import { jsonReply, type Reply, type Request } from '../shared/http.ts'
import { type Account, ProviderLedger, type Refund, type Settlement, type Transfer } from './ledger.ts'
import { monnifyFee, settlementEvent, settlementRoutes, splitFrom } from './monnify-settlements.ts'
import { dispatch, fieldsOf, type Route } from './routes.ts'

interface Notice {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface MonnifySettings {
  readonly apiKey: string
  readonly secretKey: string
  readonly contractCode: string
  now(): Date
}

const bank = { bankCode: '50515', bankName: 'Moniepoint Microfinance Bank' }
const banks = [
  { name: 'Guaranty Trust Bank', code: '058', ussdTemplate: null, baseUssdCode: null, nipBankCode: '000013' },
  {
    name: 'Access bank',
    code: '044',
    ussdTemplate: '*901*Amount*AccountNumber#',
    baseUssdCode: '*901#',
    nipBankCode: null,
  },
]
const refundStates = { underway: 'PENDING', done: 'COMPLETED', failed: 'FAILED' } as const

const yes = (responseBody: unknown): Reply =>
  jsonReply(200, { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody })
const no = (status: number, responseMessage: string, responseCode = '99'): Reply =>
  jsonReply(status, { requestSuccessful: false, responseMessage, responseCode })

const two = (value: number): string => String(value).padStart(2, '0')
/** The time of Lagos, with the hours of a twelve-hour clock. */
function paidOn(at: Date): string {
  const lagos = new Date(at.getTime() + 3600_000)
  const hour = lagos.getUTCHours()
  const day = `${two(lagos.getUTCDate())}/${two(lagos.getUTCMonth() + 1)}/${lagos.getUTCFullYear()}`
  const clock = `${two(hour % 12 || 12)}:${two(lagos.getUTCMinutes())}:${two(lagos.getUTCSeconds())}`
  return `${day} ${clock} ${hour < 12 ? 'AM' : 'PM'}`
}
const naira = (minor: number): string => (minor / 100).toFixed(2)
const statusOf = ({ reversed }: Transfer): string => (reversed ? 'REVERSED' : 'PAID')

/** Monnify's API, as far as reserved accounts go: tokens, accounts, transactions and refunds. */
export class MonnifyApi {
  readonly ledger: ProviderLedger
  readonly #settings: MonnifySettings
  readonly #tokens = new Set<string>()
  readonly #routes: readonly Route[]

  constructor(settings: MonnifySettings) {
    this.#settings = settings
    this.ledger = new ProviderLedger(
      settings.now,
      (nth, at) => `MNFY|04|${at.getTime()}|${String(nth).padStart(6, '0')}`,
    )
    this.#routes = this.#own()
  }

  /** Every token is void from now on. */
  endTokens(): void {
    this.#tokens.clear()
  }

  /** Pays out everything that was not paid out yet. */
  settle(): Settlement[] {
    return this.ledger.settle(monnifyFee)
  }

  /** The signed notification of a settlement. */
  noticeOfSettlement(settlement: Settlement): Notice {
    return this.#signed(settlementEvent(settlement, paidOn(settlement.at)))
  }

  /** The signed notification of a transfer. */
  noticeOf(transfer: Transfer): Notice {
    const { reference, account, amountMinor, at, senderName } = transfer
    return this.#signed({
      eventType: 'SUCCESSFUL_TRANSACTION',
      eventData: {
        product: { reference: account.reference, type: 'RESERVED_ACCOUNT' },
        transactionReference: reference,
        paymentReference: reference,
        paidOn: new Date(at.getTime() + 3600_000).toISOString().replace('T', ' ').replace('Z', ''),
        paymentSourceInformation: [{ bankCode: '', amountPaid: amountMinor / 100, accountName: senderName }],
        amountPaid: amountMinor / 100,
        totalPayable: amountMinor / 100,
        paymentMethod: 'ACCOUNT_TRANSFER',
        currency: 'NGN',
        paymentStatus: 'PAID',
      },
    })
  }

  #signed(event: object): Notice {
    const body = JSON.stringify(event)
    const signature = createHmac('sha512', this.#settings.secretKey).update(body).digest('hex')
    return { body, headers: { 'content-type': 'application/json', 'monnify-signature': signature } }
  }

  answer(request: Request, path: string): Reply {
    const { apiKey, secretKey } = this.#settings
    if (path === '/api/v1/auth/login') {
      const wanted = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
      if (request.headers.authorization !== wanted) return no(401, 'Invalid credentials')
      const accessToken = randomUUID()
      this.#tokens.add(accessToken)
      return yes({ accessToken, expiresIn: 3599 })
    }
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!this.#tokens.has(token)) return jsonReply(401, { error: 'invalid_token', error_description: 'Invalid token' })
    return dispatch(this.#routes, request, path) ?? no(404, 'Not found')
  }

  #own(): readonly Route[] {
    const { ledger } = this
    const accountOf = (reference: string) => ledger.accounts.find((one) => one.reference === reference)
    return [
      ...settlementRoutes(ledger, { yes, no }),
      { on: 'GET /api/v1/banks', handle: () => yes(banks) },
      {
        on: 'GET /api/v1/disbursements/account/validate',
        handle({ query }) {
          const [accountNumber, bankCode] = [query.get('accountNumber') ?? '', query.get('bankCode') ?? '']
          const isKnown = banks.some(({ code }) => code === bankCode) && /^\d{9}5$/.test(accountNumber)
          if (!isKnown) return no(400, 'Could not find account')
          return yes({ accountNumber, accountName: 'MARVELOUS BENJI', bankCode })
        },
      },
      {
        on: 'POST /api/v2/bank-transfer/reserved-accounts',
        handle: (request) => {
          const fields = fieldsOf(request)
          const { accountReference, accountName, contractCode, customerEmail, customerName } = fields
          const split = splitFrom(ledger, fields.incomeSplitConfig)
          if (split === undefined) return no(422, 'Invalid income split config')
          if (contractCode !== this.#settings.contractCode) return no(404, 'Contract code not found')
          if (
            typeof accountReference !== 'string' ||
            typeof accountName !== 'string' ||
            !customerEmail ||
            !customerName
          )
            return no(422, 'Validation failed')
          if (accountOf(accountReference))
            return no(422, 'You can not reserve two accounts with the same reference', 'R42')
          return yes(this.#shown(ledger.open(accountReference, accountName, split)))
        },
      },
      {
        on: 'GET /api/v2/bank-transfer/reserved-accounts/:',
        handle: (_, reference) => {
          const account = accountOf(reference)
          return account ? yes(this.#shown(account)) : no(404, 'Reserved account not found')
        },
      },
      {
        on: 'DELETE /api/v1/bank-transfer/reserved-accounts/reference/:',
        handle: (_, reference) => {
          const account = accountOf(reference)
          if (account === undefined || account.closed) return no(404, 'Reserved account not found')
          account.closed = true
          return yes(this.#shown(account))
        },
      },
      {
        on: 'GET /api/v2/transactions/:',
        handle: (_, reference) => {
          const transfer = ledger.transfers.find((one) => one.reference === reference)
          return transfer ? yes(transactionOf(transfer)) : no(404, 'Could not find transaction')
        },
      },
      { on: 'GET /api/v1/transactions/search', handle: ({ query }) => yes(this.#list(query)) },
      {
        on: 'POST /api/v1/refunds/initiate-refund',
        handle: (request) => this.#refund(fieldsOf(request)),
      },
      {
        on: 'GET /api/v1/refunds/:',
        handle: (_, key) => {
          const refund = ledger.refunds.find((one) => one.key === key)
          return refund ? yes(refundOf(refund)) : no(404, 'Refund not found')
        },
      },
    ]
  }

  #shown({ reference, name, number, closed }: Account) {
    return {
      contractCode: this.#settings.contractCode,
      accountReference: reference,
      accountName: name,
      currencyCode: 'NGN',
      accounts: [{ ...bank, accountNumber: number, accountName: name }],
      collectionChannel: 'RESERVED_ACCOUNT',
      reservedAccountType: 'GENERAL',
      status: closed ? 'DEALLOCATED' : 'ACTIVE',
    }
  }

  /** Newest first, in pages that begin with 0. */
  #list(query: URLSearchParams) {
    const [from, to] = [Number(query.get('from') ?? 0), Number(query.get('to') ?? Number.MAX_SAFE_INTEGER)]
    const [page, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 10)]
    const all = this.ledger.transfers.filter(({ at }) => at.getTime() >= from && at.getTime() <= to).toReversed()
    const content = all.slice(page * size, (page + 1) * size).map((transfer) => ({
      transactionReference: transfer.reference,
      paymentReference: transfer.reference,
      amountPaid: transfer.amountMinor / 100,
      currencyCode: 'NGN',
      completedOn: transfer.at.toISOString().replace('Z', '+0000'),
      paymentStatus: statusOf(transfer),
    }))
    return { content, totalElements: all.length, totalPages: Math.ceil(all.length / size), number: page, size }
  }

  #refund(fields: Readonly<Record<string, unknown>>): Reply {
    const { transactionReference, refundReference, refundAmount, refundReason, customerNote } = fields
    const transfer = this.ledger.transfers.find(({ reference }) => reference === transactionReference)
    if (transfer === undefined) return no(404, 'Transaction with specified reference does not exist', 'R1')
    if (this.ledger.refunds.some(({ key }) => key === refundReference))
      return no(422, 'Duplicate refund reference', 'R2')
    if (String(refundReason ?? '').length > 64 || String(customerNote ?? '').length > 16)
      return no(422, 'Validation failed')
    const amountMinor = Math.round(Number(refundAmount) * 100)
    if (!(amountMinor >= 10_000)) return no(422, 'Refund amount is below the minimum')
    if (this.ledger.sentOf(transfer) + amountMinor > transfer.amountMinor)
      return no(422, 'Refund amount is more than the transaction amount')
    if (this.ledger.emptyBalance) return no(422, 'Insufficient balance in your wallet to process this refund')
    const refund: Refund = { key: String(refundReference), transfer, amountMinor, state: 'underway' }
    this.ledger.refunds.push(refund)
    // Said although it is only begun.
    return yes({ ...refundOf(refund), refundStatus: 'COMPLETED', comment: 'Transaction refund is in progress.' })
  }
}

const transactionOf = (transfer: Transfer) => ({
  transactionReference: transfer.reference,
  paymentReference: transfer.reference,
  amountPaid: naira(transfer.amountMinor),
  totalPayable: naira(transfer.amountMinor),
  paidOn: paidOn(transfer.at),
  paymentStatus: statusOf(transfer),
  paymentDescription: transfer.narration,
  currency: 'NGN',
  paymentMethod: 'ACCOUNT_TRANSFER',
  product: transfer.elsewhere
    ? { type: 'WEB_SDK', reference: transfer.reference }
    : { type: 'RESERVED_ACCOUNT', reference: transfer.account.reference },
  cardDetails: null,
  accountDetails: { accountName: transfer.senderName, accountNumber: '******7503', bankCode: '000001' },
})

const refundOf = ({ key, transfer, amountMinor, state }: Refund) => ({
  refundReference: key,
  transactionReference: transfer.reference,
  refundAmount: amountMinor / 100,
  refundStatus: refundStates[state],
})
