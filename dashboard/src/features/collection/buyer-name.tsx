import { queryOptions, useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'

const buyerQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['buyers', 'one', id],
    queryFn: () => risiti.buyers.get(id as string),
    staleTime: 300_000,
  })

/** For exports. `null` for a deleted buyer, and for people who may not see buyers. */
export async function readBuyerName(id: string | null): Promise<string | null> {
  if (id === null) return null
  try {
    return (await queries.ensureQueryData(buyerQuery(id))).name
  } catch {
    return null
  }
}

/** Each buyer is fetched once, even if the page shows the name often. */
export function BuyerName({ id, nobody = '–' }: { readonly id: string | null; readonly nobody?: string }) {
  const maySee = useMay('buyer.read')
  const buyer = useQuery({ ...buyerQuery(id), enabled: id !== null && maySee })
  if (id === null) return nobody
  return buyer.data?.name ?? (buyer.isError ? 'Deleted buyer' : '…')
}
