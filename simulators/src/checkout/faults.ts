/**
 * Bad manners of a provider.
 * - `silent`, `twice`: notifications are not sent, or each three times at once.
 * - `late_reply`, `error_after`: an API call is carried out, then never answered, or answered with 500.
 * - `down`, `nonsense`: nothing is carried out; the connection is reset, or answered 200 with a web page.
 * - `slow`: answered after two seconds.
 */
export type Fault = 'silent' | 'twice' | 'late_reply' | 'error_after' | 'down' | 'nonsense' | 'slow'

export const copiesUnder = (fault: Fault | undefined): number => (fault === 'silent' ? 0 : fault === 'twice' ? 3 : 1)
