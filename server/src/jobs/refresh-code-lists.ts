import { systemCaller } from '../kernel/callers.ts'
import { findNewerLists, loadList } from '../modules/reference/index.ts'
import type { Machine, Runner } from '../platform/operations/runner.ts'
import { handler, job } from '../platform/work/jobs.ts'

export const refreshCodeListsJob = job<object>('refresh-code-lists', 'upkeep', { maxAttempts: 3 })
const caller = systemCaller
const origin = { requestId: 'refresh-code-lists', address: '', userAgent: '' }

/** Every night the authorities are asked whether their lists have grown. */
export const refreshCodeLists = ({ ports }: Machine, runner: Runner) =>
  handler(
    refreshCodeListsJob,
    async () => {
      for (const { country } of ports.jurisdictions.all) {
        const newer = await runner.run(findNewerLists, { caller, origin, input: { country } })
        for (const input of newer) await runner.run(loadList, { caller, origin, input })
      }
      await ports.codeLists.refresh()
    },
    '17 2 * * *',
  )
