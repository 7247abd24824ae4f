import { LoadFailure } from './load-failure.tsx'
import { Skeleton } from './skeleton.tsx'

/** Stands where a query's data will be: grey bars while it loads, and a failure with a button that asks again. */
export const LoadState = ({
  query,
  rows = 4,
}: {
  readonly query: {
    readonly isLoading: boolean
    readonly isError: boolean
    readonly error: unknown
    readonly refetch: () => unknown
    readonly isFetching: boolean
  }
  /** how many bars */
  readonly rows?: number
}) => (
  <>
    {query.isLoading && <Skeleton rows={rows} />}
    {query.isError && <LoadFailure query={query} />}
  </>
)
