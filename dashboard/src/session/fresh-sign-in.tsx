import { Refused } from '@risiti/sdk'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { risiti } from '../api/client.ts'
import { faultsOf, wordsOf } from '../api/queries.ts'
import { PasswordField, SecondFactorField } from '../ui/credential-fields.tsx'
import { Button, Dialog, DialogActions, fieldsOf, Notice } from '../ui/index.ts'
import { useSession } from './session.tsx'

interface WaitingAction {
  readonly goOn: () => void
  readonly giveUp: () => void
}

/** Runs an action that needs a recent sign-in. Asks for the password first if the sign-in is too old. */
export function useFreshSignIn(): {
  readonly freshly: <Done>(act: () => Promise<Done>) => Promise<Done>
  readonly dialog: ReactNode
} {
  const [waiting, setWaiting] = useState<WaitingAction>()
  async function freshly<Done>(act: () => Promise<Done>): Promise<Done> {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof Refused && error.is('auth.sign_in_too_old'))) throw error
      await new Promise<void>((goOn, reject) => setWaiting({ goOn, giveUp: () => reject(error) }))
      return await act()
    }
  }
  const end = (how: keyof WaitingAction) => {
    waiting?.[how]()
    setWaiting(undefined)
  }
  return {
    freshly,
    dialog: waiting && (
      <Dialog title="Confirm your password" open onClose={() => end('giveUp')}>
        <SignInAgain onDone={() => end('goOn')} />
      </Dialog>
    ),
  }
}

/** A new session in place of this one, in the same organisation and mode. */
function SignInAgain({ onDone }: { readonly onDone: () => void }) {
  const { user, organizationId, mode } = useSession()
  const [asksForCode, setAsksForCode] = useState(false)
  const signingIn = useMutation({
    mutationFn: async (given: { password: string; code?: string }) => {
      const before = (await risiti.identity.listSessions()).find(({ current }) => current)
      const session = await risiti.identity.logIn({ email: user?.email ?? '', mode, ...given })
      if (organizationId !== null && session.organizationId !== organizationId)
        await risiti.organisations.switch({ organizationId, mode })
      // The old session is unused now. A failure to end it does no harm.
      if (before) await risiti.identity.endSession(before.id).catch(() => undefined)
    },
    onSuccess: onDone,
    onError: (error) => {
      if (error instanceof Refused && error.is('credentials.second_factor_needed')) setAsksForCode(true)
    },
  })
  const faults = faultsOf(signingIn.error)
  const isWrong =
    signingIn.error instanceof Refused ? !signingIn.error.is('credentials.second_factor_needed') : signingIn.isError
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { typed, text } = fieldsOf(event)
        signingIn.mutate({ password: typed('password'), ...(asksForCode ? { code: text('code') } : {}) })
      }}
    >
      <p>This action is protected. Enter your password again to continue.</p>
      {isWrong && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(signingIn.error)}</Notice>}
      <PasswordField autoFocus fault={faults.password} />
      {asksForCode && <SecondFactorField autoFocus fault={faults.code} />}
      <DialogActions>
        <Button kind="primary" type="submit" busy={signingIn.isPending}>
          Continue
        </Button>
      </DialogActions>
    </form>
  )
}
