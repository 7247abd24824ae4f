/** Asks for a session in cookies that no script can read. Pages of other origins cannot send this header. */
export const sessionHeader = { 'Risiti-Session': 'cookie' }

/** Tabs share cookies, and a refresh token that is used twice ends the session. So tabs renew one after the other. */
const inTurn = async (act: () => Promise<Response>): Promise<Response> =>
  'locks' in navigator ? await navigator.locks.request('risiti-session', act) : await act()

/** Exchanges the refresh cookie for new cookies. Concurrent calls of one page share one exchange. */
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
