import type { Readiness } from '@risiti/sdk'
import { Notice } from '../../ui/index.ts'
import { fieldSentence } from '../../words/field-faults.ts'
import { whereOf } from './where-of.ts'

/** Whether the authority would accept the document, with its likely objections. */
export function ReadinessReport({
  readiness: { ready, problems, advice },
  buyerId,
}: {
  readonly readiness: Readiness
  readonly buyerId: string | null | undefined
}) {
  return (
    <>
      {ready ? (
        <Notice tone="good" title="Ready: the tax authority would accept this document." />
      ) : (
        <Notice tone="warn" title="The tax authority would refuse this document:">
          <Problems problems={problems} />
          {problems.some(({ path }) => path.startsWith('seller')) && (
            <p>{newTab('/settings', 'Complete your details')}</p>
          )}
          {buyerId && problems.some(({ path }) => path.startsWith('buyer')) && (
            <p>{newTab(`/buyers/${buyerId}`, 'Open the buyer')}</p>
          )}
        </Notice>
      )}
      {advice.length > 0 && (
        <Notice title="Recommendations:">
          <Problems problems={advice} />
          {advice.some(({ path }) => path === 'seller.registrationNumber') && (
            <p>{newTab('/sellers', 'Add the number to your business')}</p>
          )}
          {advice.some(({ path }) => path === 'exchangeRate') && (
            <p>{newTab('/tax-returns/rates', 'Open your exchange rates')}</p>
          )}
        </Notice>
      )}
    </>
  )
}

/** In a new tab, because the draft may not be saved yet. */
const newTab = (path: string, words: string) => (
  <a href={path} target="_blank" rel="noreferrer">
    {words}
  </a>
)

const Problems = ({ problems }: { readonly problems: Readiness['problems'] }) => (
  <ul className="readiness-problems">
    {problems.map(({ path, rule, message }) => (
      <li key={`${path} ${rule} ${message}`}>
        {whereOf(path)}
        {fieldSentence(message)}
      </li>
    ))}
  </ul>
)
