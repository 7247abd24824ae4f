import { useQuery } from '@tanstack/react-query'
import { Panel } from '../../ui/index.ts'
import { JsonBody } from '../../ui/json-body.tsx'
import { LoadState } from '../../ui/load-state.tsx'
import { DevelopersHead } from './developers-head.tsx'
import { eventTypesQuery } from './event-types.ts'
import './developers.css'

export function EventTypeListPage() {
  const types = useQuery(eventTypesQuery)
  const families = Map.groupBy(types.data ?? [], ({ family }) => family)
  return (
    <>
      <DevelopersHead />
      <LoadState query={types} />
      <div className="developers-list">
        {[...families].map(([family, members]) => (
          <Panel key={family} title={family}>
            {members.map(({ type, description, version, subscribable, sample }) => (
              <details key={type}>
                <summary>
                  <code>{type}</code> {version > 1 && `version ${version}`}{' '}
                  {!subscribable && '(not available for webhooks)'}
                </summary>
                <p>{description}</p>
                <JsonBody label={`Sample of ${type}`} value={sample} />
              </details>
            ))}
          </Panel>
        ))}
      </div>
    </>
  )
}
