import { systemCaller } from '../../kernel/callers.ts'
import { consumerFor, handler } from '../../platform/background/handlers.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, purgeAfter } from '../../platform/background/purge-expired.ts'
import type { Runner } from '../../platform/operations/runner.ts'
import { purgeAccountShares } from './account-shares.store.ts'
import { mailStatement, mailStatementJob } from './mail-statement.ts'

const origin = { requestId: 'mail-statement-of-account', address: '', userAgent: '' }

/** Writes the mail for a statement of account that was sent to its buyer. */
const mailSentStatement = (runner: Runner) =>
  handler(mailStatementJob, async (notice) => {
    await runner.run(mailStatement, { caller: systemCaller, origin, input: notice })
  })

export const background: ModuleBackground = {
  jobs: (_, runner) => [mailSentStatement(runner)],
  consumers: [consumerFor(mailStatementJob)],
  purges: [purgeAfter(days, 'account_shares', purgeAccountShares)],
}
