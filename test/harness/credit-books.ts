import { type BookEntry, type Books, changesOf, type MoveType } from '../../server/src/modules/credits/books.ts'

export const emptyBooks: Books = { available: 0n, held: 0n, spent: 0n, lent: 0n, owed: 0n, issued: 0n }

/** The books after a move. Undefined if a place would fall below zero. */
export function applied(books: Books, type: MoveType, amount: bigint): Books | undefined {
  const after = { ...books }
  for (const [place, change] of changesOf(type, amount)) after[place] += change
  const floors: BookEntry[] = ['available', 'held', 'spent', 'lent', 'owed']
  return floors.every((place) => after[place] >= 0n) ? after : undefined
}

export const balance = ({ available, held, spent, lent, owed, issued }: Books): boolean =>
  available + held + spent + lent === issued + owed
