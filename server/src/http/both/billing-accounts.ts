import Type from 'typebox'
import { changeOfBalance, type LedgerEntry, moveTypes, type UsageRow } from '../../modules/credits/index.ts'
import { csvOf } from '../csv.ts'
import { billingEndpoints as endpoints } from '../endpoints/billing.ts'
import {
  Day,
  Fields,
  Instant,
  List,
  Maybe,
  ModeField,
  Named,
  OneOf,
  PageQuery,
  pageFrom,
  Text,
  Uuid,
} from '../fields.ts'
import { speak } from '../speak.ts'
import { Credits } from './catalogue.ts'

const AccountParams = Fields({
  id: Type.String({ format: 'uuid-or-me', description: 'your own account, or `me`' }),
})
const mode = { mode: Type.Optional(ModeField) }
const days = { from: Type.Optional(Day), to: Type.Optional(Day) }

const BalanceView = Named('Balance', {
  mode: ModeField,
  creditBalance: Credits,
  heldCredits: Credits,
  owedCredits: Credits,
})

const Entry = Named('LedgerEntry', {
  id: Uuid,
  type: OneOf(...moveTypes),
  action: Maybe(Type.String()),
  amount: Credits,
  credits: Credits,
  balanceAfter: Credits,
  reference: Type.String(),
  createdAt: Instant,
})
const toEntry = ({ id, type, action, amount, availableAfter, cause, createdAt }: LedgerEntry) => ({
  id,
  type,
  action,
  amount: Number(changeOfBalance(type, amount)),
  credits: Number(amount),
  balanceAfter: Number(availableAfter),
  reference: cause,
  createdAt: createdAt.toISOString(),
})

const UsageView = {
  totalCredits: Credits,
  actions: List(Fields({ action: Type.String(), credits: Credits, count: Type.Integer() })),
  days: List(Fields({ date: Day, credits: Credits })),
}

function summed(rows: readonly UsageRow[], by: 'action' | 'day'): Map<string, { credits: number; count: number }> {
  const sums = new Map<string, { credits: number; count: number }>()
  for (const row of rows) {
    const before = sums.get(row[by]) ?? { credits: 0, count: 0 }
    sums.set(row[by], { credits: before.credits + Number(row.credits), count: before.count + Number(row.count) })
  }
  return sums
}

const toUsage = (rows: readonly UsageRow[]) => ({
  totalCredits: rows.reduce((sum, { credits }) => sum + Number(credits), 0),
  actions: [...summed(rows, 'action')].map(([action, { credits, count }]) => ({ action, credits, count })),
  days: [...summed(rows, 'day')].map(([date, { credits }]) => ({ date, credits })),
})

export const billingAccounts = {
  getAccount: speak(endpoints.getAccount, {
    status: 200,
    query: Fields(mode),
    reply: Named('BillingAccount', {
      id: Uuid,
      organizationId: Uuid,
      mode: ModeField,
      creditBalance: Credits,
      lowBalanceThreshold: Credits,
      balances: List(BalanceView),
      createdAt: Instant,
    }),
    decode: ({ query }) => ({ mode: query.mode }),
    encode: ({ account, mode, balances, lowBalanceThreshold }) => ({
      id: account.id,
      organizationId: account.organisationId,
      mode,
      creditBalance: Number(balances.find((one) => one.mode === mode)?.books.available),
      lowBalanceThreshold: Number(lowBalanceThreshold),
      balances: balances.map(({ mode, books }) => ({
        mode,
        creditBalance: Number(books.available),
        heldCredits: Number(books.held),
        owedCredits: Number(books.owed),
      })),
      createdAt: account.openedAt.toISOString(),
    }),
  }),
  changeThreshold: speak(endpoints.changeThreshold, {
    status: 200,
    body: Fields({ threshold: Type.Integer({ minimum: 0, maximum: 100_000_000 }) }),
    reply: Fields({ threshold: Credits }),
    decode: ({ body }) => ({ threshold: BigInt(body.threshold) }),
    encode: ({ threshold }) => ({ threshold: Number(threshold) }),
  }),
  checkBalance: speak(endpoints.checkBalance, {
    status: 200,
    params: AccountParams,
    query: Fields({ ...mode, credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }) }),
    reply: Fields({ mode: ModeField, sufficient: Type.Boolean(), creditBalance: Credits, credits: Credits }),
    decode: ({ params, query }) => ({ account: params.id, mode: query.mode, credits: BigInt(query.credits) }),
    encode: ({ mode, sufficient, available, credits }) => ({
      mode,
      sufficient,
      creditBalance: Number(available),
      credits: Number(credits),
    }),
  }),
  getStats: speak(endpoints.getStats, {
    status: 200,
    params: AccountParams,
    query: Fields(mode),
    reply: Named('BillingStats', {
      mode: ModeField,
      creditBalance: Credits,
      heldCredits: Credits,
      owedCredits: Credits,
      lifetime: Fields({
        grantedCredits: Credits,
        purchasedCredits: Credits,
        returnedCredits: Credits,
        receivedFromParentCredits: Credits,
        consumedCredits: Credits,
      }),
      last30Days: Fields({ from: Instant, to: Instant, ...UsageView }),
    }),
    decode: ({ params, query }) => ({ account: params.id, mode: query.mode }),
    encode: ({ mode, books, incoming, usage, span }) => ({
      mode,
      creditBalance: Number(books.available),
      heldCredits: Number(books.held),
      owedCredits: Number(books.owed),
      lifetime: {
        grantedCredits: Number(incoming.granted),
        purchasedCredits: Number(incoming.purchased),
        returnedCredits: Number(incoming.returned),
        receivedFromParentCredits: Number(incoming.received),
        consumedCredits: Number(books.spent),
      },
      last30Days: { from: span.from.toISOString(), to: span.to.toISOString(), ...toUsage(usage) },
    }),
  }),
  readUsage: speak(endpoints.readUsage, {
    status: 200,
    params: AccountParams,
    query: Fields({ ...mode, ...days }),
    reply: Named('Usage', { mode: ModeField, from: Day, to: Day, ...UsageView }),
    decode: ({ params, query }) => ({ account: params.id, mode: query.mode, from: query.from, to: query.to }),
    encode: ({ mode, days, usage }) => ({ mode, ...days, ...toUsage(usage) }),
  }),
  readLedger: speak(endpoints.readLedger, {
    status: 200,
    params: AccountParams,
    query: Fields({
      ...mode,
      ...days,
      ...PageQuery(50),
      type: Type.Optional(OneOf(...moveTypes)),
      action: Type.Optional(Text(1, 50)),
    }),
    reply: List(Entry),
    decode: ({ params, query }) => ({
      account: params.id,
      mode: query.mode,
      from: query.from,
      to: query.to,
      type: query.type,
      action: query.action,
      page: pageFrom(query, 50),
    }),
    encode: ({ rows }) => rows.map(toEntry),
    pagination: (page) => page,
  }),
  readStatement: speak(endpoints.readStatement, {
    status: 200,
    params: AccountParams,
    query: Fields({ ...mode, ...days }),
    reply: Named('Statement', {
      accountId: Uuid,
      mode: ModeField,
      from: Day,
      to: Day,
      openingBalance: Credits,
      closingBalance: Credits,
      entries: List(Entry),
    }),
    decode: ({ params, query }) => ({ account: params.id, mode: query.mode, from: query.from, to: query.to }),
    encode: ({ accountId, mode, days, openingBalance, closingBalance, entries }) => ({
      accountId,
      mode,
      ...days,
      openingBalance: Number(openingBalance),
      closingBalance: Number(closingBalance),
      entries: entries.map(toEntry),
    }),
    alsoAs: {
      'text/csv': ({ entries }) =>
        csvOf(
          ['id', 'createdAt', 'type', 'action', 'amount', 'credits', 'balanceAfter', 'reference'],
          entries
            .map(toEntry)
            .map((entry) => [
              entry.id,
              entry.createdAt,
              entry.type,
              entry.action,
              entry.amount,
              entry.credits,
              entry.balanceAfter,
              entry.reference,
            ]),
        ),
    },
  }),
}
