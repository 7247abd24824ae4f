import type { Organization } from '@risiti/sdk'
import { Panel } from '../../../ui/index.ts'
import { ProfileForm } from './profile-form.tsx'

export const ProfilePanel = ({ organisation }: { readonly organisation: Organization }) => (
  <Panel title="Profile" about="Your invoices and your emails to buyers show these details.">
    <ProfileForm organisation={organisation} />
  </Panel>
)
