import { systemCaller } from '../kernel/callers.ts'
import { tellLowBalance, tellLowBalanceJob } from '../modules/billing/index.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { handler } from '../platform/work/jobs.ts'

const origin = { requestId: 'tell-low-balance', address: '', userAgent: '' }

export const tellOfLowBalance = (runner: Runner) =>
  handler(tellLowBalanceJob, (notice) => runner.run(tellLowBalance, { caller: systemCaller, origin, input: notice }))
