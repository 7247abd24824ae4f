import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useSession } from '../../session/session.tsx'
import { recall, remember } from '../../ui/browser-memory.ts'
import type { BusinessNow } from './use-business.ts'

export type StartStep = 'details' | 'connection' | 'bank' | 'buyer' | 'invoice'

/** What a person needs to see a step and to do it. */
const needs: Readonly<Record<StartStep, readonly string[]>> = {
  details: ['organization.read', 'organization.update'],
  connection: ['tax_connection.read', 'tax_connection.manage'],
  bank: ['organization.read', 'collection.read', 'collection.manage'],
  buyer: ['buyer.read', 'buyer.create'],
  invoice: ['invoice.stats.read', 'invoice.create'],
}
const all = Object.keys(needs) as StartStep[]

/**
 * The first steps of an organisation, from what the service knows. Only the wish to hide them is stored, in this browser
 * for each organisation and mode.
 */
export function useGettingStarted({ mode, connection, statistics }: BusinessNow) {
  const { organizationId, capabilities } = useSession()
  const key = `risiti-first-steps ${organizationId} ${mode}`
  const [hidden, setHidden] = useState(() => (recall(key) === null ? undefined : key))
  const steps = hidden === key ? [] : all.filter((step) => needs[step].every((each) => capabilities.includes(each)))
  const asks = (...of: readonly StartStep[]) => organizationId !== null && of.some((step) => steps.includes(step))
  const organisation = useQuery({
    queryKey: ['organisation', organizationId],
    queryFn: () => risiti.organisations.get(organizationId as string),
    enabled: asks('details', 'bank'),
  })
  const settlements = useQuery({
    queryKey: ['collection', 'settlements'],
    queryFn: async () => await risiti.collection.listSettlements({ limit: 100 }),
    enabled: asks('bank'),
  })
  const buyers = useQuery({
    queryKey: ['buyers', 'count'],
    queryFn: async () => (await risiti.buyers.list({ limit: 1 })).pagination.total,
    enabled: asks('buyer'),
  })
  const { contactEmail = null, address = null, bankDetails = null } = organisation.data ?? {}
  const isDone: Readonly<Record<StartStep, boolean>> = {
    details: contactEmail !== null && address !== null,
    connection: connection?.status === 'CONNECTED',
    bank: bankDetails !== null || (settlements.data?.data.length ?? 0) > 0,
    buyer: (buyers.data ?? 0) > 0,
    invoice: statistics?.groups.some(({ status }) => status !== 'draft') ?? false,
  }
  const [open, setOpen] = useState<StartStep>()
  const queries = [organisation, settlements, buyers]
  return {
    /** the step in progress */
    open,
    setOpen,
    organisation: organisation.data,
    steps: steps.map((step) => ({ step, isDone: isDone[step] })),
    /** false until all answers are there, and after a failure: nobody is asked to do a step twice */
    isShown:
      queries.every(({ isLoading, isError }) => !isLoading && !isError) &&
      (open !== undefined || steps.some((step) => !isDone[step])),
    isWaiting: queries.some(({ isLoading }) => isLoading),
    hide: () => {
      remember(key, 'hidden')
      setHidden(key)
    },
  }
}

export type FirstSteps = ReturnType<typeof useGettingStarted>
