import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import './bulk-bar.css'

export const BulkBar = ({
  count,
  onNone,
  children,
}: {
  readonly count: number
  readonly onNone: () => void
  readonly children: ReactNode
}) =>
  count > 0 && (
    <section className="bulk-bar" aria-label="Selected rows">
      <strong>{count} selected</strong>
      {children}
      <Button kind="quiet" onClick={onNone}>
        Clear selection
      </Button>
    </section>
  )
