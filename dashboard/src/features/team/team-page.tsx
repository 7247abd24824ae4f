import type { Member } from '@risiti/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { useMay, useSession } from '../../session/session.tsx'
import {
  Badge,
  Button,
  ConfirmDialog,
  Dialog,
  dayText,
  ListTable,
  Notice,
  PageHead,
  Panel,
  type Tone,
} from '../../ui/index.ts'
import { InvitationsPanel } from './invitations-panel.tsx'
import { InviteForm } from './invite-form.tsx'
import { RoleForm } from './role-form.tsx'
import { RolesPanel } from './roles-panel.tsx'

const statusWords: Readonly<Record<Member['status'], readonly [Tone, string]>> = {
  active: ['good', 'Active'],
  suspended: ['warn', 'Suspended'],
  deactivated: ['neutral', 'Gone'],
}

type Asking = { readonly what: 'invite' } | { readonly what: 'role' | 'remove'; readonly member: Member }

/** Who belongs to the organisation, and who is invited. */
export function TeamPage() {
  const client = useQueryClient()
  const mayInvite = useMay('invitation.create')
  const maySeeInvitations = useMay('invitation.read')
  const [asking, setAsking] = useState<Asking>()
  const members = useQuery({
    queryKey: ['members'],
    queryFn: async () => await risiti.members.list({ limit: 100 }),
  })
  const close = () => setAsking(undefined)
  const changed = async (what: 'members' | 'invitations') => {
    close()
    await client.invalidateQueries({ queryKey: [what] })
  }
  return (
    <>
      <PageHead title="Team">
        {mayInvite && (
          <Button kind="primary" onClick={() => setAsking({ what: 'invite' })}>
            Invite somebody
          </Button>
        )}
      </PageHead>
      <Panel title="Members">
        {members.isError && <Notice tone="bad">{wordsOf(members.error)}</Notice>}
        {members.data && (
          <ListTable label="Members" heads={['Name', 'Role', 'Status', 'Second factor', 'Since', 'actions']}>
            {members.data.data.map((member) => (
              <MemberRow key={member.id} member={member} ask={(what) => setAsking({ what, member })} />
            ))}
          </ListTable>
        )}
      </Panel>
      {maySeeInvitations && <InvitationsPanel />}
      <RolesPanel />
      <Dialog title="Invite somebody" open={asking?.what === 'invite'} onClose={close}>
        <InviteForm onDone={() => changed('invitations')} />
      </Dialog>
      {asking?.what === 'role' && (
        <Dialog title={`The role of ${asking.member.fullName}`} open onClose={close}>
          <RoleForm member={asking.member} onDone={() => changed('members')} />
        </Dialog>
      )}
      {asking?.what === 'remove' && (
        <ConfirmDialog
          title={`Remove ${asking.member.fullName}?`}
          action="Remove them"
          open
          onClose={close}
          onConfirm={async () => {
            await risiti.members.remove(asking.member.id)
            await changed('members')
          }}
        >
          They see nothing of this organisation any more, at once. API keys that they made go on working; revoke them on
          the page for developers.
        </ConfirmDialog>
      )}
    </>
  )
}

function MemberRow({ member, ask }: { readonly member: Member; readonly ask: (what: 'role' | 'remove') => void }) {
  const { user } = useSession()
  const mayChangeRole = useMay('member.change_role')
  const mayRemove = useMay('member.remove')
  const isYou = member.id === user?.id
  const [tone, words] = statusWords[member.status]
  return (
    <tr>
      <th scope="row">
        {member.fullName} {isYou && <Badge>You</Badge>}
        <div className="table-more">{member.email}</div>
      </th>
      <td>{member.role.label}</td>
      <td>
        <Badge tone={tone}>{words}</Badge>
      </td>
      <td>{member.totpEnabled ? 'On' : 'Off'}</td>
      <td>{dayText(member.joinedAt.slice(0, 10))}</td>
      <td>
        {!isYou && member.role.name !== 'OWNER' && (
          <div className="table-actions">
            {mayChangeRole && (
              <Button aria-label={`Change role of ${member.fullName}`} onClick={() => ask('role')}>
                Change role
              </Button>
            )}
            {mayRemove && (
              <Button kind="danger" aria-label={`Remove ${member.fullName}`} onClick={() => ask('remove')}>
                Remove
              </Button>
            )}
          </div>
        )}
      </td>
    </tr>
  )
}
