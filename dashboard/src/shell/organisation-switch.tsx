import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { risiti } from '../api/client.ts'
import { wordsOf } from '../api/queries.ts'
import { mineQuery } from '../session/country.ts'
import { useForgetEverything, useSession } from '../session/session.tsx'

export function OrganisationSwitch() {
  const { organizationId } = useSession()
  const forgetEverything = useForgetEverything()
  const navigate = useNavigate()
  const mine = useQuery(mineQuery(organizationId))
  const switching = useMutation({
    mutationFn: async (id: string) => {
      await risiti.organisations.switch({ organizationId: id })
      await forgetEverything()
      await navigate({ to: '/overview' })
    },
  })
  const open = mine.data?.filter(({ membershipStatus }) => membershipStatus === 'active') ?? []
  const [only] = open
  if (!only) return null
  if (open.length === 1 && only.id === organizationId) return <span className="organisation-name">{only.name}</span>
  return (
    <label className="organisation-switch">
      <span className="visually-hidden">Organisation</span>
      <select
        value={organizationId ?? ''}
        disabled={switching.isPending}
        onChange={({ target }) => switching.mutate(target.value)}
      >
        {organizationId === null && <option value="">Choose an organisation</option>}
        {open.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {switching.isError && <span role="alert">{wordsOf(switching.error)}</span>}
    </label>
  )
}
