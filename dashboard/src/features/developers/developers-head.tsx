import type { ReactNode } from 'react'
import { PageHead, SubPages } from '../../ui/index.ts'

export const DevelopersHead = ({ children }: { readonly children?: ReactNode }) => (
  <>
    <PageHead
      title="Developers"
      about={
        <p>
          <a href="/docs">API reference</a> · <a href="/guides">Guides</a>
        </p>
      }
    >
      {children}
    </PageHead>
    <SubPages
      label="Developers"
      pages={[
        ['/developers', 'API keys'],
        ['/developers/requests', 'Requests'],
        ['/developers/webhooks', 'Webhooks'],
        ['/developers/deliveries', 'Deliveries'],
        ['/developers/events', 'Event types'],
        ['/developers/activity', 'Activity'],
        ['/developers/test-clock', 'Test clock'],
      ]}
    />
  </>
)
