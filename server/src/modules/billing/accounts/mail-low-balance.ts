import { systemCaller } from '../../../kernel/callers.ts'
import { handler } from '../../../platform/background/handlers.ts'
import type { Runner } from '../../../platform/operations/runner.ts'
import { lowBalanceJob, mailLowBalance } from './low-balance.ts'

const origin = { requestId: 'tell-low-balance', address: '', userAgent: '' }

export const mailLowBalanceHandler = (runner: Runner) =>
  handler(lowBalanceJob, (notice) => runner.run(mailLowBalance, { caller: systemCaller, origin, input: notice }))
