import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../session/session.tsx'
import { Panel } from '../../ui/index.ts'
import { rolesQuery } from './roles.ts'
import './roles-panel.css'

/** What each role is for. */
export function RolesPanel() {
  const mayRead = useMay('role.read')
  const roles = useQuery({ ...rolesQuery, enabled: mayRead })
  if (!mayRead) return null
  return (
    <Panel title="Roles">
      <dl className="team-roles">
        {roles.data?.map(({ id, label, description }) => (
          <div key={id}>
            <dt>{label}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
