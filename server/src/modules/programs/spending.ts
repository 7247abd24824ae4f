import type { ProgramCaller, TokenCaller } from '../../kernel/callers.ts'
import { moneyInWords } from '../../kernel/money-words.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { ConnectedProgram } from './program.ts'
import { addSpending, lockLiveProgram } from './programs.store.ts'
import { spendingDay } from './read-programs.ts'

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
