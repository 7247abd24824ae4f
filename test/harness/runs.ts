/**
 * How many cases a property is tried with that asks the database or an outside tool for each: few in the ordinary run, so that
 * everybody waits for it, and all of them in `npm run test:thorough`.
 */
export const casesToTry = (ordinarily: number, thoroughly: number): number =>
  process.env.THOROUGH === '1' ? thoroughly : ordinarily
