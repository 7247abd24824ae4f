import { systemCaller } from '../kernel/callers.ts'
import { findWhoAsked, stopImport, workOnImport, workOnImportJob } from '../modules/imports/index.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { handler } from '../platform/work/jobs.ts'

const origin = { requestId: 'work-on-import', address: '', userAgent: '' }

/** Checks, makes or takes back the next piece of what a file says, for whoever asked for it. */
export const workOnImports = (runner: Runner) =>
  handler(workOnImportJob, async (asked, { last }) => {
    try {
      const caller = await runner.run(findWhoAsked, { caller: systemCaller, origin, input: asked })
      if (caller) await runner.run(workOnImport, { caller, origin, input: asked })
    } catch (error) {
      if (last) await runner.run(stopImport, { caller: systemCaller, origin, input: asked })
      throw error
    }
  })
