import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { risiti } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { forgetAllWriting } from '../session/kept-writing.ts'
import { sessionQuery, useSession } from '../session/session.tsx'
import { Button } from '../ui/index.ts'
import { Toasts } from '../ui/toast.tsx'
import { Finder } from './finder.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { OrganisationSwitch } from './organisation-switch.tsx'
import { pages } from './pages.ts'
import { ThemeChoice } from './theme-choice.tsx'
import './shell.css'

export function Shell() {
  const session = useSession()
  const [isOpen, setOpen] = useState(false)
  useChangesElsewhere(`${session.organizationId} ${session.mode}`)
  const may = (needs: readonly string[]) => needs.every((each) => session.capabilities.includes(each))
  return (
    <div className="shell" data-mode={session.mode}>
      <a className="shell-skip" href="#page">
        Skip to content
      </a>
      <header className="shell-bar">
        <Button
          kind="quiet"
          className="shell-open"
          aria-expanded={isOpen}
          aria-controls="shell-pages"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </Button>
        <Link to="/overview" className="shell-name">
          Risiti
        </Link>
        <OrganisationSwitch />
        <ModeSwitch />
        <div className="shell-who">
          <Finder />
          <div className="shell-desk">
            <ThemeChoice />
            <SignOut />
          </div>
        </div>
      </header>
      <nav id="shell-pages" className="shell-pages" aria-label="Pages" data-open={isOpen}>
        <ul>
          {pages
            .filter(({ needs }) => may(needs))
            .map(({ to, name }) => (
              <li key={to}>
                <Link to={to} activeProps={{ 'aria-current': 'page' }} onClick={() => setOpen(false)}>
                  {name}
                </Link>
              </li>
            ))}
        </ul>
        <div className="shell-phone">
          <ThemeChoice />
          <SignOut />
        </div>
      </nav>
      <main id="page" className="shell-page" tabIndex={-1}>
        <OfflineNotice />
        <Suspense fallback={<PageLoading />}>
          <Outlet />
        </Suspense>
      </main>
      <Toasts />
    </div>
  )
}

/** Shows changes without a reload. Each organisation and mode has its own stream. */
function useChangesElsewhere(where: string): void {
  useEffect(() => {
    let stop = () => {}
    let isOver = false
    import('../api/live.ts').then(
      ({ listenForChanges }) => {
        if (!isOver) stop = listenForChanges(queries)
      },
      // Without the stream, data stays as it was read.
      () => undefined,
    )
    return () => {
      isOver = true
      stop()
    }
  }, [where])
}

/** Shows a loading message only after a short delay. */
export function PageLoading() {
  const [isLate, setLate] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    timer.current = setTimeout(() => setLate(true), 300)
    return () => clearTimeout(timer.current)
  }, [])
  return <p role="status">{isLate ? 'Loading …' : ''}</p>
}

function SignOut() {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  async function signOut() {
    setBusy(true)
    // All data leaves the page, even if the request fails.
    await risiti.identity.logOut().catch(() => undefined)
    await forgetAllWriting()
    queries.clear()
    queries.setQueryData(sessionQuery.queryKey, null)
    await navigate({ to: '/sign-in', search: { next: undefined } })
  }
  return (
    <Button kind="quiet" busy={isBusy} onClick={signOut}>
      Sign out
    </Button>
  )
}
