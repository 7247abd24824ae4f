import { elsewhere } from '../definitions/describe-route.ts'

export const taxReports = { validateReference: elsewhere, reportTax: elsewhere }
