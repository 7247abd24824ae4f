/** Asks for a session in cookies, which no script can read; pages of other origins cannot send it. */
export const sessionHeader = { 'Risiti-Session': 'cookie' }

/** Tabs share their cookies, and a refresh token that comes twice ends the session: they take turns, each with what the one before got. */
const inTurn = async (act: () => Promise<Response>): Promise<Response> =>
  'locks' in navigator ? await navigator.locks.request('risiti-session', act) : await act()

/** Trades the refresh cookie for new ones. Several calls of one page that were turned away together share one. */
export function renewal(): () => Promise<boolean> {
  let renewing: Promise<boolean> | undefined
  const renew = () =>
    fetch('/a/v1/auth/refresh', { method: 'POST', headers: sessionHeader, credentials: 'same-origin' })
  return () => {
    renewing ??= inTurn(renew)
      .then(
        (answer) => answer.ok,
        () => false,
      )
      .finally(() => {
        renewing = undefined
      })
    return renewing
  }
}
