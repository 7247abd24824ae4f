import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { dueReports, emitDueReportsHandler } from './life/due-reports-job.ts'
import { invoiceSealedColumns } from './life/sealed-columns.ts'
import { invoiceLists } from './listing/follow-invoices.ts'

export const background: ModuleBackground = {
  jobs: (runtime, runner) => [emitDueReportsHandler(runtime, runner)],
  consumers: [invoiceLists],
  dueWork: [dueReports],
  sealedColumns: invoiceSealedColumns,
}
