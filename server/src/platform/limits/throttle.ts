import { neighbourhoodOf } from '../../kernel/addresses.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Vault } from '../secrets/secrets.ts'
import type { RateLimit, RateLimiter } from './rate-limits.ts'

/** How a try is counted in addition to the limit per minute, which counts every try. */
export interface Tries {
  /** the account has signed in from this network before, so tries from other networks do not count against it */
  readonly known?: boolean
  /** tries for each network and day */
  readonly perDay?: number
}

/**
 * All networks unknown to an account share this many times the tries of one network. An attacker needs that many networks to use up the
 * share, and more networks gain nothing.
 */
const strangersShare = 10
const minuteSeconds = 60
const daySeconds = 86_400

export interface ThrottleNeeds {
  readonly vault: Pick<Vault, 'mac'>
  readonly limiter: Pick<RateLimiter, 'takeExactly'>
  /** tries per minute of one network at one account, by password or code */
  readonly attemptsPerMinute: number
}

/** Limits guesses at a password or code of an account, by network. */
export const throttleFrom =
  ({ vault, limiter, attemptsPerMinute }: ThrottleNeeds, address: string) =>
  async (action: string, account: string, { known = false, perDay }: Tries = {}): Promise<void> => {
    // The account is stored as a keyed fingerprint: an email address is easy to guess for someone with the database alone.
    const everywhere = `${action}:${vault.mac(`throttle ${action}`, account)}`
    const here = `${action}:${vault.mac(`throttle ${action} from`, `${account} ${neighbourhoodOf(address)}`)}`
    const within = (subject: string, times: number): RateLimit[] => [
      { subject, perWindow: attemptsPerMinute * times, windowSeconds: minuteSeconds },
      ...(perDay === undefined ? [] : [{ subject, perWindow: perDay * times, windowSeconds: daySeconds }]),
    ]
    // One after the other: a network that has used up its own tries must not use up the shared ones.
    for (const limit of [...within(here, 1), ...(known ? [] : within(everywhere, strangersShare))]) {
      const { allowed, resetSeconds } = await limiter.takeExactly(limit)
      if (!allowed) throw refuse('limit.exceeded', { retryAfterSeconds: resetSeconds })
    }
  }
