import { cookies, Refused, Risiti } from '@risiti/sdk'

/** Asks for a session in cookies, which no script can read; pages of other origins cannot send it. */
const sessionHeader = { 'Risiti-Session': 'cookie' }

let renewing: Promise<boolean> | undefined

/** Trades the refresh cookie for new ones. Several calls that were turned away together share one. */
function renew(): Promise<boolean> {
  renewing ??= fetch('/a/v1/auth/refresh', { method: 'POST', headers: sessionHeader, credentials: 'same-origin' })
    .then(
      (answer) => answer.ok,
      () => false,
    )
    .finally(() => {
      renewing = undefined
    })
  return renewing
}

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
