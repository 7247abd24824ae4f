export { background } from './background.ts'
export { reportTax } from './report-tax.ts'
export type { OwnTaxReport } from './tax-report.ts'
export { validateReference } from './validate-reference.ts'
