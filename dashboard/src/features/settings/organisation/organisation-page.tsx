import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { useSession } from '../../../session/session.tsx'
import { Notice } from '../../../ui/index.ts'
import { SettingsHead } from '../settings-head.tsx'
import { BankDetailsPanel } from './bank-details-panel.tsx'
import { LogoPanel } from './logo-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'

export function OrganisationPage() {
  const { organizationId } = useSession()
  const organisation = useQuery({
    queryKey: ['organisation', organizationId],
    queryFn: () => risiti.organisations.get(organizationId as string),
    enabled: organizationId !== null,
  })
  return (
    <>
      <SettingsHead />
      {organisation.isError && <Notice tone="bad">{wordsOf(organisation.error)}</Notice>}
      {organisation.data && (
        <>
          <ProfilePanel organisation={organisation.data} />
          <LogoPanel organisation={organisation.data} />
          <BankDetailsPanel organisation={organisation.data} />
        </>
      )}
    </>
  )
}
