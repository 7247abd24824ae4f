import { useQuery } from '@tanstack/react-query'
import { permissionsQuery } from '../../session/permissions.ts'
import { useMay } from '../../session/session.tsx'
import { Panel } from '../../ui/index.ts'
import { rolesQuery } from './roles.ts'
import './roles-panel.css'

export function RolesPanel() {
  const mayRead = useMay('role.read')
  const roles = useQuery({ ...rolesQuery, enabled: mayRead })
  const words = useQuery({ ...permissionsQuery, enabled: mayRead })
  const labelOf = (name: string) => words.data?.permissions.find((each) => each.name === name)?.label ?? name
  if (!mayRead) return null
  return (
    <Panel title="Roles">
      <dl className="team-roles">
        {roles.data?.map(({ id, label, description, capabilities }) => (
          <div key={id}>
            <dt>{label}</dt>
            <dd>
              {description}
              <details>
                <summary>
                  Permissions<span className="visually-hidden">: {label}</span>
                </summary>
                <ul>
                  {capabilities.map((name) => (
                    <li key={name}>{labelOf(name)}</li>
                  ))}
                </ul>
              </details>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
