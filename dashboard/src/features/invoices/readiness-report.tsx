import type { Readiness } from '@risiti/sdk'
import { Notice } from '../../ui/index.ts'
import { sentence, whereOf } from './where-of.ts'

/** Whether the authority would accept the document, with its likely objections. */
export function ReadinessReport({ readiness: { ready, problems, advice } }: { readonly readiness: Readiness }) {
  return (
    <>
      {ready ? (
        <Notice tone="good" title="Ready: the tax authority would accept this document." />
      ) : (
        <Notice tone="warn" title="The tax authority would refuse this document:">
          <Problems problems={problems} />
          {problems.some(({ path }) => path.startsWith('seller')) && (
            // Opens in a new tab, because the draft is not saved yet.
            <a href="/settings" target="_blank" rel="noreferrer">
              Complete your details
            </a>
          )}
        </Notice>
      )}
      {advice.length > 0 && (
        <Notice title="Recommendations:">
          <Problems problems={advice} />
        </Notice>
      )}
    </>
  )
}

const Problems = ({ problems }: { readonly problems: Readiness['problems'] }) => (
  <ul className="readiness-problems">
    {problems.map(({ path, rule, message }) => (
      <li key={`${path} ${rule} ${message}`}>
        {whereOf(path)}
        {sentence(message)}
      </li>
    ))}
  </ul>
)
