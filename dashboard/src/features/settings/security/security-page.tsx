import { PageHead } from '../../../ui/index.ts'
import { PasswordPanel } from './password-panel.tsx'
import { SecondFactorPanel } from './second-factor-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'

/** How the own account is protected, and where it is in use. */
export const SecurityPage = () => (
  <>
    <PageHead title="Your account" />
    <SecondFactorPanel />
    <PasswordPanel />
    <SessionsPanel />
  </>
)
