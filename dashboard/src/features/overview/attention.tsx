import { Badge, Panel } from '../../ui/index.ts'
import { mattersOf } from './matters.tsx'
import type { BusinessNow } from './use-business.ts'

/** Shown only when all data is loaded, so that nothing moves while a person presses. */
export function Attention({
  business,
  isWaiting,
  hasSteps,
}: {
  readonly business: BusinessNow
  readonly isWaiting: boolean
  /** the first steps are shown above */
  readonly hasSteps: boolean
}) {
  // The first steps ask for the connection already.
  const isAsked = hasSteps && business.connection?.status === 'NOT_CONNECTED'
  const matters = isWaiting ? [] : mattersOf(business).filter(({ id }) => !(isAsked && id === 'connection'))
  return (
    <Panel title="Needs attention">
      {matters.length === 0 && (
        <p className="overview-calm" role="status">
          {isWaiting ? 'Loading …' : 'Nothing needs your attention.'}
        </p>
      )}
      {matters.length > 0 && (
        <ul className="overview-matters">
          {matters.map(({ id, tone, word, title, about, action }) => (
            <li key={id}>
              <Badge tone={tone}>{word}</Badge>
              <div>
                <strong>{title}</strong>
                <p>{about}</p>
              </div>
              {action}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
