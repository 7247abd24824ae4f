import { importOperations } from '../../modules/imports/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const imports = '/i/v1/imports'

export const importRoutes = {
  list: defineRoute('GET', imports, 'token', importOperations.listOwnImports, {
    summary: 'List the imports of the last 30 days, newest first',
    description: 'The list has only the kinds of import that you may create.',
  }),
  start: defineRoute('POST', imports, 'token', importOperations.startImport, {
    summary: 'Check a file of buyers, items or invoices',
    description:
      'Creates no records yet. Poll the import until its status is `checked`. Its faults then name each problem by row and column. `run` creates the other records.',
  }),
  getSetup: defineRoute('GET', `${imports}/setup`, 'token', importOperations.getImportSetup, {
    summary: 'List the fields that the columns of a file can fill',
  }),
  get: defineRoute('GET', `${imports}/{id}`, 'token', importOperations.getImport, {
    summary: 'Get the progress and the faults of an import',
    description: 'At most 1,000 faults are listed. `counts` includes all records.',
  }),
  run: defineRoute('POST', `${imports}/{id}/run`, 'token', importOperations.runImport, {
    summary: 'Create the records of a checked file',
    description:
      'Leaves out faulty records. Invoices become drafts. Each record costs the same as if you created it alone.',
  }),
  undo: defineRoute('POST', `${imports}/{id}/undo`, 'token', importOperations.undoImport, {
    summary: 'Take back the records of an import',
    description: 'Records that are in use by now are kept, and the faults give the reason. Credits are not returned.',
  }),
}
