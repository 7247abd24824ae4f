import { useSuspenseQuery } from '@tanstack/react-query'
import { countriesQuery, mineQuery } from '../../session/country.ts'
import { useSession } from '../../session/session.tsx'

/** The currency of an organisation's country, for any organisation of the person. */
export function useCurrencyOf(): (organisationId: string) => string {
  const countries = useSuspenseQuery(countriesQuery).data
  const mine = useSuspenseQuery(mineQuery(useSession().organizationId)).data
  return (organisationId) => {
    const country = mine.find(({ id }) => id === organisationId)?.country
    return countries.find((each) => each.country === country)?.currency ?? ''
  }
}
