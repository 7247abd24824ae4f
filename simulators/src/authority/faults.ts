/**
 * Failures of the authority on every route.
 * - `down`, `nonsense`, `error`, `busy`: the call is not carried out. The reply is a reset, a web page with 200, a 500,
 * or a 400 that asks to come back later.
 * - `silent`, `held`, `slow`, `truncated`, `drip`: the call is carried out. The reply never comes, comes after the
 * fault ends, comes after two seconds, is cut-off JSON, or comes at one byte per second.
 */
export type Fault = 'down' | 'nonsense' | 'error' | 'busy' | 'silent' | 'held' | 'slow' | 'truncated' | 'drip'

export const dripMs = 1_000
