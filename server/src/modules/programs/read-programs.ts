import type { UserCaller } from '../../kernel/callers.ts'
import { businessDay, dayAfter } from '../../kernel/days.ts'
import { mapped, type PageRequest } from '../../kernel/paging.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import type { Spent } from './program.ts'
import { type ListedProgram, listLivePrograms } from './programs.store.ts'

export interface ShownProgram extends ListedProgram {
  readonly spentToday: Spent
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

export const shown = (program: ListedProgram, ports: Pick<Ports, 'jurisdictions'>, now: Date): ShownProgram => ({
  ...program,
  spentToday: spentToday(program, ports, now),
})

type Scope = 'own' | 'organisation'

/** The programs of the caller in all organisations, or those of all members of the present one. */
export const listConnectedPrograms = reading(
  {
    time: 'real',
    needs: {
      all: [],
      oneOf: [],
      by: ({ scope }: { scope: Scope }) => (scope === 'organisation' ? (['api_key.read'] as const) : []),
    },
    refuses: ['auth.capability_missing'],
  },
  async ({ db, caller, ports, now }: Outside<UserCaller>, { scope, page }: { scope: Scope; page: PageRequest }) => {
    const { userId, tenant } = caller
    const owner = scope === 'own' ? { userId } : { organisationId: tenant.organisationId }
    return mapped(await listLivePrograms(db, owner, now, page), (program) => shown(program, ports, now))
  },
)
