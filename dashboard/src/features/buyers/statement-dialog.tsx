import type { Buyer, StatementLine, StatementOfAccount } from '@risiti/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchFile, risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { saveFile } from '../../ui/csv.ts'
import { presetsAt } from '../../ui/date-presets.ts'
import { Facts } from '../../ui/facts.tsx'
import {
  Button,
  Dialog,
  DialogActions,
  dayText,
  ListTable,
  money,
  Notice,
  SelectField,
  TextField,
} from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { say } from '../../ui/toast.tsx'
import './statement-dialog.css'

const mostShown = 500

const lineWords: Readonly<Record<StatementLine['type'], string>> = {
  invoice: 'Invoice',
  prepayment: 'Prepayment invoice',
  debit_note: 'Debit note',
  credit_note: 'Credit note',
  payment: 'Payment of',
  credit_used: 'Credit used on',
  declared_paid: 'Marked as paid:',
  payment_reversed: 'Payment reversed on',
  refund: 'Refund of',
  document_withdrawn: 'Withdrawn:',
  declared_paid_withdrawn: 'No longer marked as paid:',
  payment_moved: 'Payment of a corrected invoice',
}

const agesOf = ({ ages, currency }: StatementOfAccount) =>
  (
    [
      ['Not due', ages.notDueMinor],
      ['1–30 days late', ages.days1To30Minor],
      ['31–60 days late', ages.days31To60Minor],
      ['61–90 days late', ages.days61To90Minor],
      ['More than 90 days late', ages.over90DaysMinor],
      ['You owe the buyer', ages.creditMinor],
    ] as const
  )
    .filter(([, minor]) => minor !== 0)
    .map(([words, minor]) => [words, money(minor, currency)] as const)

interface Period {
  readonly from: string
  readonly to: string
  readonly currency?: string | undefined
}

const ownPeriod = 'own'

/** The statement of account of a buyer: every change of what the buyer owes, in a period that the person chooses. */
export function StatementDialog({ buyer, onClose }: { readonly buyer: Buyer; readonly onClose: () => void }) {
  const presets = presetsAt().filter(([name]) => name !== 'Today')
  const [period, setPeriod] = useState<Period>(() => presets.find(([name]) => name === 'This month')?.[1] as Period)
  const [name, setName] = useState('This month')
  const isRange = period.from !== '' && period.to !== '' && period.from <= period.to
  const statement = useQuery({
    queryKey: ['invoices', 'statement-of-account', buyer.id, period],
    queryFn: ({ signal }) => risiti.buyerAccounts.get(buyer.id, { ...period, limit: mostShown }, { signal }),
    enabled: isRange,
  })
  const shown = isRange ? statement.data : undefined
  return (
    <Dialog title={`Statement of account of ${buyer.name}`} open onClose={onClose} wide>
      <div className="statement-period">
        <SelectField
          label="Period"
          value={name}
          options={[...presets.map(([words]) => [words, words] as const), [ownPeriod, 'Other days']]}
          onChange={({ target }) => {
            setName(target.value)
            const range = presets.find(([words]) => words === target.value)?.[1]
            if (range) setPeriod({ ...period, from: range.from ?? '', to: range.to ?? '' })
          }}
        />
        {name === ownPeriod && (
          <>
            <TextField
              label="First day"
              type="date"
              value={period.from}
              onChange={({ target }) => setPeriod({ ...period, from: target.value })}
            />
            <TextField
              label="Last day"
              type="date"
              value={period.to}
              fault={isRange ? undefined : 'Choose a day that is not before the first day.'}
              onChange={({ target }) => setPeriod({ ...period, to: target.value })}
            />
          </>
        )}
        {shown && shown.currencies.length > 1 && (
          <SelectField
            label="Currency"
            value={shown.currency}
            options={shown.currencies.map((code) => [code, code] as const)}
            onChange={({ target }) => setPeriod({ ...period, currency: target.value })}
          />
        )}
      </div>
      {isRange && <LoadState query={statement} />}
      {shown && <Moves statement={shown} />}
      {shown && <StatementActions buyer={buyer} statement={shown} />}
    </Dialog>
  )
}

function Moves({ statement }: { readonly statement: StatementOfAccount }) {
  const { currency, lines, openingMinor, closingMinor, nextCursor } = statement
  return (
    <>
      <ListTable label="Lines" heads={['Day', 'What', ['Amount', 'amount'], ['Balance', 'amount']]}>
        <tr>
          <td>{dayText(statement.from)}</td>
          <th scope="row">Opening balance</th>
          <td />
          <td className="table-amount">{money(openingMinor, currency)}</td>
        </tr>
        {lines.map((line, nth) => (
          // Lines have no id of their own, and their order never changes.
          <tr key={`${line.bookedAt} ${line.type} ${line.invoiceId} ${nth}`}>
            <td>{dayText(line.bookedOn)}</td>
            <th scope="row">
              {lineWords[line.type]}{' '}
              <Link to="/invoices/$id" params={{ id: line.invoiceId }}>
                {line.invoiceNumber}
              </Link>
              {line.documentDate !== line.bookedOn && (
                <div className="table-more">Dated {dayText(line.documentDate)}</div>
              )}
            </th>
            <td className="table-amount">{money(line.amountMinor, currency)}</td>
            <td className="table-amount">{money(line.balanceMinor, currency)}</td>
          </tr>
        ))}
        <tr>
          <td>{dayText(statement.to)}</td>
          <th scope="row">Closing balance</th>
          <td />
          <td className="table-amount">{money(closingMinor, currency)}</td>
        </tr>
      </ListTable>
      {nextCursor !== null && (
        <Notice>This page shows the first {mostShown} lines. The files show up to 2,000 lines.</Notice>
      )}
      <Facts facts={agesOf(statement)} />
    </>
  )
}

function StatementActions({ buyer, statement }: { readonly buyer: Buyer; readonly statement: StatementOfAccount }) {
  const { from, to, currency } = statement
  const chosen = { from, to, currency }
  const [mayDownload, maySend, mayShare] = [
    useMay('invoice.download_pdf'),
    useMay('invoice.send_to_buyer'),
    useMay('invoice.share'),
  ]
  const download = useMutation({
    mutationFn: async (format: 'pdf' | 'csv') => {
      const { url } = await risiti.buyerAccounts.download(buyer.id, { ...chosen, format })
      saveFile(await fetchFile(new URL(url, location.href).pathname), `statement-${from}-${to}-${currency}.${format}`)
    },
  })
  const send = useMutation({
    mutationFn: async () => await risiti.buyerAccounts.send(buyer.id, chosen),
    onSuccess: ({ sentTo }) => say(`The statement of account goes to ${sentTo}.`),
  })
  const share = useMutation({ mutationFn: async () => await risiti.buyerAccounts.share(buyer.id, chosen) })
  const failure = download.error ?? send.error ?? share.error
  const url = share.data?.url
  return (
    <>
      {failure && <Notice tone="bad">{wordsOf(failure)}</Notice>}
      {url !== undefined && (
        <TextField
          label="Link"
          hint="Anyone with this link can read this statement of account for 30 days. Copy it now: it is not shown again."
          readOnly
          value={url}
          onFocus={({ target }) => target.select()}
        />
      )}
      <DialogActions>
        {mayDownload && (
          <>
            <Button busy={download.isPending && download.variables === 'csv'} onClick={() => download.mutate('csv')}>
              Download CSV
            </Button>
            <Button busy={download.isPending && download.variables === 'pdf'} onClick={() => download.mutate('pdf')}>
              Download PDF
            </Button>
          </>
        )}
        {mayShare && url === undefined && (
          <Button busy={share.isPending} onClick={() => share.mutate()}>
            Create a link
          </Button>
        )}
        {mayShare && url !== undefined && (
          <Button
            onClick={() =>
              void navigator.clipboard.writeText(url).then(
                () => say('The link was copied.'),
                () => say('Your browser does not allow copying. Select the link and copy it yourself.'),
              )
            }
          >
            Copy the link
          </Button>
        )}
        {maySend && (
          <Button kind="primary" busy={send.isPending} onClick={() => send.mutate()}>
            Send to the buyer
          </Button>
        )}
      </DialogActions>
    </>
  )
}
