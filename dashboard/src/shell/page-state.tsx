import type { ReactNode } from 'react'
import { wordsOf } from '../api/queries.ts'
import { Icon } from '../ui/icons.tsx'
import { Button, EmptyState } from '../ui/index.ts'
import { PageLoading } from './shell.tsx'

/** Stands where the page of one object will be: grey bars while it loads, and a failure with "Try again" and a way to the list. */
export function PageState({
  query: { error, isFetching, refetch },
  name,
  list,
}: {
  readonly query: { readonly error: unknown; readonly isFetching: boolean; readonly refetch: () => unknown }
  /** what the page shows, such as "invoice" */
  readonly name: string
  /** a link to the list of all of them */
  readonly list: ReactNode
}) {
  if (!error) return <PageLoading />
  return (
    <EmptyState
      title={`This ${name} cannot be shown`}
      isPage
      action={
        <>
          <Button busy={isFetching} onClick={() => void refetch()}>
            <Icon name="retry" />
            Try again
          </Button>
          {list}
        </>
      }
    >
      {wordsOf(error)}
    </EmptyState>
  )
}
