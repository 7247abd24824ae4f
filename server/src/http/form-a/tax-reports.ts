import { elsewhere } from '../speak.ts'

export const taxReports = { validateReference: elsewhere, reportTax: elsewhere }
