import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'

/** Where the money of each seller goes in the end. */
export const useSettlementAccounts = () =>
  useQuery({
    queryKey: ['collection', 'settlements'],
    queryFn: async () => await risiti.collection.listSettlements({ limit: 100 }),
  })
