import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { queries } from '../../api/queries.ts'
import { PageLoading } from '../../shell/shell.tsx'
import { Notice, PageHead } from '../../ui/index.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { say } from '../../ui/toast.tsx'
import { linesOf } from '../invoices/editor/draft-lines.ts'
import { contentOfInvoice, losesAmounts } from './schedule-content.ts'
import { ScheduleForm, type ScheduleStart, useEmptyStart } from './schedule-form.tsx'

/** A new schedule, empty or like an existing invoice. */
export function NewSchedulePage() {
  const { from } = useSearch({ from: '/inside/recurring/new' })
  const empty = useEmptyStart()
  const model = useQuery({
    queryKey: ['invoices', 'draft', from],
    queryFn: () => risiti.invoices.get(from as string),
    enabled: from !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (from === undefined) return <NewSchedule start={empty} />
  if (model.isError)
    return (
      <>
        <PageHead title="New schedule" />
        <LoadFailure query={model} />
      </>
    )
  if (!model.data) return <PageLoading />
  const invoice = model.data
  return (
    <NewSchedule
      start={{
        content: contentOfInvoice(invoice),
        lines: linesOf(invoice),
        name: invoice.buyer?.name ?? `Like ${invoice.invoiceNumber}`,
      }}
      notice={
        losesAmounts(invoice) && (
          <Notice tone="warn">
            Discounts and charges of {invoice.invoiceNumber} are not taken over. Check the prices.
          </Notice>
        )
      }
    />
  )
}

function NewSchedule({ start, notice }: { readonly start: ScheduleStart; readonly notice?: ReactNode }) {
  const navigate = useNavigate()
  const { once } = useOneKey()
  return (
    <ScheduleForm
      title="New schedule"
      start={start}
      notice={notice}
      back={
        <Link to="/recurring" search={{}} className="button">
          Back
        </Link>
      }
      onSave={async (body) => {
        const { id, name } = await risiti.recurringInvoices.create(body, once(body))
        say(`${name} was created.`)
        await queries.invalidateQueries({ queryKey: ['recurring'] })
        await navigate({ to: '/recurring/$id', params: { id }, search: {} })
      }}
    />
  )
}
