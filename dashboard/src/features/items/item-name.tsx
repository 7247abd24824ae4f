import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'

/** Each item is fetched once, even if the page shows the name often. */
export function ItemName({ id }: { readonly id: string | null }) {
  const maySee = useMay('item.read')
  const item = useQuery({
    queryKey: ['items', 'one', id],
    queryFn: () => risiti.items.get(id as string),
    staleTime: 300_000,
    enabled: id !== null && maySee,
  })
  if (id === null || !maySee) return 'Saved item'
  return item.data?.name ?? (item.isError ? 'Deleted item' : '…')
}
