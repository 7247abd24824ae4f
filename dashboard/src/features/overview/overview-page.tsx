import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMay, useSession } from '../../session/session.tsx'
import { Icon } from '../../ui/icons.tsx'
import { EmptyState, PageHead } from '../../ui/index.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Attention } from './attention.tsx'
import { Figures } from './figures.tsx'
import { useBusiness } from './use-business.ts'
import { useGettingStarted } from './use-getting-started.ts'
import './overview-page.css'

/** A separate chunk with its forms, because most organisations have done all steps. */
const GettingStarted = lazy(async () => ({ default: (await import('./getting-started.tsx')).GettingStarted }))

export function OverviewPage() {
  const { user } = useSession()
  const mayCreate = useMay('invoice.create')
  const business = useBusiness()
  const { overview, statistics, connection, failure } = business
  const start = useGettingStarted(business)
  const isWaiting = business.isWaiting || start.isWaiting
  const showsSteps = !isWaiting && start.isShown
  const create = mayCreate && (
    <Link to="/invoices/new" className="button button-primary">
      <Icon name="plus" />
      New invoice
    </Link>
  )
  return (
    <>
      <PageHead title={`Good to see you${user ? `, ${user.firstName}` : ''}`}>{create}</PageHead>
      {failure && <LoadFailure query={failure} />}
      {isWaiting && <Skeleton rows={6} />}
      {showsSteps && (
        <Suspense>
          <GettingStarted start={start} connection={connection} />
        </Suspense>
      )}
      <Attention business={business} isWaiting={isWaiting} hasSteps={showsSteps} />
      {!isWaiting && statistics?.groups.length === 0 && (
        <EmptyState title="No invoices yet" action={create}>
          Your invoices, payments and overdue amounts will appear here.
        </EmptyState>
      )}
      {!isWaiting && overview && statistics && statistics.groups.length > 0 && (
        <Figures overview={overview} statistics={statistics} />
      )}
    </>
  )
}
