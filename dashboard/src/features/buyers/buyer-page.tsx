import type { Buyer } from '@risiti/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useMay } from '../../session/session.tsx'
import { PageState } from '../../shell/page-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Badge, Button, Dialog, PageHead, Panel } from '../../ui/index.ts'
import { BuyerBalance } from './buyer-balance.tsx'
import { BuyerEmails } from './buyer-emails.tsx'
import { BuyerForm } from './buyer-form.tsx'
import { BuyerInvoices } from './buyer-invoices.tsx'
import { BuyerPayments } from './buyer-payments.tsx'
import { BuyerReminders } from './buyer-reminders.tsx'
import { BuyerTransfers } from './buyer-transfers.tsx'
import { languageWords, standardLanguage } from './languages.ts'
import { StatementDialog } from './statement-dialog.tsx'
import { taxIdWords } from './tax-id-words.ts'
import { VerificationDialog } from './verification-dialog.tsx'
import './buyer-page.css'

const addressText = ({ address }: Buyer): string | null =>
  address &&
  [address.line1, address.line2, address.city, address.lga, address.state, address.postalCode, address.country]
    .filter(Boolean)
    .join(', ')

/** Everything about one buyer: what is owed, the documents, the payments, the emails and the details. */
export function BuyerPage() {
  const { id } = useParams({ from: '/inside/buyers/$id' })
  const client = useQueryClient()
  const mayChange = useMay('buyer.update')
  const mayVerify = useMay('buyer.verify_tax_id')
  const maySeeInvoices = useMay('invoice.read')
  const maySeeTransfers = useMay('collection.read')
  const [dialog, setDialog] = useState<'edit' | 'verify' | 'statement'>()
  const query = useQuery({
    queryKey: ['buyers', 'one', id],
    queryFn: () => risiti.buyers.get(id),
  })
  const { data: buyer } = query
  if (!buyer)
    return (
      <PageState
        query={query}
        name="buyer"
        list={
          <Link to="/buyers" search={{}} className="button">
            All buyers
          </Link>
        }
      />
    )
  const [tone, words] = taxIdWords[buyer.taxIdStatus]
  return (
    <>
      <p className="buyer-back">
        <Link to="/buyers" search={{}}>
          Buyers
        </Link>
      </p>
      <PageHead title={buyer.name}>
        {maySeeInvoices && <Button onClick={() => setDialog('statement')}>Statement of account</Button>}
        {mayVerify && buyer.taxId !== null && <Button onClick={() => setDialog('verify')}>Check the tax number</Button>}
        {mayChange && <Button onClick={() => setDialog('edit')}>Edit</Button>}
      </PageHead>
      <div className="buyer-parts">
        <div>
          {maySeeInvoices && <BuyerBalance buyerId={id} />}
          {maySeeInvoices && <BuyerInvoices buyerId={id} />}
          {maySeeInvoices && <BuyerPayments buyerId={id} />}
          {maySeeTransfers && <BuyerTransfers buyerId={id} />}
          {maySeeInvoices && <BuyerEmails buyerId={id} />}
        </div>
        <div>
          <Panel title="Details">
            <Facts
              facts={[
                [
                  'Tax number',
                  buyer.taxId && (
                    <>
                      {buyer.taxId} <Badge tone={tone}>{words}</Badge>
                    </>
                  ),
                ],
                ['Email', buyer.email],
                ['Phone', buyer.phone],
                ['Address', addressText(buyer)],
                ['Your reference', buyer.reference],
                ['Language', languageWords[buyer.language ?? standardLanguage]],
              ]}
            />
          </Panel>
          <BuyerReminders buyerId={id} />
        </div>
      </div>
      {dialog === 'edit' && (
        <Dialog title={`Edit ${buyer.name}`} open onClose={() => setDialog(undefined)} wide>
          <BuyerForm
            buyer={buyer}
            onDone={async () => {
              setDialog(undefined)
              await client.invalidateQueries({ queryKey: ['buyers'] })
            }}
          />
        </Dialog>
      )}
      {dialog === 'statement' && <StatementDialog buyer={buyer} onClose={() => setDialog(undefined)} />}
      {dialog === 'verify' && <VerificationDialog buyer={buyer} onClose={() => setDialog(undefined)} />}
    </>
  )
}
