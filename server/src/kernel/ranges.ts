import type { Fault } from './refusals.ts'

/** The fault of a range that ends before it begins, reported at its beginning. A range with an open end has none. */
export const faultsOfRange = <Value extends string | bigint | Date>(
  path: string,
  from: Value | undefined,
  to: Value | undefined,
): Fault[] =>
  from !== undefined && to !== undefined && from > to
    ? [{ path, rule: 'order', message: 'must not lie after the end of its range' }]
    : []
