import { systemCaller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { DueWork } from '../../platform/background/due-work.ts'
import { consumerFor, everyMinutes, handler, scheduled } from '../../platform/background/handlers.ts'
import { inTurns } from '../../platform/background/in-turns.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import { emitExpiry } from './expire-quotes.ts'
import { mailQuote, mailQuoteJob } from './mail-quote.ts'
import { findNextExpiryAt } from './quotes.store.ts'
import { findTenantsWithExpiredQuotes, readExpiredQuotes } from './read-quotes.ts'
import { quoteSealedColumns } from './sealed-columns.ts'

const origin = { requestId: 'expire-quotes', address: '', userAgent: '' }

/** Emits the events of one batch of a tenant. Returns whether there may be more. */
async function emitDue(runner: Runner, tenant: Tenant): Promise<boolean> {
  const ids = await runner.run(readExpiredQuotes, { caller: systemCaller, origin, input: tenant })
  let emitted = 0
  for (const id of ids)
    if (await runner.run(emitExpiry, { caller: systemCaller, origin, input: { ...tenant, id } })) emitted++
  return emitted > 0
}

/** Every ten minutes: emits the events of quotes whose last valid day has passed. Organisations take turns. */
const expireQuotes = (runtime: Runtime, runner: Runner) =>
  scheduled('expire-quotes', everyMinutes(10), async () => {
    const failed = await inTurns<Tenant>(runtime, {
      problem: 'quotes.expiry_failed',
      findAfter: (last) => runner.run(findTenantsWithExpiredQuotes, { caller: systemCaller, origin, input: last }),
      takeBatch: (tenant) => emitDue(runner, tenant),
    })
    if (failed > 0) throw new Error(`events of expired quotes were not emitted for ${failed} tenants`)
  })

/** For a sandbox that is moved forward. */
const expiries: DueWork = {
  name: 'expiry of quotes',
  nextAt: findNextExpiryAt,
  run: (_, runner, tenant) => emitDue(runner, tenant),
}

/** Writes the mail for a quote that was sent to its buyer. */
const mailSentQuote = (runner: Runner) =>
  handler(mailQuoteJob, async (notice) => {
    await runner.run(mailQuote, { caller: systemCaller, origin: { ...origin, requestId: 'mail-quote' }, input: notice })
  })

export const background: ModuleBackground = {
  jobs: (runtime, runner) => [expireQuotes(runtime, runner), mailSentQuote(runner)],
  consumers: [consumerFor(mailQuoteJob)],
  dueWork: [expiries],
  sealedColumns: quoteSealedColumns,
}
