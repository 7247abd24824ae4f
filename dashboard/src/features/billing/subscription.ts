import { type Mode, Refused, type Subscription } from '@risiti/sdk'
import { queryOptions } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'

/** The organisation's billing subscription, or `null`. */
export const subscriptionQuery = (mode: Mode) =>
  queryOptions({
    queryKey: ['billing', 'subscription', mode],
    queryFn: async (): Promise<Subscription | null> => {
      try {
        return await risiti.billing.getActiveSubscription()
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return null
        throw error
      }
    },
  })
