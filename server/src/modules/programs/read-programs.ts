import type { UserCaller } from '../../kernel/callers.ts'
import { businessDay, dayAfter } from '../../kernel/days.ts'
import type { ProgramId } from '../../kernel/ids.ts'
import { moneyInWords } from '../../kernel/money-words.ts'
import { mapped, type PageRequest } from '../../kernel/paging.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import type { SpendingLimits, Spent } from './program.ts'
import { findLiveProgram, type ListedProgram, listLivePrograms } from './programs.store.ts'

export interface ShownProgram extends ListedProgram {
  readonly spentToday: Spent
  readonly limitsInWords: readonly string[]
}

const nothing: Spent = { amountMinor: 0n, changes: 0 }

/** The calendar day by which spending is counted. */
export const spendingDay = ({ jurisdictions }: Pick<Ports, 'jurisdictions'>, country: string, now: Date): string =>
  businessDay(now, jurisdictions.of(country)?.zone ?? 'UTC')

/** Counts by the same days as `addSpending`: a confirmation that was late at midnight counts for the next day. */
export function spentToday(program: ListedProgram, ports: Pick<Ports, 'jurisdictions'>, now: Date): Spent {
  const { spentOn, spent, country } = program
  const day = spendingDay(ports, country, now)
  return spentOn === day || spentOn === dayAfter(day) ? spent : nothing
}

/** The limits of a program, and what they leave today: a sentence for each limit. */
function limitsInWords(
  { mostPerChange, mostPerDay, currency, mostChangesPerDay }: SpendingLimits,
  spent: Spent,
): string[] {
  const words = (minor: bigint) => moneyInWords(minor < 0n ? 0n : minor, currency ?? '')
  return [
    ...(mostPerChange === null ? [] : [`Limit for each change: ${words(mostPerChange)}.`]),
    ...(mostPerDay === null ? [] : [`Left today: ${words(mostPerDay - spent.amountMinor)} of ${words(mostPerDay)}.`]),
    ...(mostChangesPerDay === null
      ? []
      : [`Changes left today: ${Math.max(mostChangesPerDay - spent.changes, 0)} of ${mostChangesPerDay}.`]),
  ]
}

function shown(program: ListedProgram, ports: Pick<Ports, 'jurisdictions'>, now: Date): ShownProgram {
  const spent = spentToday(program, ports, now)
  return { ...program, spentToday: spent, limitsInWords: limitsInWords(program, spent) }
}

export async function findShownProgram(
  db: Queryable,
  id: ProgramId,
  ports: Pick<Ports, 'jurisdictions'>,
  now: Date,
): Promise<ShownProgram | undefined> {
  const program = await findLiveProgram(db, id, now)
  return program && shown(program, ports, now)
}

type Scope = 'own' | 'organisation' | 'others'

/** The programs of the caller in all organisations, those of all members of the present one, or those of its other members. */
export const listConnectedPrograms = reading(
  {
    time: 'real',
    needs: {
      all: [],
      oneOf: [],
      by: ({ scope }: { scope: Scope }) => (scope === 'own' ? [] : (['api_key.read'] as const)),
    },
    refuses: ['auth.capability_missing'],
  },
  async ({ db, caller, ports, now }: Outside<UserCaller>, { scope, page }: { scope: Scope; page: PageRequest }) => {
    const { userId, tenant } = caller
    const { organisationId } = tenant
    const owner =
      scope === 'own' ? { userId } : { organisationId, ...(scope === 'others' ? { exceptUserId: userId } : {}) }
    return mapped(await listLivePrograms(db, owner, now, page), (program) => shown(program, ports, now))
  },
)
