import { confirmationOperations } from '../../modules/confirmations/index.ts'
import type { Runner, Runtime } from '../../platform/operations/runner.ts'
import type { RouteAsker, RouteCaller } from '../server/call-route.ts'
import { mayCall, momentsOf } from '../server/route-rules.ts'
import { asData } from './outside-words.ts'
import type { Listed, ToolContext } from './tool.ts'

/** The context of the tools in one request. */
export function toolContext(
  asker: RouteAsker,
  routes: RouteCaller,
  { runtime, runner }: { readonly runtime: Runtime; readonly runner: Runner },
): ToolContext {
  const { caller } = asker
  const replyOf = (definition: Parameters<RouteCaller['routeOf']>[0]): unknown => routes.routeOf(definition).reply
  return {
    asker,
    call: (definition, values, once) => routes.call(definition, asker, values, once),
    async data(definition, values, once) {
      const { data } = await routes.call(definition, asker, values, once)
      return asData(data, replyOf(definition))
    },
    async page(definition, values): Promise<Listed> {
      const { data, total, nextCursor } = await routes.call(definition, asker, values)
      const marked = asData(data, replyOf(definition))
      return { ...(Array.isArray(marked) ? { rows: marked } : (marked as Listed)), total, nextCursor }
    },
    check: (definition, values) => routes.check(definition, caller, values),
    prepare: (input) => runner.run(confirmationOperations.prepareAction, { ...asker, input }),
    confirm: (token) => runner.run(confirmationOperations.confirmAction, { ...asker, input: { token } }),
    mayCall: (definition) => mayCall(definition, caller),
    today: () => momentsOf(runtime, {})(caller).today(),
  }
}
