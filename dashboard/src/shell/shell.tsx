import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { queries } from '../api/queries.ts'
import { useSession, useSessionOfOtherTabs } from '../session/session.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { say, Toasts } from '../ui/toast.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Finder } from './finder.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { BottomBar, SideMenu } from './navigation.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { OrganisationSwitch } from './organisation-switch.tsx'
import { SandboxTime } from './sandbox-time.tsx'
import './shell.css'

export function Shell() {
  const { organizationId, mode, capabilities } = useSession()
  const [found, setFound] = useState<'palette' | 'shortcuts'>()
  useChangesElsewhere(`${organizationId} ${mode}`)
  const navigate = useNavigate()
  useSessionOfOtherTabs(() => {
    say('Another tab has changed the organisation or the mode.')
    void navigate({ to: '/overview' })
  })
  return (
    <div className="shell" data-mode={mode}>
      <a className="shell-skip" href="#page">
        Skip to content
      </a>
      <header className="shell-bar">
        <Link to="/overview" className="shell-name">
          Risiti
        </Link>
        <OrganisationSwitch />
        <ModeSwitch />
        <div className="shell-who">
          <Finder open={found} onOpen={setFound} />
          <AccountMenu onKeys={() => setFound('shortcuts')} />
        </div>
      </header>
      <SideMenu capabilities={capabilities} />
      <main id="page" className="shell-page" tabIndex={-1}>
        <OfflineNotice />
        {mode === 'sandbox' && <SandboxTime />}
        <Suspense fallback={<PageLoading />}>
          <Outlet />
        </Suspense>
      </main>
      <BottomBar capabilities={capabilities} />
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

/** While the page's script or the session loads. */
export const PageLoading = () => <Skeleton />
