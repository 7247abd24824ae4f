import { cookies, Refused, Risiti } from '@risiti/sdk'
import { renewal, sessionHeader } from './renewing.ts'

const renew = renewal()

/** The one client of all pages. */
export const risiti = new Risiti({ credential: cookies({ headers: () => sessionHeader, renew }) })

/** Whether somebody has to sign in before this can be asked again. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Refused && error.is('auth.token_missing', 'auth.token_invalid', 'session.ended')

/** What is no call of the API, but needs the session. */
export async function fetchWithSession(path: string, signal?: AbortSignal): Promise<Response> {
  const ask = () => fetch(path, { headers: sessionHeader, credentials: 'same-origin', ...(signal ? { signal } : {}) })
  let answer = await ask()
  if (answer.status === 401 && (await renew())) answer = await ask()
  if (!answer.ok) throw new Refused(answer.status, answer.headers, await answer.json().catch(() => undefined))
  return answer
}

/** A file that needs the session, as something that a page can show or save. */
export const fetchFile = async (path: string): Promise<Blob> => await (await fetchWithSession(path)).blob()
