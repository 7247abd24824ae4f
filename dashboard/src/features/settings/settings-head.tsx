import { useMay } from '../../session/session.tsx'
import { PageHead, SubPages } from '../../ui/index.ts'

export function SettingsHead() {
  const maySeeTax = useMay('tax_connection.read')
  return (
    <>
      <PageHead title="Settings" />
      <SubPages
        label="Settings"
        pages={[
          ['/settings', 'Organisation'],
          ...(maySeeTax ? [['/settings/tax', 'Tax authority'] as const] : []),
          ['/settings/security', 'Your account'],
          ['/settings/programs', 'Connected programs'],
        ]}
      />
    </>
  )
}
