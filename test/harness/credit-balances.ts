import {
  type BalanceName,
  type CreditBalances,
  changesOf,
  type MoveType,
} from '../../server/src/modules/credits/credit-balances.ts'

export const emptyBooks: CreditBalances = { available: 0n, held: 0n, spent: 0n, lent: 0n, owed: 0n, issued: 0n }

/** The balances after a move. Undefined if one would fall below zero. */
export function applied(balances: CreditBalances, type: MoveType, amount: bigint): CreditBalances | undefined {
  const after = { ...balances }
  for (const [place, change] of changesOf(type, amount)) after[place] += change
  const floors: BalanceName[] = ['available', 'held', 'spent', 'lent', 'owed']
  return floors.every((place) => after[place] >= 0n) ? after : undefined
}

export const balance = ({ available, held, spent, lent, owed, issued }: CreditBalances): boolean =>
  available + held + spent + lent === issued + owed
