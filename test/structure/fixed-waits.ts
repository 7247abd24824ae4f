import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

/** Waits for a time, by file and text, with the reason. A text that a file repeats is counted: `wait(20) (2)`. */
export type FixedWaits = Readonly<Record<string, Readonly<Record<string, string>>>>

const waits: FixedWaits = {
  'dashboard/test/sign-in.test.ts': { 'wait(5)': 'the reply of the service takes a moment' },
  'sdk/test/transport.test.ts': {
    'setTimeout(…, 5)': 'the network must not join the two pieces again',
    'setTimeout(…, 20)': 'stops a call at some moment; the outcome is the same at any',
    'setTimeout(…, 20) (2)': 'stops a call at some moment; the outcome is the same at any',
  },
  'server/src/http/reply/constant-time.test.ts': { 'wait(takesMs)': 'work of a known duration; replies are timed' },
  'server/src/http/reply/failures.test.ts': { 'pg_sleep(5)': 'a statement that exceeds its time limit' },
  'server/src/http/reply/silent-readers.test.ts': { 'wait(5)': 'the pace of a slow reader' },
  'server/src/http/reply/slow-readers.test.ts': {
    'setInterval(…, 100)': 'the pace of a reader that is slow and never silent',
    'wait(20)': 'the pace of requests for longer than the limit of one reply, whose clock is real',
  },
  'server/src/http/request/idempotency.test.ts': { 'pg_sleep(0.02)': 'widens the moment in which requests meet' },
  'server/src/modules/api-keys/no-round-trip.test.ts': { 'wait(10)': 'a promise of one second is measured' },
  'server/src/modules/documents/drawing/drawer.test.ts': {
    'setInterval(…, 1)': 'counts the turns that the process has while a thread draws',
  },
  'server/src/modules/organisations/members/transfer-ownership.test.ts': {
    'setTimeout(…, round * 8)': 'tries several moments of a race; each outcome is checked',
  },
  'server/src/modules/organisations/roles/change-roles.test.ts': {
    'setTimeout(…, round * 3)': 'tries several moments of a race; each outcome is checked',
  },
  'server/src/modules/submissions/queue/deaths.test.ts': {
    'wait(150 + chance() * 300)': 'a worker dies at a random moment',
  },
  'server/src/platform/background/consumers.test.ts': {
    'pg_sleep(1)': 'a statement that exceeds its time limit',
    'wait(300)': 'the pace of a fault that goes on until enough connections were cut',
    'setTimeout(…, [280, 50, 0][at])': 'the pace at which a wake-up was once lost',
  },
  'server/src/platform/background/queues.test.ts': {
    'wait(20)': 'a job takes a moment, so that a backlog stays',
    'wait(20) (2)': 'a full queue asks nobody, so its rounds cannot be counted; a longer wait changes no outcome',
  },
  'server/src/platform/callers/authentication.test.ts': { 'wait(10)': 'a promise of one second is measured' },
  'server/src/platform/database/embedded-postgres.test.ts': { 'sleep(delay)': 'tries several moments of a shutdown' },
  'server/src/platform/outbound/outbound-http.test.ts': {
    'setInterval(…, 10)': 'the pace of a reply that drips',
    'setTimeout(…, 20)': 'lets the beginning of a reply arrive before its reset; the outcome is the same without it',
  },
  'test/failover/backup.ts': { 'pg_sleep(0.1)': 'the pause between two looks at the recovery of a server' },
  'test/failover/load.ts': {
    'wait(pauseMs)': 'the pace of a client that repeats its request',
    'wait(pauseMs) (2)': 'the pace of a bank that repeats its notification',
    'wait(200)': 'the pace of the payments',
  },
  'test/failover/cluster.ts': { 'wait(100)': 'the pause between two looks' },
  'test/failover/failover.test.ts': {
    'wait(3_000)': 'ordinary business before each disaster',
    'wait(5_000)': 'the outage lasts for a while after the first refusal',
    'wait(5_000) (2)': 'ordinary business on the new primary',
    'wait(200)': 'the pause between two looks',
  },
  'test/failover/restore-work.test.ts': {
    'wait(loadMs)': 'how long the load lasts before the moment',
    'wait(minutes * 60_000)': 'how much work the restore loses',
    'wait(loadMs) (2)': 'how long the load lasts after the restore',
  },
  'test/failover/restore.test.ts': {
    'wait(1_000)': 'the moment of the restore has whole seconds; what came before lies clearly before it',
    'wait(1_000) (2)': 'the moment of the restore has whole seconds; what comes after lies clearly after it',
  },
  'test/faults/citus-commits.test.ts': {
    'wait(heldMs)': 'how long a commit is held up',
    'wait(heldMs) (2)': 'how long a commit is held up',
  },
  'test/faults/collection.test.ts': {
    'wait(isLong ? 1_000 : 200)': 'the pace of the watch during the storm',
    'wait(5_000)': 'the pace of the kills of a long run',
  },
  'test/faults/events.test.ts': {
    'wait(lifeMs.least + chance() * lifeMs.more)': 'a process dies at a random moment',
  },
  'test/faults/hostile-bodies.test.ts': { 'wait(0)': 'only one turn, to see whether the process has ended' },
  'test/faults/hostile-tenants.test.ts': {
    'wait(answer.retryAfter * 1_000)': 'a client waits as long as the service tells it',
  },
  'test/faults/installations.test.ts': {
    'wait(1_500)': 'the pause between two looks, because a frequent caller is limited',
  },
  'test/faults/invoice-storms.test.ts': {
    'pg_sleep(0.01)': 'slows each invoice down, so that a kill hits one in progress',
    'wait(50 + Math.floor(next() * 100))': 'an outage of random length',
  },
  'test/faults/listen.test.ts': {
    'wait(state.delayMs)': 'a slow network',
    'wait(times.graceMs)': 'the network is silent for longer than the command trusts it',
    'wait(50)': 'the program is away for a moment',
    'wait(times.longestPauseMs)': 'the trouble lasts for longer than the longest pause between two tries',
    'wait(times.longestPauseMs) (2)': 'the trouble lasts for longer than the longest pause between two tries',
    'wait(10 * times.longestPauseMs)': 'tries at a closed door cannot be counted; a longer wait changes no outcome',
  },
  'test/faults/revocation.test.ts': {
    'wait(20)': 'the pace of the requests',
    'wait(afterMs)': 'a promise of one second is measured',
  },
  'test/faults/webhooks.test.ts': {
    'wait(30_000)': 'the pace of the kills of a long run',
    'wait(1_000)': 'the pace of the events of a long run',
  },
  'test/guides/guides.test.ts': { 'wait(100)': 'the pause between two looks, no longer than the guide waits' },
  'test/harness/app.ts': { 'setTimeout(…, 60_000)': 'names the part of an application that does not stop' },
  'test/harness/client.ts': {
    "wait(Number(reply.headers.get('retry-after')) * 1_000)": 'a client waits as long as the service tells it',
  },
  'test/harness/event-emitting.ts': { 'wait(chance() * 40)': 'transactions of random duration' },
  'test/harness/event-followers.ts': {
    'wait(chance() * 20)': 'batches of random duration',
    'wait(chance() * 300)': 'the pace of the events',
  },
  'test/harness/event-storm.ts': { 'wait(chance() * 100)': 'the pace of the events' },
  'test/harness/hostile.ts': { 'wait(restMs)': 'the pace of a hostile client after a refusal' },
  'test/harness/invoice-load.ts': {
    'wait(1)': 'the pace of the load',
    'wait(20)': 'the pause between two tries of requests without a reply',
  },
  'test/harness/rename-load.ts': {
    'wait(5)': 'the pace of the load',
  },
  'test/harness/reporting-authority.ts': {
    'wait(double.latencyMs)': 'how long the authority takes',
    'wait(25)': 'how long a connection lasts whose reply is lost',
  },
  'test/harness/thread-at-work.ts': {
    'wait(order.ms)': 'an order that takes a known time',
    'setTimeout(…, 1)': 'an error outside of any order',
    'wait(60_000)': 'an order that has not ended when that error comes',
  },
}

interface FixedWait {
  readonly node: ts.Node
  readonly text: string
}

const folders = ['test', 'sdk/test', 'cli/test', 'dashboard/test', 'simulators/test']

/**
 * Tests and their harness wait for conditions, because a time is too short on a busy machine and too long on a quick one.
 * Every other wait is listed with its reason. The pause between two looks of `eventually` needs none.
 */
export function checkFixedWaits(tree: readonly SourceFile[], allowed: FixedWaits = waits): string[] {
  const tests = tree.filter((source) => isCode(source) && (isTest(source) || folders.some((at) => isUnder(at)(source))))
  const met = new Set<string>()
  const complaints = tests.flatMap((source) => {
    const counts = new Map<string, number>()
    return fixedWaitsIn(source).flatMap(({ node, text }) => {
      const count = (counts.get(text) ?? 0) + 1
      counts.set(text, count)
      const name = count === 1 ? text : `${text} (${count})`
      met.add(`${source.path} ${name}`)
      return Object.hasOwn(allowed[source.path] ?? {}, name)
        ? []
        : [`${placeOf(source, node)} waits for a time: wait for a condition, such as with \`eventually\` (${name})`]
    })
  })
  const hurried = tests
    .filter(({ text }) => text.includes('vi.wait'))
    .flatMap((source) =>
      nodesIn(parse(source))
        .filter((node) => ts.isCallExpression(node) && /^vi\.wait(For|Until)$/.test(node.expression.getText()))
        .map((node) => `${placeOf(source, node)} gives up after a second: use \`eventually\``),
    )
  const stale = Object.entries(allowed).flatMap(([path, names]) =>
    Object.keys(names)
      .filter((name) => !met.has(`${path} ${name}`))
      .map((name) => `${path} is listed for ${name}, which it does not have`),
  )
  return [...complaints, ...hurried, ...stale]
}

function fixedWaitsIn(source: SourceFile): FixedWait[] {
  if (!/setTimeout|setInterval|timers\/promises|pg_sleep/.test(source.text)) return []
  const nodes = nodesIn(parse(source))
  const imported = namesOfTimers(nodes)
  return nodes.flatMap((node) => {
    if (ts.isCallExpression(node)) {
      const text = timerIn(node, imported)
      return text === undefined || isBetweenLooks(node) ? [] : [{ node, text }]
    }
    return sleepsIn(node).map((text) => ({ node, text }))
  })
}

/** What a file calls the functions of `node:timers/promises`. */
function namesOfTimers(nodes: readonly ts.Node[]): ReadonlySet<string> {
  const names = nodes.flatMap((node) => {
    const isOfTimers = ts.isImportDeclaration(node) && /timers\/promises/.test(node.moduleSpecifier.getText())
    const named = isOfTimers ? node.importClause?.namedBindings : undefined
    return named && ts.isNamedImports(named) ? named.elements.map(({ name }) => name.text) : []
  })
  return new Set(names)
}

function timerIn({ expression, arguments: given }: ts.CallExpression, imported: ReadonlySet<string>) {
  const name = expression.getText().replace(/^globalThis\./, '')
  if (imported.has(name)) return `${name}(${textOf(given[0])})`
  if (name === 'setTimeout' || name === 'setInterval') return `${name}(…, ${textOf(given[1])})`
  return undefined
}

const textOf = (node: ts.Node | undefined): string => (node?.getText() ?? '').replace(/\s+/g, ' ')

const isBetweenLooks = (call: ts.CallExpression): boolean =>
  call.arguments.some((one) => ts.isCallExpression(one) && one.expression.getText() === 'pauseMs')

/** `pg_sleep(1)` in the text of a statement. The name of a property is none. */
function sleepsIn(node: ts.Node): readonly string[] {
  if (node.parent && ts.isPropertyAssignment(node.parent) && node.parent.name === node) return []
  const isText = ts.isNoSubstitutionTemplateLiteral(node) || ts.isStringLiteral(node) || ts.isTemplateHead(node)
  const isRest = ts.isTemplateMiddle(node) || ts.isTemplateTail(node)
  return isText || isRest ? (node.text.match(/pg_sleep\([^)]*\)?/g) ?? []) : []
}
