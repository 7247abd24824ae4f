import { type SystemCaller, systemCaller } from '../../../kernel/callers.ts'
import { Refusal } from '../../../kernel/refusals.ts'
import { attemptsAt } from '../../../platform/jobs/failing-items.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import {
  listSubAccountsToPoint,
  lockSubAccount,
  type SubAccountOfTenant,
  type SubAccountToPoint,
  saveAccountsDue,
} from '../settlement-accounts/sub-accounts.store.ts'
import { pointAccount } from './point-account.ts'
import { listAccountsToPoint, nextPointingAt } from './splits.store.ts'

const origin = { requestId: 'sweep-splits', address: '', userAgent: '' }
const mostSellers = 200
/** Limit for one seller per sweep, so that a seller with many accounts does not delay others. */
const mostOfOne = 50
const turnMs = 40_000

/**
 * Saves when the seller's accounts are due next. The settlement account may have changed since the sweep began, so the
 * sub-account is locked and its current code is compared.
 */
const noteAccountsLeft = operation(
  { time: 'real', needs: [], refuses: [] },
  async ({ tx, now }: Inside<SystemCaller>, { organisationId, mode, sellerId, provider }: SubAccountOfTenant) => {
    const tenant = { organisationId, mode }
    const key = { sellerId, provider }
    const subAccount = await lockSubAccount(tx, tenant, key)
    if (!subAccount?.code) return
    await saveAccountsDue(tx, tenant, key, await nextPointingAt(tx, tenant, key, subAccount.code, now))
  },
)

/**
 * After a change, moves the existing virtual accounts to the seller's new bank account. A failure of one seller or
 * account does not stop the others.
 */
export async function sweepSplits(runtime: Runtime, runner: Runner): Promise<void> {
  const { db, ports, clock } = runtime
  const attempt = await attemptsAt(runtime, 'collection.account_not_pointed')
  const until = performance.now() + turnMs

  async function pointAccountsOf(subAccount: SubAccountToPoint): Promise<void> {
    const { organisationId, mode, provider, code } = subAccount
    if (!ports.collectionProviders.named(provider, mode)) {
      // The provider's keys were removed from the configuration. Retry in an hour.
      await saveAccountsDue(db, subAccount, subAccount, new Date(clock.now().getTime() + 3_600_000))
      return
    }
    for (const { id } of await listAccountsToPoint(db, subAccount, subAccount, code, clock.now(), mostOfOne)) {
      if (performance.now() > until) break
      const call = { caller: systemCaller, origin, input: { organisationId, mode, id } }
      await attempt({ organisationId, mode, id }, () =>
        runner.run(pointAccount, call).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
        }),
      )
    }
    await runner.run(noteAccountsLeft, { caller: systemCaller, origin, input: subAccount })
  }

  for (const subAccount of await listSubAccountsToPoint(db, clock.now(), mostSellers)) {
    if (performance.now() > until) return
    const { organisationId, mode, sellerId } = subAccount
    await attempt({ organisationId, mode, id: sellerId }, () => pointAccountsOf(subAccount))
  }
}
