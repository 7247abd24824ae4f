import { cookies, Refused, Risiti } from '@risiti/sdk'
import { renewal, sessionHeader } from './renewing.ts'

const renew = renewal()

/** All pages share this client. */
export const risiti = new Risiti({ credential: cookies({ headers: () => sessionHeader, renew }) })

/** Whether the person has to sign in before a retry. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Refused && error.is('auth.token_missing', 'auth.token_invalid', 'session.ended')

/** For requests outside the API that need the session. */
export async function fetchWithSession(path: string, signal?: AbortSignal): Promise<Response> {
  const ask = () => fetch(path, { headers: sessionHeader, credentials: 'same-origin', ...(signal ? { signal } : {}) })
  let answer = await ask()
  if (answer.status === 401 && (await renew())) answer = await ask()
  if (!answer.ok) throw new Refused(answer.status, answer.headers, await answer.json().catch(() => undefined))
  return answer
}

export const fetchFile = async (path: string): Promise<Blob> => await (await fetchWithSession(path)).blob()
