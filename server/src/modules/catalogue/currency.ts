export const currencies = ['NGN', 'USD'] as const
export type Currency = (typeof currencies)[number]
