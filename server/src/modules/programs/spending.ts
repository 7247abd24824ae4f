import type { ProgramCaller, TokenCaller } from '../../kernel/callers.ts'
import { moneyInWords } from '../../kernel/money-words.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { ConnectedProgram } from './program.ts'
import { addSpending, findLiveProgram, lockLiveProgram } from './programs.store.ts'
import { spendingDay, spentToday } from './read-programs.ts'

interface Spending {
  readonly amountMinor: bigint
  readonly currency: string
}

const limitsInWords = ({ mostPerChange, mostPerDay, currency, mostChangesPerDay }: ConnectedProgram): string =>
  [
    ...(mostPerChange === null ? [] : [`${moneyInWords(mostPerChange, currency ?? '')} for each change`]),
    ...(mostPerDay === null ? [] : [`${moneyInWords(mostPerDay, currency ?? '')} a day`]),
    ...(mostChangesPerDay === null ? [] : [`${mostChangesPerDay} changes a day`]),
  ].join(', ')

/**
 * Counts a confirmed change of a program against the limits that its person set, by the calendar day of the organisation. A change without
 * money counts as a change. What was counted stays counted, also if the change is refused afterwards.
 */
export async function countSpending(
  context: Inside<TokenCaller>,
  { programId, country }: ProgramCaller,
  spending: Spending | null,
): Promise<void> {
  const { tx, ports, realNow } = context
  const day = spendingDay(ports, country, realNow)
  const { amountMinor, currency } = spending ?? { amountMinor: 0n, currency: null }
  // No change may make room for others.
  if (amountMinor < 0n) throw new Error('a change commits less than nothing')
  if (await addSpending(tx, programId, { day, amountMinor, currency })) return
  const program = await lockLiveProgram(tx, programId, realNow)
  if (!program) throw refuse('auth.token_invalid')
  throw refuse('program.limit_reached', {
    message: `This change would exceed the limits of the program: ${limitsInWords(program)}. Ask the person to do it, or to change the limits at /settings/programs.`,
  })
}

/** What the limits of a program leave today if a change is confirmed. */
export interface SpendingForecast {
  /** true if the confirmation would be refused */
  readonly isExceeded: boolean
  /** sentences for the person, at least one for each limit */
  readonly words: readonly string[]
}

/** For the preview of a change. `undefined` for a program without limits. Only the confirmation counts: others may come before it. */
export async function forecastSpending(
  { tx, ports, realNow }: Inside<TokenCaller>,
  { programId }: ProgramCaller,
  spending: Spending | null,
): Promise<SpendingForecast | undefined> {
  const program = await findLiveProgram(tx, programId, realNow)
  if (!program) throw refuse('auth.token_invalid')
  const { mostPerChange, mostPerDay, currency, mostChangesPerDay } = program
  const spent = spentToday(program, ports, realNow)
  const forecasts = [
    ...(currency === null ? [] : [ofCurrency(currency, spending)]),
    ...(mostPerChange === null ? [] : [ofChange(mostPerChange, currency ?? '', spending)]),
    ...(mostPerDay === null ? [] : [ofDay(mostPerDay, spent.amountMinor, currency ?? '', spending)]),
    ...(mostChangesPerDay === null ? [] : [ofChanges(mostChangesPerDay, spent.changes)]),
  ]
  if (forecasts.length === 0) return undefined
  return {
    isExceeded: forecasts.some(({ isExceeded }) => isExceeded),
    words: forecasts.flatMap(({ words }) => words),
  }
}

function ofCurrency(currency: string, spending: Spending | null): SpendingForecast {
  if (spending === null) return { isExceeded: false, words: ['This change counts no money.'] }
  const words = `This change counts ${moneyInWords(spending.amountMinor, spending.currency)}.`
  return spending.currency === currency
    ? { isExceeded: false, words: [words] }
    : {
        isExceeded: true,
        words: [`${words} The limits of the program are in ${currency}, so it can use no other currency.`],
      }
}

function ofChange(most: bigint, currency: string, spending: Spending | null): SpendingForecast {
  const isExceeded = (spending?.amountMinor ?? 0n) > most
  return { isExceeded, words: [`Limit for each change: ${moneyInWords(most, currency)}.`] }
}

function ofDay(most: bigint, spentMinor: bigint, currency: string, spending: Spending | null): SpendingForecast {
  const left = most - spentMinor
  const after = left - (spending?.amountMinor ?? 0n)
  const limit = moneyInWords(most, currency)
  if (after >= 0n)
    return { isExceeded: false, words: [`Left today after this change: ${moneyInWords(after, currency)} of ${limit}.`] }
  const now = moneyInWords(left > 0n ? left : 0n, currency)
  return { isExceeded: true, words: [`Left today: ${now} of ${limit}. This is too little for the change.`] }
}

function ofChanges(most: number, spent: number): SpendingForecast {
  const after = most - spent - 1
  return after < 0
    ? { isExceeded: true, words: [`Changes left today: 0 of ${most}.`] }
    : { isExceeded: false, words: [`Changes left today after this one: ${after} of ${most}.`] }
}
