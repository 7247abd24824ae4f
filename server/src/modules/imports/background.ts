import { systemCaller } from '../../kernel/callers.ts'
import { handler } from '../../platform/background/handlers.ts'
import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { days, purgeAfter } from '../../platform/background/purge-expired.ts'
import type { Runner } from '../../platform/operations/runner.ts'
import { purgeImports } from './imports.store.ts'
import { findWhoAsked, stopImport, workOnImport, workOnImportJob } from './work-on-import.ts'

const origin = { requestId: 'work-on-import', address: '', userAgent: '' }

/** Checks, creates or undoes the next part of an import, with the rights of the person who started it. */
const workOnImports = (runner: Runner) =>
  handler(workOnImportJob, async (asked, { last }) => {
    try {
      const caller = await runner.run(findWhoAsked, { caller: systemCaller, origin, input: asked })
      if (caller) await runner.run(workOnImport, { caller, origin, input: asked })
    } catch (error) {
      if (last) await runner.run(stopImport, { caller: systemCaller, origin, input: asked })
      throw error
    }
  })

export const background: ModuleBackground = {
  jobs: (_, runner) => [workOnImports(runner)],
  purges: [purgeAfter(30 * days, 'imports', purgeImports, 10)],
}
