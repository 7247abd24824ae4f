/**
 * Bad manners of the authority, on every route.
 * - `down`, `nonsense`, `error`, `busy`: nothing is carried out; the connection is reset, or answered 200 with a web page,
 *   500, or 400 with a plea to come back later.
 * - `silent`, `held`, `slow`, `truncated`, `drip`: the call is carried out; it is never answered, or once the authority is told
 *   to behave otherwise, or after two seconds, or with JSON that stops half-way, or with one byte a second.
 */
export type Fault = 'down' | 'nonsense' | 'error' | 'busy' | 'silent' | 'held' | 'slow' | 'truncated' | 'drip'

export const dripMs = 1_000
