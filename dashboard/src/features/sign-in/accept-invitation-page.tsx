import type { InvitationPreview, Me } from '@risiti/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useMaybeSession } from '../../session/session.tsx'
import { Button, fieldsOf, momentText, Notice, TextField } from '../../ui/index.ts'
import { carriedByLink, MailedCodeForm } from './mailed-code-form.tsx'
import { OutsidePage } from './outside-page.tsx'
import { useEnter } from './use-enter.ts'

interface Proof {
  readonly email: string
  readonly invitationCode: string
}

/** Joins with the emailed code: with the current session, or with a new account for the invited address. */
export function AcceptInvitationPage() {
  const session = useMaybeSession()
  const [carried] = useState(carriedByLink)
  const [typed, setTyped] = useState<Proof | undefined>(
    carried.email && carried.code ? { email: carried.email, invitationCode: carried.code } : undefined,
  )
  const invitation = useQuery({
    queryKey: ['session', 'invitation', typed],
    queryFn: () => risiti.invitations.preview(typed as Proof),
    enabled: typed !== undefined,
    gcTime: 0,
  })
  if (invitation.data && typed && !session.isPending)
    return <Invited invitation={invitation.data} proof={typed} session={session.data ?? null} />
  return (
    <OutsidePage title="Accept an invitation">
      <MailedCodeForm
        email={carried.email ?? session.data?.user?.email}
        emailHint="The address that received the invitation."
        code={carried.code}
        codeHint="Eight letters and digits, from the email."
        faultOfCode="invitationCode"
        action="Continue"
        busy={invitation.isFetching}
        error={invitation.error}
        onGiven={({ email, code }) => {
          // The same code again is a new check, because the person pressed the button.
          if (email === typed?.email && code === typed.invitationCode) void invitation.refetch()
          else setTyped({ email, invitationCode: code })
        }}
      />
    </OutsidePage>
  )
}

function Invited({
  invitation,
  proof,
  session,
}: {
  readonly invitation: InvitationPreview
  readonly proof: Proof
  readonly session: Me | null
}) {
  const { organization, invitedBy, role, message, expiresAt } = invitation
  const isSamePerson = session?.user?.email.toLowerCase() === invitation.email.toLowerCase()
  return (
    <OutsidePage title={`Join ${organization.name}`}>
      <p>
        {invitedBy} invites you as <strong>{role.label}</strong>. The invitation is valid until {momentText(expiresAt)}.
      </p>
      {message && <blockquote className="outside-message">{message}</blockquote>}
      {session && !isSamePerson && (
        <Notice tone="warn">
          You are signed in as {session.user?.email}; the invitation is for {invitation.email}.
        </Notice>
      )}
      {isSamePerson ? (
        <JoinAsYourself proof={proof} />
      ) : (
        <JoinWithPassword proof={proof} fullName={invitation.fullName} />
      )}
    </OutsidePage>
  )
}

function JoinAsYourself({ proof }: { readonly proof: Proof }) {
  const { next } = useSearch({ from: '/accept-invitation' })
  const enter = useEnter()
  const joining = useMutation({
    mutationFn: async () => {
      const { organization } = await risiti.invitations.accept({ invitationCode: proof.invitationCode })
      await risiti.organisations.switch({ organizationId: organization.id })
      await enter(next)
    },
  })
  return (
    <>
      {joining.isError && <Notice tone="bad">{wordsOf(joining.error)}</Notice>}
      <Button kind="primary" busy={joining.isPending} onClick={() => joining.mutate()}>
        Join
      </Button>
    </>
  )
}

/** For people without a session: an existing account gets its password checked, others get a new account. */
function JoinWithPassword({ proof, fullName }: { readonly proof: Proof; readonly fullName: string }) {
  const { next } = useSearch({ from: '/accept-invitation' })
  const enter = useEnter()
  const navigate = useNavigate()
  const [firstName = '', ...rest] = fullName.split(/\s+/)
  const joining = useMutation({
    mutationFn: async (about: { firstName: string; lastName: string; password: string }) => {
      const { organization } = await risiti.invitations.acceptWithNewAccount({ ...proof, ...about })
      try {
        await risiti.identity.logIn({ email: proof.email, password: about.password })
        await risiti.organisations.switch({ organizationId: organization.id })
      } catch {
        return await navigate({ to: '/sign-in', search: { next } })
      }
      return await enter(next)
    },
  })
  const faults = faultsOf(joining.error)
  return (
    <form
      className="outside-form"
      onSubmit={(event) => {
        const { text, typed } = fieldsOf(event)
        joining.mutate({ firstName: text('firstName'), lastName: text('lastName'), password: typed('password') })
      }}
    >
      {joining.isError && Object.keys(faults).length === 0 && <Notice tone="bad">{wordsOf(joining.error)}</Notice>}
      <div className="outside-pair">
        <TextField
          label="First name"
          name="firstName"
          autoComplete="given-name"
          required
          defaultValue={firstName}
          fault={faults.firstName}
        />
        <TextField
          label="Last name"
          name="lastName"
          autoComplete="family-name"
          required
          defaultValue={rest.join(' ')}
          fault={faults.lastName}
        />
      </div>
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        hint={`Choose a password. If ${proof.email} already has an account, enter the password of that account.`}
        fault={faults.password}
      />
      <Button kind="primary" type="submit" busy={joining.isPending}>
        Join
      </Button>
    </form>
  )
}
