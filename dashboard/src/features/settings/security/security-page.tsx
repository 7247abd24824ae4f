import { SettingsHead } from '../settings-head.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { SecondFactorPanel } from './second-factor-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'

export const SecurityPage = () => (
  <>
    <SettingsHead />
    <SecondFactorPanel />
    <PasswordPanel />
    <SessionsPanel />
  </>
)
