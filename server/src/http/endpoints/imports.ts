import {
  getImport,
  getImportSetup,
  listOwnImports,
  runImport,
  startImport,
  undoImport,
} from '../../modules/imports/index.ts'
import { endpoint } from '../endpoint.ts'

const imports = '/i/v1/imports'

export const importEndpoints = {
  list: endpoint('GET', imports, 'both', listOwnImports, {
    summary: 'List the imports of the last 30 days, newest first',
    description: 'The list has only the kinds of import that you may create.',
  }),
  start: endpoint('POST', imports, 'both', startImport, {
    summary: 'Check a file of buyers, items or invoices',
    description:
      'Creates no records yet. Poll the import until its status is `checked`. Its faults then name each problem by row and column. `run` creates the other records.',
  }),
  getSetup: endpoint('GET', `${imports}/setup`, 'both', getImportSetup, {
    summary: 'List the fields that the columns of a file can fill',
  }),
  get: endpoint('GET', `${imports}/{id}`, 'both', getImport, {
    summary: 'Get the progress and the faults of an import',
    description: 'At most 1,000 faults are listed. `counts` includes all records.',
  }),
  run: endpoint('POST', `${imports}/{id}/run`, 'both', runImport, {
    summary: 'Create the records of a checked file',
    description:
      'Leaves out faulty records. Invoices become drafts. Each record costs the same as if you created it alone.',
  }),
  undo: endpoint('POST', `${imports}/{id}/undo`, 'both', undoImport, {
    summary: 'Take back the records of an import',
    description: 'Records that are in use by now are kept, and the faults give the reason. Credits are not returned.',
  }),
}
