import type { ErrorComponentProps } from '@tanstack/react-router'
import { wordsOf } from '../api/queries.ts'
import { Button, EmptyState } from '../ui/index.ts'

export const PageFailure = ({ error, reset }: ErrorComponentProps) => (
  <EmptyState
    title="This page could not be shown"
    action={
      <Button kind="primary" onClick={reset}>
        Try again
      </Button>
    }
  >
    {wordsOf(error)}
  </EmptyState>
)
