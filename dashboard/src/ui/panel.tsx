import { type ReactNode, useId } from 'react'
import './panel.css'

export function Panel({
  title,
  about,
  action,
  children,
}: {
  readonly title: string
  readonly about?: ReactNode
  readonly action?: ReactNode
  readonly children?: ReactNode
}) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <div>
          <h2 id={id}>{title}</h2>
          {about && <p>{about}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
