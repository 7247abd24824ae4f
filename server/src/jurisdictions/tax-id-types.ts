export const taxIdTypes = ['national', 'registration', 'foreign', 'none'] as const
export type TaxIdType = (typeof taxIdTypes)[number]
