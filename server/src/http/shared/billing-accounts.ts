import Type from 'typebox'
import { changeOfBalance, type ledgerEntries, moveTypes } from '../../modules/credits/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Day,
  Fields,
  Instant,
  List,
  Maybe,
  ModeField,
  means,
  Named,
  OneOf,
  PageQuery,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { csvOf } from '../reply/csv.ts'
import { billingRoutes as routes } from '../routes/billing.ts'
import { Credits } from './catalogue.ts'

const AccountParams = Fields({
  id: Type.String({ format: 'uuid-or-me', description: 'Identifier of your own billing account (UUID), or `me`.' }),
})
const mode = {
  mode: means(
    'Mode to read: `sandbox` or `live`. The mode of the token if left out. An API key reads its own mode only.',
    Type.Optional(ModeField),
  ),
}
/** Each list has its own default for the first day. */
const days = (whenLeftOut: string, limit = '') => ({
  from: means(`First day, in the operator’s time zone. ${whenLeftOut} if left out.${limit}`, Type.Optional(Day)),
  to: means('Last day, in the operator’s time zone, which counts too. Today if left out.', Type.Optional(Day)),
})
const atMostAYear = ' At most 366 days up to `to`.'
const balances = {
  creditBalance: means('Credits that can be spent now.', Credits),
  heldCredits: means('Credits held for actions in progress. They are spent or released when the action ends.', Credits),
  owedCredits: means(
    'Credits that were spent before their payment was returned. Later credits settle this debt first.',
    Credits,
  ),
}

const BalanceView = Named('Balance', {
  mode: means('Mode of this balance: `sandbox` or `live`.', ModeField),
  ...balances,
})

const Entry = Named('LedgerEntry', {
  id: means('Unique identifier of the entry (UUIDv7).', Uuid),
  type: means(
    'Kind of entry. Spending: `charge`, `refund` (a charge undone), `hold`, `capture` (a hold spent), `release` (a hold freed). Incoming: `grant` (plan, free or sandbox credits), `purchase`, `settlement` (pays a debt). Payment returned: `reversal` (unspent credits), `debt` (spent credits). Credit pool: `pool_out` and `pool_return_in` at the parent organisation, `pool_in` and `pool_return_out` at the child.',
    OneOf(...moveTypes),
  ),
  action: means(
    'Billable action that the credits were moved for, such as `invoice.submit`. Null if it was none, as for a purchase.',
    Maybe(Type.String()),
  ),
  amount: means(
    'Change of the balance in credits: negative if it fell, 0 for entries that move held or owed credits only.',
    Credits,
  ),
  credits: means('Number of credits that this entry moved, always positive.', Credits),
  balanceAfter: means('Credits that could be spent after this entry.', Credits),
  reference: means('Cause of the entry, such as the invoice or payment. Unique for each `type`.', Type.String()),
  createdAt: means('When the credits were moved.', Instant),
})
const toEntry = ({ id, type, action, amount, availableAfter, cause, createdAt }: ledgerEntries.LedgerEntry) => ({
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
  totalCredits: means('Credits spent in this time, in total.', Credits),
  actions: means(
    'Credits spent on each billable action.',
    List(
      Fields({
        action: means('Name of the action, such as `invoice.submit`.', Type.String()),
        credits: means('Credits spent on this action.', Credits),
        count: means('Number of times that this action was charged.', Type.Integer()),
      }),
    ),
  ),
  days: means(
    'Credits spent on each day. Days without spending are left out.',
    List(
      Fields({
        date: means('Day in the operator’s time zone.', Day),
        credits: means('Credits spent on this day.', Credits),
      }),
    ),
  ),
}

function summed(
  rows: readonly ledgerEntries.UsageRow[],
  by: 'action' | 'day',
): Map<string, { credits: number; count: number }> {
  const sums = new Map<string, { credits: number; count: number }>()
  for (const row of rows) {
    const before = sums.get(row[by]) ?? { credits: 0, count: 0 }
    sums.set(row[by], { credits: before.credits + Number(row.credits), count: before.count + Number(row.count) })
  }
  return sums
}

const toUsage = (rows: readonly ledgerEntries.UsageRow[]) => ({
  totalCredits: rows.reduce((sum, { credits }) => sum + Number(credits), 0),
  actions: [...summed(rows, 'action')].map(([action, { credits, count }]) => ({ action, credits, count })),
  days: [...summed(rows, 'day')].map(([date, { credits }]) => ({ date, credits })),
})

export const billingAccounts = {
  getAccount: describeRoute(routes.getAccount, {
    status: 200,
    query: Fields(mode),
    reply: Named('BillingAccount', {
      id: means('Unique identifier of the billing account (UUIDv7).', Uuid),
      organizationId: means('Identifier of the organisation that owns the account.', Uuid),
      mode: means('Mode of `creditBalance`: `sandbox` or `live`.', ModeField),
      creditBalance: means('Credits that can be spent now in this mode.', Credits),
      lowBalanceThreshold: means(
        'A mail is sent when the live balance falls below this number of credits. 0 if the mail is off, and always 0 for a sandbox key.',
        Credits,
      ),
      balances: means('Balance of each mode. An API key sees its own mode only.', List(BalanceView)),
      createdAt: means('When the account was opened.', Instant),
    }),
    decode: ({ query }) => ({ mode: query.mode }),
    encode: ({ account, mode, balances, lowBalanceThreshold }) => ({
      id: account.id,
      organizationId: account.organisationId,
      mode,
      creditBalance: Number(balances.find((one) => one.mode === mode)?.credits.available),
      lowBalanceThreshold: Number(lowBalanceThreshold),
      balances: balances.map(({ mode, credits }) => ({
        mode,
        creditBalance: Number(credits.available),
        heldCredits: Number(credits.held),
        owedCredits: Number(credits.owed),
      })),
      createdAt: account.openedAt.toISOString(),
    }),
  }),
  changeThreshold: describeRoute(routes.changeThreshold, {
    status: 200,
    body: Fields({
      threshold: means(
        'Number of live credits below which a mail is sent, 0 to 100,000,000. 0 turns the mail off.',
        Type.Integer({ minimum: 0, maximum: 100_000_000 }),
      ),
    }),
    reply: Fields({
      threshold: means('Number of live credits below which a mail is sent. 0 if the mail is off.', Credits),
    }),
    decode: ({ body }) => ({ threshold: BigInt(body.threshold) }),
    encode: ({ threshold }) => ({ threshold: Number(threshold) }),
  }),
  checkBalance: describeRoute(routes.checkBalance, {
    status: 200,
    params: AccountParams,
    query: Fields({
      ...mode,
      credits: means(
        'Number of credits that you want to spend, 1 to 1,000,000,000.',
        Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
      ),
    }),
    reply: Fields({
      mode: means('Mode of the balance: `sandbox` or `live`.', ModeField),
      sufficient: means('Whether the balance covers `credits` at this moment.', Type.Boolean()),
      creditBalance: means('Credits that can be spent now.', Credits),
      credits: means('Number of credits that you asked about.', Credits),
    }),
    decode: ({ params, query }) => ({ account: params.id, mode: query.mode, credits: BigInt(query.credits) }),
    encode: ({ mode, sufficient, available, credits }) => ({
      mode,
      sufficient,
      creditBalance: Number(available),
      credits: Number(credits),
    }),
  }),
  getStats: describeRoute(routes.getStats, {
    status: 200,
    params: AccountParams,
    query: Fields(mode),
    reply: Named('BillingStats', {
      mode: means('Mode of these figures: `sandbox` or `live`.', ModeField),
      ...balances,
      lifetime: means(
        'Totals since the account was opened.',
        Fields({
          grantedCredits: means('Credits from plans, free credits and refills of the sandbox.', Credits),
          purchasedCredits: means('Credits bought in packages, and credits that settled a debt.', Credits),
          returnedCredits: means('Credits taken back because their payment was refunded or disputed.', Credits),
          receivedFromParentCredits: means(
            'Credits that the parent organisation paid, less those that went back to it.',
            Credits,
          ),
          consumedCredits: means('Credits spent on billable actions.', Credits),
        }),
      ),
      last30Days: means(
        'Spending of the last 30 days.',
        Fields({
          from: means('Start of the 30 days.', Instant),
          to: means('End of the 30 days: the time of this request.', Instant),
          ...UsageView,
        }),
      ),
    }),
    decode: ({ params, query }) => ({ account: params.id, mode: query.mode }),
    encode: ({ mode, balances, incoming, usage, span }) => ({
      mode,
      creditBalance: Number(balances.available),
      heldCredits: Number(balances.held),
      owedCredits: Number(balances.owed),
      lifetime: {
        grantedCredits: Number(incoming.granted),
        purchasedCredits: Number(incoming.purchased),
        returnedCredits: Number(incoming.returned),
        receivedFromParentCredits: Number(incoming.received),
        consumedCredits: Number(balances.spent),
      },
      last30Days: { from: span.from.toISOString(), to: span.to.toISOString(), ...toUsage(usage) },
    }),
  }),
  readUsage: describeRoute(routes.readUsage, {
    status: 200,
    params: AccountParams,
    query: Fields({ ...mode, ...days('The 30 days that end with `to`', atMostAYear) }),
    reply: Named('Usage', {
      mode: means('Mode of these figures: `sandbox` or `live`.', ModeField),
      from: means('First day of the figures, in the operator’s time zone.', Day),
      to: means('Last day of the figures, in the operator’s time zone.', Day),
      ...UsageView,
    }),
    decode: ({ params, query }) => ({ account: params.id, mode: query.mode, from: query.from, to: query.to }),
    encode: ({ mode, days, usage }) => ({ mode, ...days, ...toUsage(usage) }),
  }),
  readLedger: describeRoute(routes.readLedger, {
    status: 200,
    params: AccountParams,
    query: Fields({
      ...mode,
      ...days('From the first entry on'),
      ...PageQuery(50),
      type: means(
        'Only entries of this type. `LedgerEntry.type` explains the values.',
        Type.Optional(OneOf(...moveTypes)),
      ),
      action: means('Only entries for this billable action, such as `invoice.submit`.', Type.Optional(Text(1, 50))),
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
  readStatement: describeRoute(routes.readStatement, {
    status: 200,
    params: AccountParams,
    query: Fields({ ...mode, ...days('The first day of the month of `to`', atMostAYear) }),
    reply: Named('Statement', {
      accountId: means('Identifier of the billing account (UUIDv7).', Uuid),
      mode: means('Mode of the ledger: `sandbox` or `live`.', ModeField),
      from: means('First day of the statement of account, in the operator’s time zone.', Day),
      to: means('Last day of the statement of account, in the operator’s time zone.', Day),
      openingBalance: means('Credits that could be spent at the start of `from`.', Credits),
      closingBalance: means('Credits that could be spent at the end of `to`.', Credits),
      entries: means('Ledger entries of these days, oldest first; at most 10,000.', List(Entry)),
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
