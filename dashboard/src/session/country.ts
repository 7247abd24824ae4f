import type { Jurisdiction, Me } from '@risiti/sdk'
import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { risiti } from '../api/client.ts'
import { testClockQuery } from '../api/test-clock.ts'
import { learnBusinessTime } from '../ui/dates.ts'
import { learnDecimals } from '../ui/money.ts'
import { useSession } from './session.tsx'

/** The countries that the service serves. */
export const countriesQuery = queryOptions({
  queryKey: ['session', 'countries'],
  queryFn: async () => {
    const countries = await risiti.reference.listJurisdictions()
    for (const { currencies } of countries) learnDecimals(currencies)
    return countries
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** The person's organisations. */
export const mineQuery = (organisationId: string | null) =>
  queryOptions({
    queryKey: ['organisations', 'mine', organisationId],
    queryFn: () => risiti.organisations.listMine(),
    staleTime: 60_000,
  })

/** Learns the organisation's time zone and how far its sandbox was moved forward. Forms that offer today's day need both. */
export async function learnTimeOf(queries: QueryClient, { organizationId, mode }: Me): Promise<void> {
  const [countries, mine, clock] = await Promise.all([
    queries.ensureQueryData(countriesQuery),
    queries.ensureQueryData(mineQuery(organizationId)),
    mode === 'sandbox' ? queries.ensureQueryData(testClockQuery) : undefined,
  ])
  const own = mine.find(({ id }) => id === organizationId)?.country
  const timeZone = countries.find(({ country }) => country === own)?.timeZone
  if (timeZone) learnBusinessTime({ timeZone, aheadSeconds: clock?.aheadSeconds ?? 0 })
}

/** For an organisation whose country the service does not serve. */
const notServed: Jurisdiction = {
  country: '',
  currency: '',
  currencies: [],
  timeZone: 'UTC',
  invoiceKinds: [],
  taxIdTypes: [],
  taxCategories: [],
  authorityReferenceName: 'Reference',
  districtName: null,
  phonePrefix: '',
  phoneTrunkPrefix: '',
  payerIdentifiers: [],
  connectionIdentifiers: [],
  keyFileName: null,
}

/** The organisation that the person works for now. */
export function useOwnOrganisation() {
  const { organizationId } = useSession()
  return useSuspenseQuery(mineQuery(organizationId)).data.find(({ id }) => id === organizationId)
}

/** The defaults and words of the organisation's country. */
export function useCountry(): Jurisdiction {
  const countries = useSuspenseQuery(countriesQuery).data
  const own = useOwnOrganisation()?.country
  return countries.find(({ country }) => country === own) ?? notServed
}
