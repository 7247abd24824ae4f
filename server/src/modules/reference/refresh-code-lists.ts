import { systemCaller } from '../../kernel/callers.ts'
import { dailyAt, scheduled } from '../../platform/background/handlers.ts'
import { oneByOne } from '../../platform/jobs/failing-items.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import { findNewerLists, loadList } from './load-list.ts'

const caller = systemCaller
const origin = { requestId: 'refresh-code-lists', address: '', userAgent: '' }

/** Every night: asks the authorities for new entries of their lists. */
export const refreshCodeLists = (runtime: Runtime, runner: Runner) =>
  scheduled(
    'refresh-code-lists',
    dailyAt(2, 17),
    async () => {
      const { ports } = runtime
      const countries = ports.jurisdictions.all.map(({ country }) => ({ id: country }))
      let failed = 0
      const silent = await oneByOne(runtime, 'code_lists.not_asked_for', countries, async ({ id: country }) => {
        const newer = await runner.run(findNewerLists, { caller, origin, input: { country } })
        const lists = newer.map((list) => ({ id: `${list.country} ${list.type} ${list.version}`, list }))
        failed += await oneByOne(runtime, 'code_list.not_loaded', lists, ({ list }) =>
          runner.run(loadList, { caller, origin, input: list }),
        )
      })
      await ports.codeLists.refresh()
      if (silent + failed > 0) throw new Error(`${silent + failed} code lists could not be brought up to date`)
    },
    { maxAttempts: 3 },
  )
