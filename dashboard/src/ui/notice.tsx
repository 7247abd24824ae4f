import type { ReactNode } from 'react'
import './notice.css'

/** Screen readers announce errors at once. */
export function Notice({
  tone = 'info',
  title,
  children,
}: {
  readonly tone?: 'info' | 'good' | 'warn' | 'bad'
  readonly title?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {title && <strong>{title}</strong>}
      {children && <div>{children}</div>}
    </div>
  )
}
