import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'

export const useSettlementAccounts = () =>
  useQuery({
    queryKey: ['collection', 'settlements'],
    queryFn: async () => await risiti.collection.listSettlements({ limit: 100 }),
  })
