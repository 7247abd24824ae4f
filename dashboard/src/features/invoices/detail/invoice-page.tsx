import { Link, useParams } from '@tanstack/react-router'
import { useMay } from '../../../session/session.tsx'
import { PageState } from '../../../shell/page-state.tsx'
import { Badge } from '../../../ui/index.ts'
import { PageHead } from '../../../ui/page-head.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { isOpen, paymentWords, statusWords, typeWords } from '../status-words.ts'
import { Actions } from './actions.tsx'
import { Amounts } from './amounts.tsx'
import { AuthorityAnswer } from './authority-answer.tsx'
import { Facts } from './facts.tsx'
import { Instalments } from './instalments.tsx'
import { Lines } from './lines.tsx'
import { Notes } from './notes.tsx'
import { PaymentAccount } from './payment-account.tsx'
import { Payments } from './payments.tsx'
import { PdfPreview } from './pdf-preview.tsx'
import { Reminders } from './reminders.tsx'
import { Timeline } from './timeline.tsx'
import { useInvoice, useTimeline } from './use-invoice.ts'
import './invoice-page.css'

export function InvoicePage() {
  const { id } = useParams({ from: '/inside/invoices/$id' })
  const query = useInvoice(id)
  const { data: invoice } = query
  const timeline = useTimeline(id, invoice)
  const maySeePdf = useMay('invoice.download_pdf')
  const maySeeAccounts = useMay('collection.read')
  if (!invoice)
    return (
      <PageState
        query={query}
        name="invoice"
        list={
          <Link to="/invoices" className="button">
            All invoices
          </Link>
        }
      />
    )
  const status = statusWords[invoice.status]
  const payment = paymentWords(invoice)
  return (
    <>
      <p className="invoice-back">
        <Link to="/invoices">Invoices</Link>
      </p>
      <PageHead
        title={`${typeWords[invoice.invoiceType]} ${invoice.invoiceNumber}`}
        about={
          <p className="invoice-states">
            <Badge tone={status.tone}>{status.words}</Badge>
            {payment && <Badge tone={payment.tone}>{payment.words}</Badge>}
            {invoice.originalInvoiceId && (
              <span>
                corrects{' '}
                <Link to="/invoices/$id" params={{ id: invoice.originalInvoiceId }}>
                  {invoice.originalInvoiceNumber}
                </Link>
              </span>
            )}
          </p>
        }
      >
        <Actions invoice={invoice} report={timeline.data?.report} />
      </PageHead>
      <AuthorityAnswer invoice={invoice} report={timeline.data?.report} />
      <div className="invoice-parts">
        <div className="invoice-main">
          <Panel title="Lines and totals">
            <Lines invoice={invoice} />
            <Amounts invoice={invoice} />
          </Panel>
          {invoice.instalments && <Instalments invoice={invoice} instalments={invoice.instalments} />}
          {invoice.status !== 'draft' && invoice.invoiceType !== 'credit_note' && <Payments invoice={invoice} />}
          {maySeeAccounts && isOpen(invoice) && invoice.status !== 'rejected' && <PaymentAccount invoice={invoice} />}
          {invoice.status !== 'draft' && invoice.originalInvoiceId === null && <Notes invoice={invoice} />}
          {maySeePdf && <PdfPreview invoice={invoice} />}
        </div>
        <div className="invoice-side">
          <Facts invoice={invoice} />
          {invoice.status !== 'draft' && invoice.invoiceType !== 'credit_note' && <Reminders invoice={invoice} />}
          <Timeline invoice={invoice} attempts={timeline.data?.attempts ?? []} />
        </div>
      </div>
    </>
  )
}
