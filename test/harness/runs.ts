/** The number of cases for a slow property test: few in the ordinary run, all in `npm run test:thorough`. */
export const casesToTry = (ordinarily: number, thoroughly: number): number =>
  process.env.THOROUGH === '1' ? thoroughly : ordinarily
