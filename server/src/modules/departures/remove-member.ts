import type { UserCaller } from '../../kernel/callers.ts'
import type { UserId } from '../../kernel/ids.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { endMembership } from '../organisations/index.ts'
import { type DepartureOptions, neededFor, settleDeparture } from './leave-behind.ts'

interface Removal extends DepartureOptions {
  readonly userId: UserId
}

export const removeMember = operation(
  {
    time: 'real',
    needs: { all: ['member.remove'], oneOf: [], by: neededFor },
    refuses: [
      'resource.not_found',
      'member.above_own',
      'member.is_you',
      'member.last_owner',
      'auth.capability_missing',
    ],
  },
  async (context: Inside<UserCaller>, { userId, ...going }: Removal) => {
    const member = await endMembership(context, userId)
    return { userId, removed: true as const, apiKeys: await settleDeparture(context, member, 'removed', going) }
  },
)
