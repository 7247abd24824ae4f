export type Mode = 'sandbox' | 'live'

/** A request before it is sent. A credential adds its headers. */
export interface Outgoing {
  readonly method: string
  readonly headers: Record<string, string>
  /** the option of `fetch`, for sessions in a cookie */
  credentials?: 'include' | 'same-origin' | 'omit'
}

/** How a client authenticates. */
export interface Credential {
  /** mode of the credential, if it is known */
  readonly mode?: Mode | undefined
  apply(outgoing: Outgoing): void | Promise<void>
  /** Called after a 401. Returns whether a retry makes sense. Concurrent calls share one renewal. */
  renew?(): Promise<boolean>
}

/** An API key: `sk_test_…` works on sandbox data, `sk_live_…` on live data. Keep it out of browsers. */
export function apiKey(key: string): Credential {
  const [, kind] = /^sk_(test|live)_/.exec(key) ?? []
  if (kind === undefined) throw new TypeError('an API key begins with sk_test_ or sk_live_')
  return { ...bearer(key), mode: kind === 'live' ? 'live' : 'sandbox' }
}

/**
 * An access token, or a function that returns the current one. `renew` gets a new token after the old one has expired.
 */
export const bearer = (
  token: string | (() => string | undefined | Promise<string | undefined>),
  renew?: () => Promise<boolean>,
): Credential => {
  // A fixed token's header is built once.
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
/** An error of the platform about such a header would contain the token, and so would every log. */
function spoken(token: string): string {
  if (!/^[\x21-\x7e]*$/.test(token))
    throw new TypeError('the key or token has a space, a line break or another character that none has')
  return token && `Bearer ${token}`
}

/** A session in a browser's cookie. `headers` are added to each request, such as a token against forged requests. */
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
