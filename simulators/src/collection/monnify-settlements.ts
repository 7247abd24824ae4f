import type { Reply, Request } from '../shared/http.ts'
import type { ProviderLedger, Settlement, Split, SubAccount } from './ledger.ts'
import { entriesOf, type Route } from './routes.ts'

export interface Answers {
  yes(body: unknown): Reply
  no(status: number, message: string, code?: string): Reply
}

/** ₦10 for each transfer. */
export const monnifyFee = (): number => 1_000

const shown = ({ code, bankCode, accountNumber, name, kept }: SubAccount) => ({
  subAccountCode: code,
  accountNumber,
  accountName: name,
  currencyCode: 'NGN',
  bankCode,
  bankName: 'Guaranty Trust Bank',
  defaultSplitPercentage: 100 - kept,
  settlementProfileCode: '',
  settlementReportEmails: [],
})

/** What an account's money is to be split into; `undefined` if Monnify would not take it. None at all is taken: all stays with the merchant. */
export function splitFrom(ledger: ProviderLedger, config: unknown): Split | null | undefined {
  if (config === undefined) return null
  if (!Array.isArray(config) || config.length < 1 || config.length > 5) return undefined
  const [first] = config as readonly Readonly<Record<string, unknown>>[]
  const subAccount = ledger.subAccount(first?.subAccountCode)
  if (!subAccount || config.length > 1 || first?.splitPercentage !== 100) return undefined
  return { subAccount: subAccount.code, paysFee: first.feeBearer === true }
}

/** What belongs to a settlement, as Monnify lists it. */
const transactionsOf = ({ transfers }: Settlement) =>
  transfers.map(({ transfer, amountMinor }) => ({
    transactionReference: transfer.reference,
    paymentReference: transfer.reference,
    product: { type: 'RESERVED_ACCOUNT', reference: transfer.account.reference },
    amountPaid: (transfer.amountMinor / 100).toFixed(2),
    totalPayable: (transfer.amountMinor / 100).toFixed(2),
    settlementAmount: (amountMinor / 100).toFixed(2),
    paymentStatus: 'PAID',
    currency: 'NGN',
    paymentMethod: 'ACCOUNT_TRANSFER',
  }))

const totalOf = ({ transfers }: Settlement): string =>
  (transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0) / 100).toFixed(2)

/** The notification of a settlement. */
export const settlementEvent = (settlement: Settlement, settlementTime: string) => ({
  eventType: 'SETTLEMENT',
  eventData: {
    amount: totalOf(settlement),
    settlementTime,
    settlementReference: settlement.reference,
    destinationAccountNumber: settlement.subAccount.accountNumber,
    destinationBankName: 'Guaranty Trust Bank',
    destinationAccountName: settlement.subAccount.name,
    transactionsCount: settlement.transfers.length,
    transactions: transactionsOf(settlement),
  },
})

/** Sub-accounts, what accounts are split into, and settlements. */
export function settlementRoutes(ledger: ProviderLedger, { yes, no }: Answers): readonly Route[] {
  const off = () => no(403, 'Sub accounts are not enabled for this merchant. Contact support.', '99')

  function create(request: Request): Reply {
    if (ledger.subAccountsOff) return off()
    const orders = entriesOf(request)
    const isWhole = orders.every(
      ({ currencyCode, bankCode, accountNumber, email, defaultSplitPercentage }) =>
        currencyCode === 'NGN' &&
        typeof bankCode === 'string' &&
        /^\d{9}5$/.test(String(accountNumber)) &&
        typeof email === 'string' &&
        typeof defaultSplitPercentage === 'number',
    )
    if (orders.length === 0 || !isWhole) return no(422, 'Validation failed')
    return yes(
      orders.map(({ bankCode, accountNumber, defaultSplitPercentage }) =>
        shown(
          ledger.addSubAccount({
            code: `MFY_SUB_${String(ledger.subAccounts.length + 1).padStart(12, '3')}`,
            bankCode: String(bankCode),
            accountNumber: String(accountNumber),
            name: 'MARVELOUS BENJI',
            kept: 100 - Number(defaultSplitPercentage),
          }),
        ),
      ),
    )
  }

  return [
    { on: 'POST /api/v1/sub-accounts', handle: create },
    {
      on: 'GET /api/v1/sub-accounts',
      handle: () => (ledger.subAccountsOff ? off() : yes(ledger.subAccounts.map(shown))),
    },
    {
      on: 'PUT /api/v1/bank-transfer/reserved-accounts/update-income-split-config/:',
      handle(request, reference) {
        const account = ledger.accounts.find((one) => one.reference === reference)
        if (!account || account.closed) return no(404, 'Reserved account not found')
        const split = splitFrom(ledger, entriesOf(request))
        if (!split) return no(422, 'Invalid income split config')
        account.split = split
        return yes({ accountReference: reference, incomeSplitConfig: entriesOf(request) })
      },
    },
    {
      on: 'GET /api/v1/transactions/find-by-settlement-reference',
      handle({ query }) {
        const settlement = ledger.settlements.find(({ reference }) => reference === query.get('reference'))
        if (!settlement) return no(404, 'Settlement not found')
        const [page, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 10)]
        const all = transactionsOf(settlement)
        const content = all.slice(page * size, (page + 1) * size)
        return yes({ content, totalElements: all.length, totalPages: Math.ceil(all.length / size), number: page, size })
      },
    },
    {
      on: 'GET /api/v1/settlement-detail',
      handle({ query }) {
        const reference = query.get('transactionReference')
        const settlement = ledger.settlements.find(({ transfers }) =>
          transfers.some(({ transfer }) => transfer.reference === reference),
        )
        if (!settlement) return no(404, 'Settlement not found for transaction')
        return yes({ settlementReference: settlement.reference, transactionReference: reference, beneficiaries: [] })
      },
    },
  ]
}
