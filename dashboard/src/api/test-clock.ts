import { queryOptions } from '@tanstack/react-query'
import { risiti } from './client.ts'

/** The time of the sandbox. Asked often while a move is under way. */
export const testClockQuery = queryOptions({
  queryKey: ['test-clock'],
  queryFn: () => risiti.testClock.get(),
  refetchInterval: ({ state }) => (state.data?.move?.status === 'advancing' ? 1_000 : 60_000),
})
