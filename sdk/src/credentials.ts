export type Mode = 'sandbox' | 'live'

/** A request before it leaves; a credential adds to it what says who is calling. */
export interface Outgoing {
  readonly method: string
  readonly headers: Record<string, string>
  /** of `fetch`, for sessions that live in a cookie */
  credentials?: 'include' | 'same-origin' | 'omit'
}

/** How a client says who is calling. */
export interface Credential {
  /** the mode that it works in, where it shows */
  readonly mode?: Mode | undefined
  apply(outgoing: Outgoing): void | Promise<void>
  /** Called when the service does not take it any more; whether it is worth another try. Calls at the same time share one. */
  renew?(): Promise<boolean>
}

/** An API key: `sk_test_…` works on sandbox data, `sk_live_…` on live data. Keep it out of browsers. */
export function apiKey(key: string): Credential {
  const [, kind] = /^sk_(test|live)_/.exec(key) ?? []
  if (kind === undefined) throw new TypeError('an API key begins with sk_test_ or sk_live_')
  return { ...bearer(key), mode: kind === 'live' ? 'live' : 'sandbox' }
}

/** An access token, or a function that gives the current one; `renew` gets a new one when it has expired. */
export const bearer = (
  token: string | (() => string | undefined | Promise<string | undefined>),
  renew?: () => Promise<boolean>,
): Credential => {
  // What is said with every call is put together once.
  const fixed = typeof token === 'string' ? spoken(token) : undefined
  return {
    apply({ headers }) {
      if (typeof token === 'string') {
        if (fixed) headers.authorization = fixed
        return
      }
      const given = token()
      const say = (current: string | undefined) => {
        if (current) headers.authorization = spoken(current)
      }
      return typeof given === 'object' ? given.then(say) : say(given)
    },
    ...(renew ? { renew } : {}),
  }
}
const spoken = (token: string) => token && `Bearer ${token}`

/** A session that the browser keeps in a cookie; `headers` are sent along, such as a token against forged requests. */
export const cookies = (
  settings: {
    readonly crossOrigin?: boolean
    readonly headers?: () => Readonly<Record<string, string>>
    readonly renew?: () => Promise<boolean>
  } = {},
): Credential => ({
  apply(outgoing) {
    outgoing.credentials = settings.crossOrigin ? 'include' : 'same-origin'
    Object.assign(outgoing.headers, settings.headers?.())
  },
  ...(settings.renew ? { renew: settings.renew } : {}),
})
