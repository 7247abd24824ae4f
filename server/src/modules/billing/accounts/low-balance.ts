import type { Caller, UserCaller } from '../../../kernel/callers.ts'
import type { EventNotice } from '../../../kernel/event-notice.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { jobOn } from '../../../platform/jobs/jobs.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { findBalances, saveLowBalanceThreshold } from '../../credits/index.ts'
import { mailMembers } from '../../organisations/index.ts'

/** The threshold applies to the live ledger. 0 turns the mail off. */
export const changeLowBalanceThreshold = operation(
  { needs: ['billing.low_balance.configure'], refuses: ['billing.not_provisioned'] },
  async ({ tx, caller }: Inside<UserCaller>, { threshold }: { threshold: bigint }) => {
    const live: Tenant = { organisationId: caller.tenant.organisationId, mode: 'live' }
    if (!(await saveLowBalanceThreshold(tx, live, threshold))) throw refuse('billing.not_provisioned')
    return { threshold }
  },
)

export const lowBalanceJob = jobOn('tell-low-balance', 'mail', ['billing.balance.low'])

/** Sends one mail for each time the balance falls below the threshold, to every member who may set it. */
export const mailLowBalance = operation(
  { needs: [], refuses: [] },
  async (context: Inside<Caller>, { eventId, organisationId }: EventNotice) => {
    const balances = await findBalances(context.tx, { organisationId, mode: 'live' })
    if (!balances || balances.lowBalanceThreshold === 0n) return
    await mailMembers(context, organisationId, 'billing.low_balance.configure', {
      cause: `low-balance:${eventId}`,
      subject: 'Your credits are running low',
      paragraphs: [
        `Your live credits fell below the threshold of your organisation. ${balances.available} credits are left now.`,
        'Without credits you cannot create or submit invoices. Buy credits, or subscribe to a plan.',
      ],
      link: { words: 'Buy credits', page: '/billing' },
      closing: 'Your organisation set this threshold on the billing page. Set it to 0 to stop these mails.',
    })
  },
)
