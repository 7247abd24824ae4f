import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { type BillableAction, costs, nextSandboxTopUp, openingCredits } from '../catalogue/index.ts'

const counted = (credits: bigint): string => credits.toLocaleString('en-US')
const fault = (rule: string, message: string) => ({ path: 'credits', rule, message })

/** Names the price, the balance and the next refill. Only the sandbox has a refill at a known time. */
export function insufficientCredits(action: BillableAction, mode: Mode, available: bigint, now: Date): Refusal {
  const { credits } = costs[action]
  const left = `Not enough credits: this costs ${counted(credits)} and ${counted(available)} are left.`
  const details = [fault('price', `${counted(credits)} are needed`), fault('balance', `${counted(available)} are left`)]
  if (mode === 'live')
    return refuse('credits.insufficient', {
      message: `${left} Buy credits, or wait for the next credits of your plan.`,
      details,
    })
  const next = nextSandboxTopUp(now)
  const full = counted(openingCredits.sandbox)
  return refuse('credits.insufficient', {
    message: `${left} The sandbox is refilled to ${full} at ${next.toISOString()}.`,
    details: [...details, fault('next_top_up', `${full} at ${next.toISOString()}`)],
    retryAfterSeconds: Math.ceil((next.getTime() - now.getTime()) / 1000),
  })
}

/** A job opens the account of a new organisation within a second. */
export const accountNotOpen = (): Refusal =>
  refuse('dependency.unavailable', {
    retryAfterSeconds: 1,
    away: 'billing account',
    message: 'The billing account of your organisation is being opened. Try again in a second.',
  })
