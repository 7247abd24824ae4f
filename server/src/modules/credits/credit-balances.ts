/** The balances of a tenant. `issued` is on the opposite side of the ledger: credits that came in from outside. */
export interface CreditBalances {
  readonly available: bigint
  readonly held: bigint
  readonly spent: bigint
  readonly lent: bigint
  readonly owed: bigint
  readonly issued: bigint
}

export type BalanceName = keyof CreditBalances

/** The source and target balance of each kind of move. */
export const routes = {
  charge: ['available', 'spent'],
  refund: ['spent', 'available'],
  hold: ['available', 'held'],
  capture: ['held', 'spent'],
  release: ['held', 'available'],
  grant: ['issued', 'available'],
  purchase: ['issued', 'available'],
  settlement: ['issued', 'owed'],
  reversal: ['available', 'issued'],
  debt: ['owed', 'issued'],
  pool_out: ['available', 'lent'],
  pool_in: ['issued', 'available'],
  pool_return_out: ['available', 'issued'],
  pool_return_in: ['lent', 'available'],
} as const satisfies Record<string, readonly [from: BalanceName, to: BalanceName]>

export type MoveType = keyof typeof routes
export const moveTypes = Object.keys(routes) as readonly MoveType[]

/** `issued` and `owed` are liabilities: a move out of `issued` raises it, and a move into `owed` lowers it. */
const onTheRight: ReadonlySet<BalanceName> = new Set<BalanceName>(['issued', 'owed'])

/** The change of each balance. Every move changes two by the same amount, so the ledger stays balanced. */
export function changesOf(type: MoveType, amount: bigint): ReadonlyMap<BalanceName, bigint> {
  const [from, to] = routes[type]
  return new Map<BalanceName, bigint>([
    [from, onTheRight.has(from) ? amount : -amount],
    [to, onTheRight.has(to) ? -amount : amount],
  ])
}

/** The change of the available credits, which users call the balance. */
export const changeOfBalance = (type: MoveType, amount: bigint): bigint =>
  changesOf(type, amount).get('available') ?? 0n

/** Incoming credits settle debts first. */
export function shareOut(balances: CreditBalances, amount: bigint): { settlement: bigint; rest: bigint } {
  const settlement = amount < balances.owed ? amount : balances.owed
  return { settlement, rest: amount - settlement }
}

/** Available credits are taken back, and the rest becomes a debt. */
export function takeBack(balances: CreditBalances, amount: bigint): { reversal: bigint; debt: bigint } {
  const reversal = amount < balances.available ? amount : balances.available
  return { reversal, debt: amount - reversal }
}
