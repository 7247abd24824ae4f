import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useMay } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { listenForShortcuts } from './shortcuts.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const Shortcuts = lazy(async () => ({ default: (await import('./palette.tsx')).Shortcuts }))

/** The dialogs load on first use. */
export function Finder({
  open,
  onOpen,
}: {
  readonly open: 'palette' | 'shortcuts' | undefined
  readonly onOpen: (dialog: 'palette' | 'shortcuts' | undefined) => void
}) {
  const navigate = useNavigate()
  const mayCreate = useMay('invoice.create')
  useEffect(
    () =>
      listenForShortcuts({
        find: () => onOpen('palette'),
        help: () => onOpen('shortcuts'),
        create: () => mayCreate && void navigate({ to: '/invoices/new' }),
        go: (to) => void navigate({ to }),
      }),
    [navigate, mayCreate, onOpen],
  )
  const close = () => onOpen(undefined)
  return (
    <>
      <Button
        kind="quiet"
        className="shell-find"
        aria-keyshortcuts="k Control+K Meta+K"
        onClick={() => onOpen('palette')}
      >
        <Icon name="search" />
        <span>Go to …</span>
        <kbd>k</kbd>
      </Button>
      <Suspense fallback={null}>
        {open === 'palette' && <Palette onClose={close} onKeys={() => onOpen('shortcuts')} />}
        {open === 'shortcuts' && <Shortcuts onClose={close} />}
      </Suspense>
    </>
  )
}
