import { cookies, Refused, Risiti } from '@risiti/sdk'
import { renewal, sessionHeader } from './renewing.ts'

const renew = renewal()

/** The one client of all pages. */
export const risiti = new Risiti({ credential: cookies({ headers: () => sessionHeader, renew }) })

/** Whether somebody has to sign in before this can be asked again. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Refused && error.is('auth.token_missing', 'auth.token_invalid', 'session.ended')

/** A file that needs the session, as something that a page can show or save. */
export async function fetchFile(path: string): Promise<Blob> {
  const ask = () => fetch(path, { headers: sessionHeader, credentials: 'same-origin' })
  let answer = await ask()
  if (answer.status === 401 && (await renew())) answer = await ask()
  if (!answer.ok) throw new Refused(answer.status, answer.headers, await answer.json().catch(() => undefined))
  return await answer.blob()
}
