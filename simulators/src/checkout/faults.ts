/**
 * Failures of a provider.
 * - `silent`, `twice`: notifications are not sent, or each is sent three times at once.
 * - `late_reply`, `error_after`: an API call is carried out, but the reply never comes or is a 500.
 * - `down`, `nonsense`: the call is not carried out. The reply is a reset, or a web page with 200.
 * - `slow`: the reply takes two seconds.
 */
export type Fault = 'silent' | 'twice' | 'late_reply' | 'error_after' | 'down' | 'nonsense' | 'slow'

export const copiesUnder = (fault: Fault | undefined): number => (fault === 'silent' ? 0 : fault === 'twice' ? 3 : 1)
