import { Link } from '@tanstack/react-router'
import { wordsOf } from '../../api/queries.ts'
import { useMay, useSession } from '../../session/session.tsx'
import { EmptyState, Notice, PageHead } from '../../ui/index.ts'
import { Attention } from './attention.tsx'
import { Figures } from './figures.tsx'
import { useBusiness } from './use-business.ts'
import './overview-page.css'

export function OverviewPage() {
  const { user } = useSession()
  const mayCreate = useMay('invoice.create')
  const business = useBusiness()
  const { overview, statistics, isWaiting, failure } = business
  const create = mayCreate && (
    <Link to="/invoices/new" className="button button-primary">
      New invoice
    </Link>
  )
  return (
    <>
      <PageHead title={`Good to see you${user ? `, ${user.firstName}` : ''}`}>{create}</PageHead>
      {failure !== null && <Notice tone="bad">{wordsOf(failure)}</Notice>}
      <Attention business={business} />
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
