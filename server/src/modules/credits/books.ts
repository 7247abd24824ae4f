/** The places where credits can be. `issued` is the opposite side of the books: credits that came in from outside. */
export interface Books {
  readonly available: bigint
  readonly held: bigint
  readonly spent: bigint
  readonly lent: bigint
  readonly owed: bigint
  readonly issued: bigint
}

export type BookEntry = keyof Books

/** The source and target place of each kind of move. */
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
} as const satisfies Record<string, readonly [from: BookEntry, to: BookEntry]>

export type MoveType = keyof typeof routes
export const moveTypes = Object.keys(routes) as readonly MoveType[]

/** `issued` and `owed` are liabilities: a move out of `issued` raises it, and a move into `owed` lowers it. */
const onTheRight: ReadonlySet<BookEntry> = new Set<BookEntry>(['issued', 'owed'])

/** The change of each place. Every move changes two places by the same amount, so the books stay balanced. */
export function changesOf(type: MoveType, amount: bigint): ReadonlyMap<BookEntry, bigint> {
  const [from, to] = routes[type]
  return new Map<BookEntry, bigint>([
    [from, onTheRight.has(from) ? amount : -amount],
    [to, onTheRight.has(to) ? -amount : amount],
  ])
}

/** The change of the available credits, which users call the balance. */
export const changeOfBalance = (type: MoveType, amount: bigint): bigint =>
  changesOf(type, amount).get('available') ?? 0n

/** Incoming credits settle debts first. */
export function shareOut(books: Books, amount: bigint): { settlement: bigint; rest: bigint } {
  const settlement = amount < books.owed ? amount : books.owed
  return { settlement, rest: amount - settlement }
}

/** Available credits are taken back, and the rest becomes a debt. */
export function takeBack(books: Books, amount: bigint): { reversal: bigint; debt: bigint } {
  const reversal = amount < books.available ? amount : books.available
  return { reversal, debt: amount - reversal }
}
