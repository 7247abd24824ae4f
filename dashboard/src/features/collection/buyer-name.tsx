import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'

/** Each buyer is fetched once, even if the page shows the name often. */
export function BuyerName({ id, nobody = '–' }: { readonly id: string | null; readonly nobody?: string }) {
  const maySee = useMay('buyer.read')
  const buyer = useQuery({
    queryKey: ['buyers', 'one', id],
    queryFn: () => risiti.buyers.get(id as string),
    enabled: id !== null && maySee,
    staleTime: 300_000,
  })
  if (id === null) return nobody
  return buyer.data?.name ?? (buyer.isError ? 'Deleted buyer' : '…')
}
