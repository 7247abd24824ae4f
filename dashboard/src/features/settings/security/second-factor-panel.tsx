import type { IdentityDisableTotpBody, IdentityEnrolTotpReply } from '@risiti/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { faultsOf, wordsOf } from '../../../api/queries.ts'
import { sessionQuery, useSession } from '../../../session/session.tsx'
import { PasswordField, SecondFactorField } from '../../../ui/credential-fields.tsx'
import {
  Badge,
  Button,
  Dialog,
  DialogActions,
  fieldsOf,
  Notice,
  Panel,
  ShowOnce,
  TextField,
} from '../../../ui/index.ts'
import { QrCode } from './qr-code.tsx'
import './second-factor-panel.css'

/** The recovery codes are shown only once. */
export function SecondFactorPanel() {
  const { user } = useSession()
  const client = useQueryClient()
  const [asks, setAsks] = useState<'set-up' | 'switch-off'>()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const isOn = user?.totpEnabled === true
  const changed = () => client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  const close = () => setAsks(undefined)
  return (
    <Panel
      title="Second factor"
      about="When you sign in, you enter a code from an app on your phone as well as your password. A stolen password alone is then not enough."
      action={<Badge tone={isOn ? 'good' : 'warn'}>{isOn ? 'On' : 'Off'}</Badge>}
    >
      {recoveryCodes && (
        <Notice tone="warn" title="Save your recovery codes">
          <p>Each code works once, in place of the app on your phone. The codes are shown only now.</p>
          <ShowOnce label="Recovery codes" secret={recoveryCodes.join('\n')} />
          <Button onClick={() => setRecoveryCodes(undefined)}>I have saved the codes</Button>
        </Notice>
      )}
      <div>
        <Button kind={isOn ? 'plain' : 'primary'} onClick={() => setAsks(isOn ? 'switch-off' : 'set-up')}>
          {isOn ? 'Switch off' : 'Set up'}
        </Button>
      </div>
      <Dialog title="Set up a second factor" open={asks === 'set-up'} onClose={close}>
        <SetUp
          onDone={async (codes) => {
            setRecoveryCodes(codes)
            close()
            await changed()
          }}
        />
      </Dialog>
      <Dialog title="Switch off the second factor" open={asks === 'switch-off'} onClose={close}>
        <SwitchOff
          onDone={async () => {
            setRecoveryCodes(undefined)
            close()
            await changed()
          }}
        />
      </Dialog>
    </Panel>
  )
}

const AppCodeField = ({ fault }: { readonly fault: string | undefined }) => (
  <TextField
    label="Code from the app"
    name="code"
    inputMode="numeric"
    autoComplete="one-time-code"
    required
    fault={fault}
  />
)

function SetUp({ onDone }: { readonly onDone: (recoveryCodes: readonly string[]) => void }) {
  const enrolling = useMutation({ mutationFn: (password: string) => risiti.identity.enrolTotp({ password }) })
  if (enrolling.data) return <Scan {...enrolling.data} onDone={onDone} />
  const faults = faultsOf(enrolling.error)
  return (
    <form className="dialog-form" onSubmit={(event) => enrolling.mutate(fieldsOf(event).typed('password'))}>
      {enrolling.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(enrolling.error)}</Notice>}
      <PasswordField fault={faults.password} />
      <DialogActions>
        <Button kind="primary" type="submit" busy={enrolling.isPending}>
          Continue
        </Button>
      </DialogActions>
    </form>
  )
}

function Scan({
  secret,
  uri,
  onDone,
}: IdentityEnrolTotpReply & { readonly onDone: (recoveryCodes: readonly string[]) => void }) {
  const confirming = useMutation({
    mutationFn: (code: string) => risiti.identity.confirmTotp({ code }),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  const faults = faultsOf(confirming.error)
  return (
    <form className="dialog-form" onSubmit={(event) => confirming.mutate(fieldsOf(event).text('code'))}>
      <div className="second-factor-scan">
        <QrCode text={uri} label="QR code for your authenticator app" />
        <div>
          <p>Scan this QR code with an authenticator app, or type the key into the app:</p>
          <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        </div>
      </div>
      {confirming.isError && Object.keys(faults).length === 0 && (
        <Notice tone="bad">{wordsOf(confirming.error)}</Notice>
      )}
      <AppCodeField fault={faults.code} />
      <DialogActions>
        <Button kind="primary" type="submit" busy={confirming.isPending}>
          Switch on the second factor
        </Button>
      </DialogActions>
    </form>
  )
}

function SwitchOff({ onDone }: { readonly onDone: () => void }) {
  const disabling = useMutation({
    mutationFn: (given: IdentityDisableTotpBody) => risiti.identity.disableTotp(given),
    onSuccess: onDone,
  })
  const faults = faultsOf(disabling.error)
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { typed, text } = fieldsOf(event)
        disabling.mutate({ password: typed('password'), code: text('code') })
      }}
    >
      <p>You will sign in with your password alone, and your recovery codes stop working.</p>
      {disabling.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(disabling.error)}</Notice>}
      <PasswordField fault={faults.password} />
      <SecondFactorField fault={faults.code} />
      <DialogActions>
        <Button kind="danger" type="submit" busy={disabling.isPending}>
          Switch off the second factor
        </Button>
      </DialogActions>
    </form>
  )
}
