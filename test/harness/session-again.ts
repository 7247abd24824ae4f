import { systemCaller } from '../../server/src/kernel/callers.ts'
import type { Mode } from '../../server/src/kernel/tenant.ts'
import { openSession } from '../../server/src/modules/identity/session.ts'
import { operation } from '../../server/src/platform/operations/operation.ts'
import { origin, type Person, type TestApp } from './app.ts'

/** Signs a person in again, for tests that move the clock beyond the token's life. */
export async function sessionAgain<P extends Person>(app: TestApp, person: P, mode: Mode = 'live'): Promise<P> {
  const signIn = operation({ needs: [], refuses: [] }, (context) => openSession(context, person.userId, mode))
  const tokens = await app.runner.run(signIn, { caller: systemCaller, origin, input: undefined })
  return { ...person, token: tokens.accessToken, refreshToken: tokens.refreshToken }
}
