/**
 * The number of cases for a property test that uses the database or an outside tool: few in the ordinary run, all in
 * `npm run test:thorough`.
 */
export const casesToTry = (ordinarily: number, thoroughly: number): number =>
  process.env.THOROUGH === '1' ? thoroughly : ordinarily
