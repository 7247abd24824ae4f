import type { UserCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
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

export const shown = (program: ListedProgram, ports: Pick<Ports, 'jurisdictions'>, now: Date): ShownProgram => ({
  ...program,
  spentToday: program.spentOn === spendingDay(ports, program.country, now) ? program.spent : nothing,
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
