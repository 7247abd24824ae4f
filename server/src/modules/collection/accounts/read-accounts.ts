import type { TokenCaller } from '../../../kernel/callers.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { asking, inTime, keeperOf } from '../providers/asking.ts'
import { type AccountNow, accountStatusOf, type VirtualAccount, type VirtualAccountId } from './virtual-account.ts'
import { type AccountFilter, findAccount, listAccounts } from './virtual-accounts.store.ts'

export const listOwnAccounts = reading(
  { needs: ['collection.read'], refuses: [] },
  async ({ db, caller, now }: Outside<TokenCaller>, asked: { filter: AccountFilter; page: PageRequest }) => ({
    page: await listAccounts(db, caller.tenant, asked.filter, asked.page, now),
    now,
  }),
)

async function ownAccount({ db, caller }: Outside<TokenCaller>, id: VirtualAccountId): Promise<VirtualAccount> {
  const account = await findAccount(db, caller.tenant, id)
  if (!account) throw refuse('resource.not_found')
  return account
}

export const getAccount = reading(
  { needs: ['collection.read'], refuses: ['resource.not_found'] },
  async (context: Outside<TokenCaller>, { id }: { id: VirtualAccountId }): Promise<AccountNow> => ({
    account: await ownAccount(context, id),
    now: context.now,
  }),
)

/** The provider's current answer, next to our own status. */
export const getAccountStatus = reading(
  {
    needs: ['collection.read'],
    refuses: ['resource.not_found', 'collection.provider_away', 'collection.provider_refused'],
  },
  async (context: Outside<TokenCaller>, { id }: { id: VirtualAccountId }) => {
    const account = await ownAccount(context, id)
    const keeper = keeperOf(context.ports, context.caller.tenant, account.provider)
    const found = await asking(() => keeper.findAccount(account.handle, inTime()))
    // A caller asks because a payment is missing, so the provider looks for transfers too. A failure of that search
    // does not matter here.
    if (found?.status === 'active') await keeper.seekTransfers?.(account.handle, inTime()).catch(() => undefined)
    return {
      id,
      status: accountStatusOf(account, context.now),
      provider: account.provider,
      providerStatus: found?.status ?? ('unknown' as const),
      accountNumber: account.accountNumber,
      checkedAt: context.now,
    }
  },
)
