import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useMay } from '../session/session.tsx'
import { Button } from '../ui/index.ts'
import { hearShortcuts } from './shortcuts.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const Shortcuts = lazy(async () => ({ default: (await import('./palette.tsx')).Shortcuts }))

/** The dialogs load on first use. */
export function Finder() {
  const navigate = useNavigate()
  const mayCreate = useMay('invoice.create')
  const [open, setOpen] = useState<'palette' | 'shortcuts'>()
  useEffect(
    () =>
      hearShortcuts({
        find: () => setOpen('palette'),
        help: () => setOpen('shortcuts'),
        create: () => mayCreate && void navigate({ to: '/invoices/new' }),
        go: (to) => void navigate({ to }),
      }),
    [navigate, mayCreate],
  )
  const close = () => setOpen(undefined)
  return (
    <>
      <Button
        kind="quiet"
        className="shell-find"
        aria-keyshortcuts="k Control+K Meta+K"
        onClick={() => setOpen('palette')}
      >
        Go to …<kbd>k</kbd>
      </Button>
      <Suspense fallback={null}>
        {open === 'palette' && <Palette onClose={close} onKeys={() => setOpen('shortcuts')} />}
        {open === 'shortcuts' && <Shortcuts onClose={close} />}
      </Suspense>
    </>
  )
}
