import { SettingsHead } from '../settings-head.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { SecondFactorPanel } from './second-factor-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'

/** How the own account is protected, and where it is in use. */
export const SecurityPage = () => (
  <>
    <SettingsHead />
    <SecondFactorPanel />
    <PasswordPanel />
    <SessionsPanel />
  </>
)
