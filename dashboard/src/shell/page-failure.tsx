import type { ErrorComponentProps } from '@tanstack/react-router'
import { wordsOf } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export const PageFailure = ({ error, reset }: ErrorComponentProps) => (
  <EmptyState
    title="This page could not be shown"
    isPage
    action={
      <Button kind="primary" onClick={reset}>
        Try again
      </Button>
    }
  >
    {wordsOf(error)}
  </EmptyState>
)
