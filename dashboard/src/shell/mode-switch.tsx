import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { risiti } from '../api/client.ts'
import { wordsOf } from '../api/queries.ts'
import { useForgetEverything, useMay, useSession } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { closePopups, Popup } from '../ui/popup.tsx'

/** Loads on first use. */
const LiveQuestion = lazy(async () => ({ default: (await import('./live-question.tsx')).LiveQuestion }))

export function ModeSwitch() {
  const { mode } = useSession()
  const mayUseLive = useMay('live_mode.use')
  const forgetEverything = useForgetEverything()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const other = mode === 'live' ? 'sandbox' : 'live'
  const words = (
    <>
      <strong>{mode === 'live' ? 'Live' : 'Sandbox'}</strong>
      <span>{mode === 'live' ? 'Everything here is real.' : 'Nothing here is real.'}</span>
    </>
  )
  if (mode === 'sandbox' && !mayUseLive) return <div className="mode-switch">{words}</div>
  async function change() {
    await risiti.identity.switchMode({ mode: other })
    await forgetEverything()
    closePopups()
    await navigate({ to: '/overview' })
  }
  async function changeAtOnce() {
    setBusy(true)
    setFault(undefined)
    try {
      await change()
    } catch (error) {
      setFault(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button type="button" className="mode-switch" popoverTarget="mode">
        {words}
        <Icon name="down" />
      </button>
      <Popup id="mode" label="Mode" className="mode-menu">
        <p>
          {mode === 'live'
            ? 'In the sandbox you can try everything. It has its own buyers, items, invoices and API keys.'
            : 'In live mode invoices go to the tax authority and to real buyers.'}
        </p>
        <Button
          busy={isBusy}
          onClick={() => {
            if (other === 'sandbox') return void changeAtOnce()
            closePopups()
            setAsking(true)
          }}
        >
          Switch to {other}
        </Button>
        {fault && <span role="alert">{fault}</span>}
      </Popup>
      <Suspense fallback={null}>
        {isAsking && <LiveQuestion onClose={() => setAsking(false)} onConfirm={change} />}
      </Suspense>
    </>
  )
}
