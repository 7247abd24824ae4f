/** How long an amount has been due, by the first day after the due date of each age. */
export const ageSteps = { '1_30': 1, '31_60': 31, '61_90': 61, over_90: 91 } as const
export const receivableAges = ['not_due', ...(Object.keys(ageSteps) as (keyof typeof ageSteps)[])] as const
export type ReceivableAge = (typeof receivableAges)[number]
