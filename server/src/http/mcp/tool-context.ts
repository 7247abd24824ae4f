import { confirmationOperations } from '../../modules/confirmations/index.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import type { CallSource, RouteCaller } from '../server/call-route.ts'
import { mayCall, momentsOf } from '../server/route-rules.ts'
import { asData } from './outside-words.ts'
import type { Listed, ToolContext } from './tool.ts'

/** The context of the tools in one request. */
export function toolContext(
  source: CallSource,
  routes: RouteCaller,
  { runtime, runner }: { readonly runtime: Runtime; readonly runner: Runner },
): ToolContext {
  const { caller } = source
  const replyOf = (definition: Parameters<RouteCaller['routeOf']>[0]): unknown => routes.routeOf(definition).reply
  return {
    source,
    call: (definition, values, once) => routes.call(definition, source, values, once),
    async data(definition, values, once) {
      const { data } = await routes.call(definition, source, values, once)
      return asData(data, replyOf(definition))
    },
    async page(definition, values): Promise<Listed> {
      const { data, total, nextCursor } = await routes.call(definition, source, values)
      const marked = asData(data, replyOf(definition))
      return { ...(Array.isArray(marked) ? { rows: marked } : (marked as Listed)), total, nextCursor }
    },
    check: (definition, values) => routes.check(definition, caller, values),
    prepare: (input) => runner.run(confirmationOperations.prepareAction, { ...source, input }),
    confirm: (token) => runner.run(confirmationOperations.confirmAction, { ...source, input: { token } }),
    mayCall: (definition) => mayCall(definition, caller),
    today: () => momentsOf(runtime, {})(caller).today(),
  }
}
