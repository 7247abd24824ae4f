import { systemCaller } from '../kernel/callers.ts'
import { findWhoAsked, stopImport, workOnImport, workOnImportJob } from '../modules/imports/index.ts'
import { handler } from '../platform/background/handlers.ts'
import type { Runner } from '../platform/operations/runner.ts'

const origin = { requestId: 'work-on-import', address: '', userAgent: '' }

/** Checks, creates or undoes the next part of an import, with the rights of the person who started it. */
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
