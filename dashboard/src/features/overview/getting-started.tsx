import type { TaxConnection } from '@risiti/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button, Dialog, Panel } from '../../ui/index.ts'
import { say } from '../../ui/toast.tsx'
import { NewBuyerDialog } from '../buyers/new-buyer-dialog.tsx'
import { SettlementForm } from '../collection/settlement-form.tsx'
import { ProfileForm } from '../settings/organisation/profile-form.tsx'
import { ConnectForm } from '../settings/tax/connect-form.tsx'
import type { FirstSteps, StartStep } from './use-getting-started.ts'
import './getting-started.css'

const words: Readonly<Record<StartStep, readonly [title: string, about: string, action: string]>> = {
  details: ['Complete your details', 'Every invoice shows your address and email.', 'Add your details'],
  connection: [
    'Connect to the tax authority',
    'Risiti reports your invoices for your business. Until then, you can create and send invoices, but not report them.',
    'Connect',
  ],
  bank: ['Add your bank account', 'The payments of your buyers go to this account.', 'Add the account'],
  buyer: ['Add your first buyer', 'Risiti checks the tax number, and you never type the buyer again.', 'Add a buyer'],
  invoice: ['Issue your first invoice', 'Write the invoice, finalise it and report it.', 'Write an invoice'],
}

/** The steps to the first invoice. Each step is done in a dialog here, or on the page behind its link. */
export function GettingStarted({
  start: { steps, organisation, open, setOpen, hide },
  connection,
}: {
  readonly start: FirstSteps
  readonly connection: TaxConnection | undefined
}) {
  const client = useQueryClient()
  const close = () => setOpen(undefined)
  const done = async (message: string, ...keys: readonly string[]) => {
    close()
    say(message)
    await Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })))
  }
  const count = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)?.step
  return (
    <Panel
      title="Getting started"
      about={`${count} of ${steps.length} steps done.`}
      action={
        <Button kind="quiet" onClick={hide}>
          Hide these steps
        </Button>
      }
    >
      <progress className="first-steps-progress" value={count} max={steps.length} aria-label="Steps done" />
      <ol className="first-steps">
        {steps.map(({ step, isDone }) => {
          const [title, about, action] = words[step]
          return (
            <li key={step} data-done={isDone}>
              <span className="first-steps-mark" aria-hidden="true">
                {isDone ? '✓' : ''}
              </span>
              <div>
                <strong>{title}</strong>
                {isDone ? <span className="visually-hidden">: done</span> : <p>{about}</p>}
              </div>
              {!isDone &&
                (step === 'invoice' ? (
                  <Link to="/invoices/new" className={next === step ? 'button button-primary' : 'button'}>
                    {action}
                  </Link>
                ) : (
                  <Button kind={next === step ? 'primary' : 'plain'} onClick={() => setOpen(step)}>
                    {action}
                  </Button>
                ))}
            </li>
          )
        })}
      </ol>
      {organisation && (
        <Dialog title="Your details" open={open === 'details'} onClose={close}>
          <ProfileForm
            organisation={organisation}
            isShort
            onDone={() => done('Your details were saved.', 'organisation')}
          />
        </Dialog>
      )}
      {connection && (
        <Dialog title="Connect to the tax authority" open={open === 'connection'} onClose={close} wide>
          <ConnectForm
            connection={connection}
            onDone={async (now) => {
              client.setQueryData(['tax-connection'], now)
              await done(
                now.businessName ? `You are connected as ${now.businessName}.` : 'You are connected.',
                'sellers',
              )
            }}
          />
        </Dialog>
      )}
      <Dialog title="Add a bank account" open={open === 'bank'} onClose={close}>
        <SettlementForm onDone={() => done('Your bank account was added.', 'collection')} />
      </Dialog>
      {open === 'buyer' && (
        <NewBuyerDialog onClose={close} onDone={({ name }) => done(`${name} was added.`, 'buyers')} />
      )}
    </Panel>
  )
}
