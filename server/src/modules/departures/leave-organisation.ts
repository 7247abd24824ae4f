import type { UserCaller } from '../../kernel/callers.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { endOwnMembership } from '../organisations/index.ts'
import { type DepartureOptions, neededFor, settleDeparture } from './leave-behind.ts'

export const leaveOrganisation = operation(
  {
    time: 'real',
    needs: { all: [], oneOf: [], by: neededFor },
    refuses: ['resource.not_found', 'member.last_owner', 'auth.capability_missing'],
  },
  async (context: Inside<UserCaller>, going: DepartureOptions) => {
    const member = await endOwnMembership(context)
    const apiKeys = await settleDeparture(context, member, 'left', going)
    return { organisationId: member.organisationId, left: true as const, apiKeys }
  },
)
