import { elsewhere } from '../kernel/describe-route.ts'

export const taxReports = { validateReference: elsewhere, reportTax: elsewhere }
