import { systemCaller } from '../../../kernel/callers.ts'
import { Refusal } from '../../../kernel/refusals.ts'
import { writeAllButRefused } from '../../../platform/database/write-all-but-refused.ts'
import { attemptsAt, noteFailing } from '../../../platform/jobs/failing-items.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import { confirmSubAccount, findSubAccountsDue } from './confirm-sub-account.ts'
import { insertSubAccounts, listMissingSubAccounts } from './sub-accounts.store.ts'

const origin = { requestId: 'sweep-sub-accounts', address: '', userAgent: '' }
const caller = systemCaller
const problem = 'collection.sub_account_failed'
/** Settlement accounts per minute that get their first question to a newly configured provider. */
const mostNew = 500
/** The next sweep takes what is left after this time. */
const turnMs = 40_000

/**
 * Completes what a dead process or a silent provider left open, and asks newly configured providers. A failure of one
 * does not stop the others.
 */
export async function sweepSubAccounts(runtime: Runtime, runner: Runner): Promise<void> {
  const { db, ports, clock } = runtime
  const attempt = await attemptsAt(runtime, problem)
  const until = performance.now() + turnMs
  const { all } = ports.collectionProviders
  for (const provider of all) {
    const missing = await listMissingSubAccounts(db, provider, mostNew)
    const { refused, error } = await writeAllButRefused(missing, (some) => insertSubAccounts(db, some, clock.now()))
    for (const { organisationId, mode, sellerId: id } of refused)
      await noteFailing(runtime, problem, { organisationId, mode, id }, error)
  }
  const inUse = all.map(({ name: provider, mode }) => ({ provider, mode }))
  const due = await runner.run(findSubAccountsDue, { caller, origin, input: inUse })
  for (const input of due) {
    if (performance.now() > until) return
    const { organisationId, mode, sellerId } = input
    await attempt({ organisationId, mode, id: sellerId }, () =>
      runner.run(confirmSubAccount, { caller, origin, input }).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      }),
    )
  }
}
