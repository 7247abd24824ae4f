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
    summary: 'Imports of the last 30 days, newest first',
    description: 'Those of kinds that the caller may create.',
  }),
  start: endpoint('POST', imports, 'both', startImport, {
    summary: 'Have a file of buyers, items or invoices checked',
    description:
      'Nothing is made yet: read the import until its status is `checked`. Its faults then say what is wrong, by row and column; `run` makes the rest.',
  }),
  getSetup: endpoint('GET', `${imports}/setup`, 'both', getImportSetup, {
    summary: 'What the columns of a file can be',
  }),
  get: endpoint('GET', `${imports}/{id}`, 'both', getImport, {
    summary: 'How far an import is, and what is wrong with its file',
    description: 'At most 1,000 faults are listed; `counts` tells of all.',
  }),
  run: endpoint('POST', `${imports}/{id}/run`, 'both', runImport, {
    summary: 'Make what a checked file says',
    description: 'What is faulty is left out. Invoices become drafts. Each is charged as if it were made by itself.',
  }),
  undo: endpoint('POST', `${imports}/{id}/undo`, 'both', undoImport, {
    summary: 'Take back what an import made',
    description: 'What is in use by now is kept, and the faults say why. Credits are not given back.',
  }),
}
