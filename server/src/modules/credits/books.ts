/** Where credits can be. `issued` is the other side of the books: what came in from outside. */
export interface Books {
  readonly available: bigint
  readonly held: bigint
  readonly spent: bigint
  readonly lent: bigint
  readonly owed: bigint
  readonly issued: bigint
}

export type Place = keyof Books

export const emptyBooks: Books = { available: 0n, held: 0n, spent: 0n, lent: 0n, owed: 0n, issued: 0n }

/** Which way each kind of move goes. */
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
} as const satisfies Record<string, readonly [from: Place, to: Place]>

export type MoveType = keyof typeof routes
export const moveTypes = Object.keys(routes) as readonly MoveType[]

/**
 * Issued credits and debts stand on the right side of the books: taking from `issued` means that more was issued, and
 * paying into `owed` means that less is owed.
 */
const onTheRight: ReadonlySet<Place> = new Set<Place>(['issued', 'owed'])

/** What a move adds to each place; two places, so that the books balance after it if they did before. */
export function changesOf(type: MoveType, amount: bigint): ReadonlyMap<Place, bigint> {
  const [from, to] = routes[type]
  return new Map<Place, bigint>([
    [from, onTheRight.has(from) ? amount : -amount],
    [to, onTheRight.has(to) ? -amount : amount],
  ])
}

/** The books after a move, or nothing if a place would fall below zero. */
export function applied(books: Books, type: MoveType, amount: bigint): Books | undefined {
  const after = { ...books }
  for (const [place, change] of changesOf(type, amount)) after[place] += change
  const floors: Place[] = ['available', 'held', 'spent', 'lent', 'owed']
  return floors.every((place) => after[place] >= 0n) ? after : undefined
}

export const balance = ({ available, held, spent, lent, owed, issued }: Books): boolean =>
  available + held + spent + lent === issued + owed

/** What a move does to what is available: what people call the balance. */
export const changeOfBalance = (type: MoveType, amount: bigint): bigint =>
  changesOf(type, amount).get('available') ?? 0n

/** How credits that come in are shared out: debts are settled first. */
export function shareOut(books: Books, amount: bigint): { settlement: bigint; rest: bigint } {
  const settlement = amount < books.owed ? amount : books.owed
  return { settlement, rest: amount - settlement }
}

/** How credits are taken back: from what is available, and the rest becomes a debt. */
export function takeBack(books: Books, amount: bigint): { reversal: bigint; debt: bigint } {
  const reversal = amount < books.available ? amount : books.available
  return { reversal, debt: amount - reversal }
}
