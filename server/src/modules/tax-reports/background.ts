import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { reportTax } from './report-tax.ts'
import { validateReference } from './validate-reference.ts'

export const background: ModuleBackground = {
  exchanges: [validateReference, reportTax],
}
