import { elsewhere } from '../describe-route.ts'

export const taxReports = { validateReference: elsewhere, reportTax: elsewhere }
