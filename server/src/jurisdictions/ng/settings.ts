import type { CountrySettings } from '../../platform/config.ts'

const variablesOf = (prefix: string) => ({
  baseUrl: `${prefix}_BASE_URL`,
  apiKey: `${prefix}_API_KEY`,
  apiSecret: `${prefix}_API_SECRET`,
})

/** Access to the revenue service NRS. */
export const settings = {
  country: 'NG',
  variables: { live: variablesOf('NRS'), sandbox: variablesOf('NRS_SANDBOX') },
} as const satisfies CountrySettings

export type NrsAccess = Readonly<Record<keyof (typeof settings)['variables']['live'], string>>
