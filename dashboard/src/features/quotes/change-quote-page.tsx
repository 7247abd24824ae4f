import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { useOneKey } from '../../api/one-key.ts'
import { queries } from '../../api/queries.ts'
import { PageLoading } from '../../shell/shell.tsx'
import { EmptyState, Notice, PageHead } from '../../ui/index.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { say } from '../../ui/toast.tsx'
import { QuoteForm, startOf } from './quote-form.tsx'
import { isChangeable } from './quote-words.ts'

/** Changes a draft, or writes the next version of a quote that the buyer has. */
export function ChangeQuotePage() {
  const { id } = useParams({ from: '/inside/quotes/$id/edit' })
  const navigate = useNavigate()
  const { once } = useOneKey()
  const found = useQuery({
    queryKey: ['quotes', 'draft', id],
    queryFn: async () => {
      const { data: quote, etag } = await risiti.quotes.get(id).withResponse()
      // A deleted buyer, or one that the person may not see, must be chosen anew.
      const buyer = quote.buyerId === null ? undefined : await risiti.buyers.get(quote.buyerId).catch(() => undefined)
      return { quote, etag, buyer: buyer && { id: buyer.id, name: buyer.name } }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (found.isError)
    return (
      <>
        <PageHead title="Change the quote" />
        <LoadFailure query={found} />
      </>
    )
  if (!found.data) return <PageLoading />
  const { quote, etag, buyer } = found.data
  const back = (
    <Link to="/quotes/$id" params={{ id }} className="button">
      Back
    </Link>
  )
  if (!isChangeable(quote))
    return (
      <EmptyState title="This quote can no longer be changed" isPage action={back}>
        It was accepted, invoiced or withdrawn. Duplicate it and change the copy.
      </EmptyState>
    )
  return (
    <QuoteForm
      title={`Change ${quote.quoteNumber}`}
      isNew={false}
      start={startOf(quote, buyer)}
      back={back}
      notice={
        quote.status !== 'draft' && (
          <Notice tone="warn">
            Saving writes version {quote.versionNumber + 1}. The page of the buyer shows it at once, and the old version
            can no longer be accepted. Send the quote again to mail it.
          </Notice>
        )
      }
      onSave={async ({ quoteType: _, ...body }) => {
        await risiti.quotes.change(id, body, { ...once(body), ifMatch: etag })
        say(`${quote.quoteNumber} was changed.`)
        await queries.invalidateQueries({ queryKey: ['quotes'] })
        await navigate({ to: '/quotes/$id', params: { id } })
      }}
    />
  )
}
