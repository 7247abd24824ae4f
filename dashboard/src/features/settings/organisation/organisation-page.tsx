import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../../api/client.ts'
import { useSession } from '../../../session/session.tsx'
import { LoadState } from '../../../ui/load-state.tsx'
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
      <LoadState query={organisation} />
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
