import { wordsOf } from '../api/queries.ts'
import { Button } from './button.tsx'
import { Icon } from './icons.tsx'
import { Notice } from './notice.tsx'
import './load-failure.css'

/** Data that could not be loaded, with a button that asks again. */
export const LoadFailure = ({
  query: { error, refetch, isFetching },
}: {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown; readonly isFetching: boolean }
}) => (
  <Notice tone="bad">
    <div className="load-failure">
      <span>{wordsOf(error)}</span>
      <Button busy={isFetching} onClick={() => void refetch()}>
        <Icon name="retry" />
        Try again
      </Button>
    </div>
  </Notice>
)
