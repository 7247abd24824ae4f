/** So many failed deliveries in a row, and an endpoint is taken to be gone. */
export const failuresThatDisable = 50

const warnings = [50, 70, 90] as const
export type Warning = (typeof warnings)[number]

/** The highest warning that lies between two counts of failures in a row: whoever is told of 70 % need not hear of 50 % too. */
export const warningBetween = (before: number, after: number): Warning | undefined =>
  warnings.findLast((percent) => {
    const at = (failuresThatDisable * percent) / 100
    return before < at && at <= after && after < failuresThatDisable
  })
