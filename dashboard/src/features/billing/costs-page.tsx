import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { count } from '../../ui/count.ts'
import { ListTable, Panel } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'
import { BillingHead } from './billing-head.tsx'
import { costsQuery } from './costs.ts'
import './billing.css'

const creditsInWords = (credits: number): string => `${count.format(credits)} ${credits === 1 ? 'credit' : 'credits'}`

/** Lists the credits per action. Actions that are not listed are free. */
export function CostsPage() {
  const costs = useQuery(costsQuery)
  return (
    <>
      <BillingHead />
      <LoadState query={costs} />
      {costs.data && (
        <>
          <p className="billing-about">
            Actions that are not listed here are free, and so are refused requests. For the price of a credit, see the{' '}
            <Link to="/billing">plans and packages</Link>.
          </p>
          {costs.data.map(({ section, actions }) => (
            <Panel key={section} title={section}>
              <ListTable label={section} heads={['Action', 'Name in the API', ['Cost', 'amount']]}>
                {actions.map(({ action, label, credits }) => (
                  <tr key={action}>
                    <th scope="row">{label}</th>
                    <td>
                      <code>{action}</code>
                    </td>
                    <td className="table-amount">{creditsInWords(credits)}</td>
                  </tr>
                ))}
              </ListTable>
            </Panel>
          ))}
        </>
      )}
    </>
  )
}
