import type { Jurisdiction } from '@risiti/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { risiti } from '../../../api/client.ts'

/** The country's usual taxes with their rates, then all others. */
export function useTaxes(usual: Jurisdiction['taxCategories']): readonly (readonly [code: string, name: string])[] {
  const { data } = useQuery({
    queryKey: ['reference', 'tax-categories'],
    queryFn: async () => await risiti.reference.readList('tax-categories'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => {
    const usualTaxes = usual.map(
      ({ code, label, rate }) => [code, rate === null ? label : `${label} ${rate} %`] as const,
    )
    const others = (data?.entries ?? []).filter(({ code }) => !usual.some((one) => one.code === code))
    return [...usualTaxes, ...others.map(({ code, name }) => [code, name] as const)]
  }, [data, usual])
}
