import type { Reply, Request } from '../shared/http.ts'
import type { ProviderLedger, Settlement, SubAccount } from './ledger.ts'
import { fieldsOf, type Route } from './routes.ts'

export interface Answers {
  yes(data: unknown, meta?: object): Reply
  no(status: number, message: string, code?: string): Reply
  /** the account of a customer, and what is shown of it */
  pointed(request: Request, subAccount: string): Reply
}

/** One percent, ₦300 at most. */
export const paystackFee = (amountMinor: number): number => Math.min(Math.floor(amountMinor / 100), 30_000)

const shown = ({ id, code, name, bankCode, accountNumber, kept }: SubAccount) => ({
  id,
  subaccount_code: code,
  business_name: name,
  account_number: accountNumber,
  percentage_charge: kept,
  settlement_bank: 'Guaranty Trust Bank',
  bank_code: bankCode,
  currency: 'NGN',
  is_verified: false,
  active: true,
  settlement_schedule: 'AUTO',
})

const statuses = { paid: 'success', processing: 'processing', failed: 'failed' } as const

const settlementOf = ({ id, status, at, transfers }: Settlement) => ({
  id,
  domain: 'test',
  status: statuses[status],
  currency: 'NGN',
  total_amount: transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  total_fees: transfers.reduce((sum, { feeMinor }) => sum + feeMinor, 0),
  settlement_date: at.toISOString(),
  createdAt: at.toISOString(),
})

const paged = <T>(all: readonly T[], query: URLSearchParams) => {
  const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('perPage') ?? 50)]
  const meta = { total: all.length, page, perPage, pageCount: Math.ceil(all.length / perPage) }
  return { rows: all.slice((page - 1) * perPage, page * perPage), meta }
}

/** Subaccounts, what dedicated accounts are split into, and settlements. */
export function settlementRoutes(ledger: ProviderLedger, { yes, no, pointed }: Answers): readonly Route[] {
  return [
    {
      on: 'POST /subaccount',
      handle(request) {
        if (ledger.subAccountsOff) return no(403, 'Subaccounts are not enabled for your business', 'feature_disabled')
        const { business_name, settlement_bank, account_number, percentage_charge } = fieldsOf(request)
        if (typeof business_name !== 'string' || typeof percentage_charge !== 'number')
          return no(400, 'business_name and percentage_charge are required')
        if (typeof settlement_bank !== 'string' || !/^\d{9}5$/.test(String(account_number)))
          return no(400, 'Account details are invalid', 'invalid_bank_details')
        const id = ledger.subAccounts.length + 1
        return yes(
          shown(
            ledger.addSubAccount({
              code: `ACCT_${String(id).padStart(15, 'x')}`,
              bankCode: settlement_bank,
              accountNumber: String(account_number),
              name: business_name,
              kept: percentage_charge,
            }),
          ),
        )
      },
    },
    {
      on: 'GET /subaccount',
      handle({ query }) {
        const { rows, meta } = paged(ledger.subAccounts.toReversed(), query)
        return yes(rows.map(shown), meta)
      },
    },
    {
      on: 'POST /dedicated_account/split',
      handle(request) {
        const subAccount = ledger.subAccount(fieldsOf(request).subaccount)
        return subAccount ? pointed(request, subAccount.code) : no(400, 'Subaccount code is invalid')
      },
    },
    {
      on: 'GET /settlement',
      handle({ query }) {
        const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')]
        const code = query.get('subaccount')
        const all = ledger.settlements
          .filter(({ subAccount, at }) => subAccount.code === code && !(at.getTime() < from || at.getTime() > to))
          .toReversed()
        const { rows, meta } = paged(all, query)
        return yes(rows.map(settlementOf), meta)
      },
    },
    {
      on: 'GET /settlement/:/transactions',
      handle({ query }, id) {
        const settlement = ledger.settlements.find((one) => `${one.id}` === id)
        if (!settlement) return no(404, 'Settlement not found', 'settlement_not_found')
        const { rows, meta } = paged(settlement.transfers, query)
        const transactions = rows.map(({ transfer, feeMinor }) => ({
          id: transfer.id,
          reference: transfer.reference,
          amount: transfer.amountMinor,
          fees: feeMinor,
          currency: 'NGN',
          status: 'success',
          customer: { email: transfer.account.reference },
        }))
        return yes(transactions, meta)
      },
    },
  ]
}
