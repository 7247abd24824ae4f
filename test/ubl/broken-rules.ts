import { coreRules } from './core-rules.ts'
import { peppolRules } from './peppol-rules.ts'
import { shapeRules } from './shape-rules.ts'
import { treeOf } from './tree.ts'
import { vatRules } from './vat-rules.ts'

export const rules = [...shapeRules, ...coreRules, ...vatRules, ...peppolRules]

/**
 * The ids of the rules of EN 16931 and Peppol BIS Billing 3.0 that a document breaks. A rule that cannot even be asked,
 * because what it asks about is missing or no number, is broken too.
 */
export function brokenRules(xml: string): string[] {
  const root = treeOf(xml)
  return rules
    .filter(({ holds }) => {
      try {
        return !holds(root)
      } catch {
        return true
      }
    })
    .map(({ id }) => id)
}
