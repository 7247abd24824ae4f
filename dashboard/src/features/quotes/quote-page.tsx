import type { Quote, QuoteVersionSummary } from '@risiti/sdk'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchFile, risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { PageState } from '../../shell/page-state.tsx'
import { saveFile } from '../../ui/csv.ts'
import { Facts } from '../../ui/facts.tsx'
import {
  Badge,
  Button,
  ConfirmDialog,
  dayText,
  ListTable,
  momentText,
  money,
  Notice,
  PageHead,
  Panel,
} from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { OfferedAmounts } from '../invoices/detail/amounts.tsx'
import { Lines } from '../invoices/detail/lines.tsx'
import { ShareDialog } from '../invoices/detail/share-dialog.tsx'
import { useAct } from '../invoices/detail/use-invoice.ts'
import { factsOf } from '../invoices/written-fields.ts'
import { ConvertDialog, DecisionDialog, Failure, SendDialog } from './quote-dialogs.tsx'
import { isChangeable, resultWords, statusWords, typeWords } from './quote-words.ts'
import '../buyers/buyer-page.css'
import '../invoices/detail/invoice-page.css'

/** One quote: its contents, what the buyer decided, its versions, and what it became. */
export function QuotePage() {
  const { id } = useParams({ from: '/inside/quotes/$id' })
  const query = useQuery({ queryKey: ['quotes', 'one', id], queryFn: () => risiti.quotes.get(id) })
  const { data: quote } = query
  if (!quote)
    return (
      <PageState
        query={query}
        name="quote"
        list={
          <Link to="/quotes" search={{}} className="button">
            All quotes
          </Link>
        }
      />
    )
  const [tone, words] = statusWords[quote.status]
  return (
    <>
      <p className="buyer-back">
        <Link to="/quotes" search={{}}>
          Quotes
        </Link>
      </p>
      <PageHead title={`${typeWords[quote.quoteType]} ${quote.quoteNumber}`} about={<Badge tone={tone}>{words}</Badge>}>
        <QuoteActions quote={quote} />
      </PageHead>
      <div className="buyer-parts">
        <div>
          <Results quote={quote} />
          <Panel title="Lines">
            <Lines invoice={quote} />
            <OfferedAmounts of={quote} />
          </Panel>
          <Versions quote={quote} />
        </div>
        <div>
          <Decision quote={quote} />
          <Panel title="Details">
            <Facts
              facts={[
                ['Buyer', quote.buyerName ?? 'Not chosen yet'],
                ['Date', dayText(quote.quoteDate)],
                ['Valid until', quote.validUntil === null ? 'without an end' : dayText(quote.validUntil)],
                ['Version', quote.versionNumber],
                ['Last sent', quote.sentAt && momentText(quote.sentAt)],
                ['Public link', quote.sharedAt && `since ${momentText(quote.sharedAt)}`],
                ...factsOf(quote),
              ]}
            />
          </Panel>
        </div>
      </div>
    </>
  )
}

type Opened = 'send' | 'share' | 'decide' | 'convert' | 'cancel'

function QuoteActions({ quote }: { readonly quote: Quote }) {
  const { id, quoteNumber, status, versionNumber } = quote
  const [opened, setOpened] = useState<Opened>()
  const navigate = useNavigate()
  const mayWrite = useMay('invoice.create')
  const maySend = useMay('invoice.send_to_buyer')
  const mayShare = useMay('invoice.share')
  const mayDownload = useMay('invoice.download_pdf')
  const close = () => setOpened(undefined)
  const duplicate = useAct(
    (_: undefined, once) => risiti.quotes.duplicate(id, once),
    'A copy was saved as a draft.',
    (copy: Quote) => void navigate({ to: '/quotes/$id', params: { id: copy.id } }),
    ['quotes'],
  )
  const cancel = useAct(
    (_: undefined, once) => risiti.quotes.cancel(id, once),
    `${quoteNumber} was withdrawn.`,
    undefined,
    ['quotes'],
  )
  const save = useMutation({
    mutationFn: async () => {
      const { url } = await risiti.quotes.download(id, { versionNumber })
      const { pathname } = new URL(url, location.href)
      saveFile(await fetchFile(pathname), `${quoteNumber}.pdf`)
    },
  })
  const isOpen = status === 'sent'
  // If the drafts were deleted, the quote can be converted again.
  const isUndone = status === 'converted' && quote.results.every(({ deleted }) => deleted)
  const isConvertible = quote.restMinor !== null || isOpen || status === 'accepted' || isUndone
  return (
    <>
      <Failure error={duplicate.error ?? save.error} />
      {mayWrite && status !== 'converted' && status !== 'cancelled' && (
        <Button kind="danger" onClick={() => setOpened('cancel')}>
          Withdraw
        </Button>
      )}
      {mayDownload && (
        <Button busy={save.isPending} onClick={() => save.mutate()}>
          Download PDF
        </Button>
      )}
      {mayWrite && (
        <Button busy={duplicate.isPending} onClick={() => duplicate.mutate(undefined)}>
          Duplicate
        </Button>
      )}
      {mayShare && status !== 'draft' && <Button onClick={() => setOpened('share')}>Share</Button>}
      {mayWrite && isChangeable(quote) && (
        <Link to="/quotes/$id/edit" params={{ id }} className="button">
          Change
        </Link>
      )}
      {mayWrite && isOpen && <Button onClick={() => setOpened('decide')}>Record the decision</Button>}
      {maySend && (isOpen || status === 'draft') && (
        <Button {...(status === 'draft' ? { kind: 'primary' as const } : {})} onClick={() => setOpened('send')}>
          {isOpen ? 'Send again' : 'Send'}
        </Button>
      )}
      {mayWrite && isConvertible && (
        <Button kind="primary" onClick={() => setOpened('convert')}>
          {quote.restMinor === null ? 'Make an invoice' : 'Make the final invoice'}
        </Button>
      )}
      {opened === 'send' && <SendDialog quote={quote} onClose={close} />}
      {opened === 'share' && <QuoteShareDialog id={id} onClose={close} />}
      {opened === 'decide' && <DecisionDialog quote={quote} onClose={close} />}
      {opened === 'convert' && <ConvertDialog quote={quote} onClose={close} />}
      {opened === 'cancel' && (
        <ConfirmDialog
          title={`Withdraw ${quoteNumber}?`}
          action="Withdraw the quote"
          open
          onClose={close}
          onConfirm={() => cancel.mutateAsync(undefined)}
        >
          The buyer can no longer accept it, and the public page says that it was withdrawn. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  )
}

const QuoteShareDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => (
  <ShareDialog
    what="the quote and its PDF, and accept or decline,"
    share={() => risiti.quotes.share(id)}
    unshare={() => risiti.quotes.unshare(id)}
    kind="quotes"
    onClose={onClose}
  />
)

function Decision({ quote: { decision } }: { readonly quote: Quote }) {
  if (!decision) return null
  return (
    <Panel title={decision.decision === 'accepted' ? 'Accepted' : 'Declined'}>
      <Facts
        facts={[
          ['By', decision.name],
          ['When', momentText(decision.decidedAt)],
          ['Where', decision.through === 'page' ? 'on the public page' : 'recorded by your organisation'],
          ['Remark', decision.remark],
          ['Network address', decision.ipAddress],
        ]}
      />
    </Panel>
  )
}

function Results({ quote }: { readonly quote: Quote }) {
  const { results, restMinor, currency, payableMinor, invoicedMinor } = quote
  if (results.length === 0) return null
  const isIncomplete = restMinor === null && invoicedMinor !== payableMinor && results.some(({ deleted }) => !deleted)
  return (
    <Panel title="Invoices of this quote">
      <ListTable label="Invoices of this quote" heads={['Number', 'What', ['Total', 'amount']]}>
        {results.map(({ invoiceId, invoiceNumber, result, payableMinor, deleted }) => (
          <tr key={invoiceId}>
            <th scope="row">
              {deleted ? (
                `${invoiceNumber} (deleted)`
              ) : (
                <Link to="/invoices/$id" params={{ id: invoiceId }}>
                  {invoiceNumber}
                </Link>
              )}
            </th>
            <td>{resultWords[result]}</td>
            <td className="table-amount">{money(payableMinor, currency)}</td>
          </tr>
        ))}
      </ListTable>
      {restMinor !== null && (
        <Notice tone="warn">The final invoice of {money(restMinor, currency)} is still missing.</Notice>
      )}
      {isIncomplete && (
        <Notice tone="warn">
          These documents are now {money(invoicedMinor, currency)} together, but the quote is{' '}
          {money(payableMinor, currency)}: one of them was changed, deleted or credited. If all of them are deleted or
          cancelled, you can invoice the quote again.
        </Notice>
      )}
    </Panel>
  )
}

function Versions({ quote: { id, versionNumber, updatedAt } }: { readonly quote: Quote }) {
  const versions = useQuery({
    queryKey: ['quotes', 'versions', id, updatedAt],
    queryFn: async () => await risiti.quotes.listVersions(id, { limit: 50 }),
    enabled: versionNumber > 1,
    placeholderData: keepPreviousData,
  })
  if (versionNumber === 1) return null
  return (
    <Panel title="Versions" about="The buyer sees and accepts only the newest one.">
      <LoadState query={versions} />
      {versions.data && (
        <ListTable label="Versions" heads={['Version', 'Written', 'Valid until', ['Total', 'amount'], 'Decision']}>
          {versions.data.data.map((version: QuoteVersionSummary) => (
            <tr key={version.versionNumber}>
              <th scope="row">{version.versionNumber}</th>
              <td>{momentText(version.versionCreatedAt)}</td>
              <td>{version.validUntil === null ? '–' : dayText(version.validUntil)}</td>
              <td className="table-amount">{money(version.payableMinor, version.currency)}</td>
              <td>{version.decision ? `${version.decision.decision} by ${version.decision.name}` : '–'}</td>
            </tr>
          ))}
        </ListTable>
      )}
    </Panel>
  )
}
