import { createHmac } from 'node:crypto'
import { jsonReply, type Reply, type Request } from '../shared/http.ts'
import { type Account, ProviderLedger, type Refund, type Settlement, type Transfer } from './ledger.ts'
import { paystackFee, settlementRoutes } from './paystack-settlements.ts'
import { dispatch, fieldsOf, type Route } from './routes.ts'

const ownBank = { id: 24, name: 'Test Bank', slug: 'test-bank' }
const banks = [
  { id: 9, name: 'Guaranty Trust Bank', slug: 'guaranty-trust-bank', code: '058', nip_sort_code: '000013' },
  { ...ownBank, code: '001', nip_sort_code: null },
  { id: 1, name: 'Access Bank', slug: 'access-bank', code: '044', nip_sort_code: '000014' },
]
const refundStates = { underway: 'processing', done: 'processed', failed: 'failed' } as const

interface Customer {
  readonly id: number
  readonly email: string
  readonly name: string
}

const yes = (data: unknown, meta?: object): Reply =>
  jsonReply(200, { status: true, message: 'ok', data, ...(meta === undefined ? {} : { meta }) })
const no = (status: number, message: string, code = 'invalid_params'): Reply =>
  jsonReply(status, { status: false, message, meta: { nextStep: 'See the message' }, type: 'validation_error', code })

/** Paystack's API, as far as dedicated accounts go. */
export class PaystackAccountsApi {
  readonly ledger: ProviderLedger
  readonly customers: Customer[] = []
  /** no bank keeps dedicated accounts for the owner of the key */
  offersNoBank = false
  /** accounts that the bank was asked about again */
  readonly requeried: string[] = []
  readonly #key: string
  readonly #routes: readonly Route[]

  constructor(key: string, now: () => Date) {
    this.#key = key
    this.ledger = new ProviderLedger(now, (nth) => `T${String(nth).padStart(15, '0')}`)
    this.#routes = this.#own()
  }

  noticeOf(transfer: Transfer): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
    const body = JSON.stringify({ event: 'charge.success', data: this.#transaction(transfer) })
    const signature = createHmac('sha512', this.#key).update(body).digest('hex')
    return { body, headers: { 'content-type': 'application/json', 'x-paystack-signature': signature } }
  }

  /** Pays out everything that was not paid out yet. */
  settle(): Settlement[] {
    return this.ledger.settle(paystackFee)
  }

  answer(request: Request, path: string): Reply {
    if (request.headers.authorization !== `Bearer ${this.#key}`) return no(401, 'Invalid key', 'invalid_Key')
    return dispatch(this.#routes, request, path) ?? no(404, `Cannot ${request.method} ${path}`, 'not_found')
  }

  #own(): readonly Route[] {
    const { ledger, customers } = this
    const named = (name: string) => ledger.transfers.find(({ id, reference }) => [`${id}`, reference].includes(name))
    const holder = (code: unknown) => customers.find((one) => customerOf(one).customer_code === code)
    return [
      ...settlementRoutes(ledger, {
        yes,
        no,
        pointed(request, subAccount) {
          const { customer: code, bearer } = fieldsOf(request)
          const email = holder(code)?.email
          const account = ledger.accounts.find(({ reference, closed }) => reference === email && !closed)
          if (!account) return no(400, 'Customer has no dedicated account')
          account.split = { subAccount, paysFee: bearer === 'subaccount' }
          return yes(accountOf(account))
        },
      }),
      {
        on: 'GET /bank',
        handle({ query }) {
          // Pages have one entry, so a caller that reads only the first page sees one bank.
          const at = Number(query.get('next') ?? 0)
          return yes(banks.slice(at, at + 1), {
            next: at + 1 < banks.length ? String(at + 1) : null,
            previous: null,
            perPage: 1,
          })
        },
      },
      {
        on: 'GET /bank/resolve',
        handle({ query }) {
          const number = query.get('account_number') ?? ''
          const isKnown = banks.some(({ code }) => code === query.get('bank_code')) && /^\d{9}5$/.test(number)
          if (!isKnown)
            return no(422, 'Could not resolve account name. Check parameters or try again.', 'invalid_bank_code')
          return yes({ account_number: number, account_name: 'MARVELOUS BENJI', bank_id: 9 })
        },
      },
      {
        on: 'POST /customer',
        handle(request) {
          const { email, first_name, last_name } = fieldsOf(request)
          if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email))
            return no(400, 'Invalid Email Address Passed')
          const there = customers.find((one) => one.email === email)
          const customer = there ?? { id: customers.length + 100, email, name: `${first_name} ${last_name}` }
          if (!there) customers.push(customer)
          return yes(customerOf(customer))
        },
      },
      {
        on: 'GET /customer/:',
        handle(_, email) {
          const customer = customers.find((one) => one.email === email)
          return customer ? yes(customerOf(customer)) : no(404, 'Customer not found', 'customer_not_found')
        },
      },
      {
        on: 'GET /dedicated_account/available_providers',
        handle: () =>
          yes(this.offersNoBank ? [] : [{ provider_slug: 'test-bank', bank_id: 24, bank_name: 'Test Bank', id: 5 }]),
      },
      {
        on: 'GET /dedicated_account/requery',
        handle: ({ query }) => {
          const account = ledger.accounts.find(({ number }) => number === query.get('account_number'))
          if (!account || query.get('provider_slug') !== ownBank.slug) return no(400, 'Dedicated account not found')
          this.requeried.push(account.number)
          return jsonReply(200, { status: true, message: 'Your request has been submitted and is being processed' })
        },
      },
      {
        on: 'POST /dedicated_account',
        handle(request) {
          const { customer: code, subaccount, bearer } = fieldsOf(request)
          const customer = holder(code)
          if (!customer) return no(400, 'Customer is invalid')
          const subAccount = ledger.subAccount(subaccount)
          if (subaccount !== undefined && !subAccount) return no(400, 'Subaccount code is invalid')
          const split = subAccount ? { subAccount: subAccount.code, paysFee: bearer === 'subaccount' } : null
          if (ledger.accounts.some(({ reference, closed }) => reference === customer.email && !closed))
            return no(400, 'This customer already has a dedicated account')
          return yes(accountOf(ledger.open(customer.email, customer.name, split)))
        },
      },
      {
        on: 'GET /dedicated_account',
        handle({ query }) {
          const customer = customers.find(({ id }) => `${id}` === query.get('customer'))
          const isActive = query.get('active') !== 'false'
          const own = ledger.accounts.filter(
            ({ reference, closed }) => reference === customer?.email && closed !== isActive,
          )
          return yes(own.map(accountOf))
        },
      },
      {
        on: 'DELETE /dedicated_account/:',
        handle(_, id) {
          const account = ledger.accounts.find((one) => `${one.id}` === id)
          if (!account) return no(404, 'Dedicated account not found', 'dedicated_account_not_found')
          account.closed = true
          return jsonReply(200, { status: true, message: 'Managed Account Successfully Unassigned' })
        },
      },
      {
        on: 'GET /transaction/verify/:',
        handle: (_, reference) => {
          const transfer = ledger.transfers.find((one) => one.reference === reference)
          if (!transfer) return no(400, 'Transaction reference not found.', 'transaction_not_found')
          return yes(this.#transaction(transfer))
        },
      },
      {
        on: 'GET /transaction',
        handle: ({ query }) => {
          const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')]
          const all = ledger.transfers.filter(({ at }) => !(at.getTime() < from || at.getTime() > to)).toReversed()
          const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('perPage') ?? 50)]
          const shown = all.slice((page - 1) * perPage, page * perPage).map((one) => this.#transaction(one))
          return yes(shown, { total: all.length, page, perPage, pageCount: Math.ceil(all.length / perPage) })
        },
      },
      {
        on: 'POST /refund',
        handle(request) {
          const { transaction, amount, merchant_note } = fieldsOf(request)
          const transfer = named(String(transaction))
          if (!transfer) return no(404, 'Transaction not found', 'transaction_not_found')
          const amountMinor = Number(amount ?? transfer.amountMinor)
          if (ledger.sentOf(transfer) + amountMinor > transfer.amountMinor)
            return no(400, 'Refund amount cannot be more than what is left of the transaction')
          if (ledger.emptyBalance)
            return no(400, 'Your balance is not enough to fulfil this request', 'insufficient_balance')
          const refund: Refund = { key: String(merchant_note), transfer, amountMinor, state: 'underway' }
          ledger.refunds.push(refund)
          return yes({ ...refundOf(refund), status: 'pending' })
        },
      },
      {
        on: 'GET /refund',
        handle({ query }) {
          const transfer = named(query.get('transaction') ?? '')
          return yes(ledger.refunds.filter((refund) => refund.transfer === transfer).map(refundOf))
        },
      },
    ]
  }

  #transaction(transfer: Transfer) {
    const { id, reference, amountMinor, account, at, reversed, senderName, narration } = transfer
    const isBack = this.ledger.refunds
      .filter((refund) => refund.transfer === transfer && refund.state === 'done')
      .reduce((sum, refund) => sum + refund.amountMinor, 0)
    return {
      id,
      domain: 'test',
      status: reversed || isBack === amountMinor ? 'reversed' : 'success',
      reference,
      amount: amountMinor,
      currency: 'NGN',
      channel: 'dedicated_nuban',
      paid_at: at.toISOString(),
      authorization: { channel: 'dedicated_nuban', sender_name: senderName, narration, card_type: 'transfer' },
      customer: { email: account.reference },
    }
  }
}

const customerOf = ({ id, email }: Customer) => ({ id, email, customer_code: `CUS_${String(id).padStart(15, 'x')}` })

const accountOf = ({ id, name, number, closed }: Account) => ({
  id,
  bank: ownBank,
  account_name: name.toUpperCase(),
  account_number: number,
  assigned: !closed,
  active: !closed,
  currency: 'NGN',
})

const refundOf = ({ transfer, amountMinor, key, state }: Refund) => ({
  transaction: transfer.id,
  amount: amountMinor,
  currency: 'NGN',
  status: refundStates[state],
  merchant_note: key,
})
