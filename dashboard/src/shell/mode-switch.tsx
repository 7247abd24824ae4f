import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../api/client.ts'
import { wordsOf } from '../api/queries.ts'
import { useForgetEverything, useMay, useSession } from '../session/session.tsx'
import { Button, ConfirmDialog } from '../ui/index.ts'

export function ModeSwitch() {
  const { mode } = useSession()
  const mayUseLive = useMay('live_mode.use')
  const forgetEverything = useForgetEverything()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const other = mode === 'live' ? 'sandbox' : 'live'
  async function change() {
    await risiti.identity.switchMode({ mode: other })
    await forgetEverything()
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
    <div className="mode-switch">
      <strong>{mode === 'live' ? 'Live' : 'Sandbox'}</strong>
      <span>{mode === 'live' ? 'Everything here is real.' : 'Nothing here is real.'}</span>
      {(mode === 'live' || mayUseLive) && (
        <Button kind="quiet" busy={isBusy} onClick={() => (other === 'live' ? setAsking(true) : changeAtOnce())}>
          Switch to {other}
        </Button>
      )}
      <ConfirmDialog
        title="Switch to live?"
        action="Switch to live"
        kind="primary"
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={change}
      >
        <p>In live mode invoices go to the tax authority and to real buyers, and payments are real money.</p>
        <p>Live has its own buyers, items, invoices and API keys. Those of the sandbox stay in the sandbox.</p>
      </ConfirmDialog>
      {fault && <span role="alert">{fault}</span>}
    </div>
  )
}
