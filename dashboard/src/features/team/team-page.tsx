import type { Member } from '@risiti/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useForgetEverything, useMay, useSession } from '../../session/session.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Badge, Button, ConfirmDialog, Dialog, dayText, ListTable, PageHead, Panel, type Tone } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { Menu, MenuAction } from '../../ui/menu.tsx'
import { say } from '../../ui/toast.tsx'
import { type Departure, DepartureForm } from './departure-form.tsx'
import { HandOverForm } from './hand-over-form.tsx'
import { InvitationsPanel } from './invitations-panel.tsx'
import { InviteForm } from './invite-form.tsx'
import { RoleForm } from './role-form.tsx'
import { RolesPanel } from './roles-panel.tsx'

const statusWords: Readonly<Record<Member['status'], readonly [Tone, string]>> = {
  active: ['good', 'Active'],
  suspended: ['warn', 'Suspended'],
  deactivated: ['neutral', 'Removed'],
}

type MemberAction = Departure | 'role' | 'restore' | 'second-factor' | 'hand-over'
type OpenDialog = { readonly what: 'invite' } | { readonly what: MemberAction; readonly member: Member }

const departures: Readonly<Record<Departure, (name: string) => string>> = {
  suspend: (name) => `Suspend ${name}?`,
  remove: (name) => `Remove ${name}?`,
  leave: () => 'Leave this organisation?',
}
const isDeparture = (what: OpenDialog['what'] | undefined): what is Departure =>
  what !== undefined && Object.hasOwn(departures, what)

export function TeamPage() {
  const client = useQueryClient()
  const mayInvite = useMay('invitation.create')
  const maySeeInvitations = useMay('invitation.read')
  const forgetEverything = useForgetEverything()
  const [dialog, setDialog] = useState<OpenDialog>()
  const members = useQuery({
    queryKey: ['members'],
    queryFn: async () => await risiti.members.list({ limit: 100 }),
  })
  const close = () => setDialog(undefined)
  const changed = async (what: 'members' | 'invitations') => {
    close()
    await client.invalidateQueries({ queryKey: [what] })
  }
  return (
    <>
      <PageHead title="Team">
        {mayInvite && (
          <Button kind="primary" onClick={() => setDialog({ what: 'invite' })}>
            <Icon name="plus" />
            Invite somebody
          </Button>
        )}
      </PageHead>
      <Panel
        title="Members"
        action={
          members.data && (
            <ExportButton
              name="members"
              heads={['Name', 'Email', 'Role', 'Status', 'Second factor', 'Since']}
              total={members.data.pagination.total}
              entries={() => risiti.members.list({ limit: 100 })}
              row={(member) => [
                member.fullName,
                member.email,
                member.role.label,
                statusWords[member.status][1],
                member.totpEnabled ? 'On' : 'Off',
                member.joinedAt.slice(0, 10),
              ]}
            />
          )
        }
      >
        <LoadState query={members} />
        {members.data && (
          <ListTable label="Members" heads={['Name', 'Role', 'Status', 'Second factor', 'Since', 'actions']}>
            {members.data.data.map((member) => (
              <MemberRow key={member.id} member={member} ask={(what) => setDialog({ what, member })} />
            ))}
          </ListTable>
        )}
      </Panel>
      {maySeeInvitations && <InvitationsPanel />}
      <RolesPanel />
      <Dialog title="Invite somebody" open={dialog?.what === 'invite'} onClose={close}>
        <InviteForm onDone={() => changed('invitations')} />
      </Dialog>
      {dialog?.what === 'role' && (
        <Dialog title={`Role of ${dialog.member.fullName}`} open onClose={close}>
          <RoleForm member={dialog.member} onDone={() => changed('members')} />
        </Dialog>
      )}
      {dialog && isDeparture(dialog.what) && 'member' in dialog && (
        <Dialog title={departures[dialog.what](dialog.member.fullName)} open onClose={close}>
          <DepartureForm
            member={dialog.member}
            how={dialog.what}
            // A person who left has no access here, so the start page opens for another organisation.
            onDone={() => (dialog.what === 'leave' ? location.assign('/') : changed('members'))}
          />
        </Dialog>
      )}
      {dialog?.what === 'restore' && (
        <ConfirmDialog
          title={`Restore ${dialog.member.fullName}?`}
          action="Restore the member"
          kind="primary"
          dismiss="Not now"
          open
          onClose={close}
          onConfirm={async () => {
            await risiti.members.changeStatus(dialog.member.id, { status: 'active' })
            await changed('members')
          }}
        >
          The member gets the previous role back.
        </ConfirmDialog>
      )}
      {dialog?.what === 'second-factor' && (
        <ConfirmDialog
          title={`Switch off the second factor of ${dialog.member.fullName}?`}
          action="Switch off"
          open
          onClose={close}
          onConfirm={async () => {
            const { awaitingConfirmation } = await risiti.members.removeSecondFactor(dialog.member.id)
            if (awaitingConfirmation)
              say(
                `${dialog.member.fullName} also belongs to other organisations and got an email to confirm the change.`,
              )
            await changed('members')
          }}
        >
          For a member who lost the phone and the recovery codes. The member then signs in with the password alone, gets
          an email about this change, and can set up another second factor.
        </ConfirmDialog>
      )}
      {dialog?.what === 'hand-over' && (
        <Dialog title={`Make ${dialog.member.fullName} an owner`} open onClose={close}>
          <HandOverForm
            member={dialog.member}
            onDone={async () => {
              await forgetEverything()
              await changed('members')
            }}
          />
        </Dialog>
      )}
    </>
  )
}

function MemberRow({ member, ask }: { readonly member: Member; readonly ask: (what: MemberAction) => void }) {
  const { user } = useSession()
  const mayChangeRole = useMay('member.change_role')
  const mayRemove = useMay('member.remove')
  const isYou = member.id === user?.id
  const more = useFurtherActions(member)
  const [tone, words] = statusWords[member.status]
  const name = member.fullName
  const canBeRuled = !isYou && member.role.name !== 'OWNER'
  return (
    <tr>
      <th scope="row">
        {name} {isYou && <Badge>You</Badge>}
        <div className="table-more">{member.email}</div>
      </th>
      <td>{member.role.label}</td>
      <td>
        <Badge tone={tone}>{words}</Badge>
      </td>
      <td>{member.totpEnabled ? 'On' : 'Off'}</td>
      <td>{dayText(member.joinedAt.slice(0, 10))}</td>
      <td>
        <div className="table-actions">
          {isYou && <Button onClick={() => ask('leave')}>Leave</Button>}
          {canBeRuled && mayChangeRole && (
            <Button aria-label={`Change role of ${name}`} onClick={() => ask('role')}>
              Change role
            </Button>
          )}
          {canBeRuled && mayRemove && (
            <Button kind="danger" aria-label={`Remove ${name}`} onClick={() => ask('remove')}>
              Remove
            </Button>
          )}
          {!isYou && more.length > 0 && (
            <Menu
              label={
                <>
                  More<span className="visually-hidden"> for {name}</span>
                </>
              }
            >
              {more.map(([what, text]) => (
                <MenuAction key={what} danger={what === 'suspend'} onChoose={() => ask(what)}>
                  {text}
                </MenuAction>
              ))}
            </Menu>
          )}
        </div>
      </td>
    </tr>
  )
}

/** The further actions that fit the member's state. */
function useFurtherActions({ status, role, totpEnabled, emailVerified }: Member): (readonly [MemberAction, string])[] {
  const maySuspend = useMay('member.suspend')
  const mayRestore = useMay('member.restore')
  const isOwner = useMay('organization.transfer_ownership')
  const isRuled = role.name !== 'OWNER'
  const actions: (readonly [MemberAction, string] | false)[] = [
    isRuled && maySuspend && status === 'active' && ['suspend', 'Suspend'],
    isRuled && mayRestore && status === 'suspended' && ['restore', 'Restore'],
    isOwner && totpEnabled && ['second-factor', 'Switch off second factor'],
    isOwner && isRuled && status === 'active' && emailVerified && ['hand-over', 'Make owner'],
  ]
  return actions.filter((action) => action !== false)
}
