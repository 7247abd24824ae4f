import type { UserCaller } from '../../kernel/callers.ts'
import { invalid } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import type { ShownKey } from '../api-keys/index.ts'
import { type Member, setMemberStatus } from '../organisations/index.ts'
import { type DepartureOptions, neededFor, settleDeparture } from './leave-behind.ts'

type StatusChange = Parameters<typeof setMemberStatus>[1]

interface StatusChanged {
  readonly member: Member
  readonly apiKeys: readonly ShownKey[]
}

/** A suspended member can do nothing here, with any token. */
export const changeMemberStatus = operation(
  {
    time: 'real',
    needs: {
      all: [],
      oneOf: ['member.suspend', 'member.restore'],
      by: ({ status, revokeKeys }: StatusChange & DepartureOptions) => [
        status === 'active' ? 'member.restore' : 'member.suspend',
        ...neededFor({ revokeKeys }),
      ],
    },
    refuses: ['resource.not_found', 'member.above_own', 'member.is_you', 'member.last_owner', 'request.invalid'],
  },
  async (
    context: Inside<UserCaller>,
    { revokeKeys, ...change }: StatusChange & DepartureOptions,
  ): Promise<StatusChanged> => {
    const { status } = change
    if (status === 'active' && revokeKeys)
      throw invalid([{ path: 'revokeKeys', rule: 'conflict', message: 'must be left out when you restore a member' }])
    const before = await setMemberStatus(context, change)
    const member = { ...before, status }
    if (status === 'active') return { member, apiKeys: [] }
    // A repeat is no news unless it revokes keys.
    const isNews = before.status !== status || revokeKeys
    return { member, apiKeys: await settleDeparture(context, member, 'suspended', { revokeKeys, isNews }) }
  },
)
