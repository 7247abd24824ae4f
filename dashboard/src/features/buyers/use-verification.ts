import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { risiti } from '../../api/client.ts'

const isUnderWay = (status: string | undefined) => status === 'pending' || status === 'checking'

/** The check of a buyer's tax number with the authority. Without an id, it waits for `ask`. */
export function useVerification(buyerId: string | undefined) {
  const client = useQueryClient()
  const known = useQuery({
    queryKey: ['buyer-verification', buyerId],
    queryFn: () => risiti.buyers.getVerification(buyerId as string),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.taxIdStatus) ? 1_000 : false),
    staleTime: 0,
    enabled: buyerId !== undefined,
  })
  const asking = useMutation({
    mutationFn: (id: string) => risiti.buyers.verify(id),
    onSuccess: (answer, id) => client.setQueryData(['buyer-verification', id], answer),
  })
  const status = known.data?.taxIdStatus
  // Lists show the result too.
  useEffect(() => {
    if (status !== undefined) void client.invalidateQueries({ queryKey: ['buyers'] })
  }, [client, status])
  return {
    status,
    registeredName: known.data?.verification?.registeredName,
    error: known.error ?? asking.error,
    isChecking: asking.isPending || isUnderWay(status),
    ask: asking.mutate,
  }
}
