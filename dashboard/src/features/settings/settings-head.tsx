import { PageHead, SubPages } from '../../ui/index.ts'

/** What the pages of settings have in common. */
export const SettingsHead = () => (
  <>
    <PageHead title="Settings" />
    <SubPages
      label="Settings"
      pages={[
        ['/settings', 'Organisation'],
        ['/settings/security', 'Your account'],
      ]}
    />
  </>
)
