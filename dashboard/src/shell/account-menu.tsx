import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { mineQuery } from '../session/country.ts'
import { deleteAllLocalDrafts } from '../session/local-drafts.ts'
import { sessionQuery, useSession } from '../session/session.tsx'
import { Icon } from '../ui/icons.tsx'
import { closePopups, Popup } from '../ui/popup.tsx'
import { ThemeChoice } from './theme-choice.tsx'

/** The signed-in person with everything that belongs to the person and to no page. */
export function AccountMenu({ onKeys }: { readonly onKeys: () => void }) {
  const { user, organizationId } = useSession()
  const mine = useQuery(mineQuery(organizationId))
  const organisation = mine.data?.find(({ id }) => id === organizationId)
  const [first, last] = [user?.firstName ?? '', user?.lastName ?? '']
  return (
    <>
      <button type="button" className="account-open" popoverTarget="account">
        <span aria-hidden="true">{`${first.charAt(0)}${last.charAt(0)}`.toUpperCase()}</span>
        <span className="visually-hidden">Account</span>
      </button>
      <Popup id="account" label="Account" className="account-menu">
        <div className="account-who">
          <strong>{`${first} ${last}`}</strong>
          <span>{user?.email}</span>
          {organisation && <span>{organisation.role.label}</span>}
        </div>
        <ThemeChoice />
        <ul>
          <li>
            <Link to="/settings/security" onClick={closePopups}>
              <Icon name="shield" />
              Password and sign-in
            </Link>
          </li>
          <li>
            <Link to="/settings/programs" onClick={closePopups}>
              <Icon name="code" />
              Connected programs
            </Link>
          </li>
          <li>
            <button
              type="button"
              onClick={() => {
                closePopups()
                onKeys()
              }}
            >
              <Icon name="keyboard" />
              Keyboard shortcuts
            </button>
          </li>
          <li>
            <a href="/guides">
              <Icon name="book" />
              Guides
            </a>
          </li>
          <li>
            <a href="/docs">
              <Icon name="reference" />
              API reference
            </a>
          </li>
          <li>
            <SignOut />
          </li>
        </ul>
      </Popup>
    </>
  )
}

function SignOut() {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  async function signOut() {
    setBusy(true)
    // All data leaves the page, even if the request fails.
    await risiti.identity.logOut().catch(() => undefined)
    queries.clear()
    queries.setQueryData(sessionQuery.queryKey, null)
    await navigate({ to: '/sign-in', search: { next: undefined } })
    // An open editor would store its draft again.
    await deleteAllLocalDrafts()
  }
  return (
    <button type="button" aria-busy={isBusy || undefined} disabled={isBusy} onClick={signOut}>
      <Icon name="leave" />
      Sign out
    </button>
  )
}
