import type { UserCaller } from './callers.ts'
import { refuse } from './refusals.ts'

/** How long after signing in a person may do what a stolen session must not. */
export const freshSignInSeconds = 600

/** Refuses unless the person proved a moment ago that it is them: a session lives for weeks, and may be somebody else's by now. */
export function requireFreshSignIn({ signedInAt }: Pick<UserCaller, 'signedInAt'>, now: Date): void {
  if (now.getTime() - signedInAt.getTime() > freshSignInSeconds * 1000) throw refuse('auth.sign_in_too_old')
}
