import type { UserCaller } from './callers.ts'
import { refuse } from './refusals.ts'

/** Time after signing in during which sensitive actions are allowed. */
export const freshSignInSeconds = 600

/** Refuses unless the person signed in recently. A session lives for weeks, and a thief may have it by now. */
export function requireFreshSignIn({ signedInAt }: Pick<UserCaller, 'signedInAt'>, now: Date): void {
  if (now.getTime() - signedInAt.getTime() > freshSignInSeconds * 1000) throw refuse('auth.sign_in_too_old')
}
