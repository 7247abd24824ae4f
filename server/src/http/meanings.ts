import { ofAccounts } from './meanings/of-accounts.ts'
import { ofDocuments } from './meanings/of-documents.ts'
import { ofRequirements } from './meanings/of-requirements.ts'

/**
 * What fields mean, by their names: a field that says nothing of its own where it is written says this. A name that means
 * something else in one object stands under the name of that object, too.
 */
export const meanings: Readonly<Record<string, string>> = { ...ofDocuments, ...ofAccounts, ...ofRequirements }
