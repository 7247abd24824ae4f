import ts from 'typescript-5'
import { isCode, isTest, isUnder, type SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

type Loop = ts.ForStatement | ts.WhileStatement | ts.DoStatement

/** Loops without a fixed end, by file and condition, with the reason. */
export type LongLived = Readonly<Record<string, Readonly<Record<string, string>>>>

const longLived: LongLived = {
  'dashboard/src/api/live.ts': {
    '!signal.aborted': 'listens as long as somebody is signed in, with a pause after each stream that ended',
    '!part.done': 'reads a stream until its end, which comes with the session at the latest',
  },
  'server/src/platform/callers/authentication.ts': {
    '!signal.aborted': 'follows the log of changes until the process stops, with a pause each time',
  },
  'server/src/platform/database/embedded-postgres.ts': {
    'child.pid && child.exitCode === null && child.signalCode === null':
      'waits for a database that recovers from a crash; ends with the child',
  },
  'server/src/platform/database/until-writable.ts': {
    'obstacle !== undefined': 'waits for the promotion of a standby, with a pause each time; a signal ends the process',
  },
  'server/src/platform/limits/rate-limits.ts': {
    'window.used >= window.granted': 'each round takes more of what is left of the window, or ends since nothing is',
  },
  'server/src/platform/rounds.ts': { '!signal.aborted': 'one round after the other until the process stops' },
  'server/src/platform/jobs/wake-up.ts': {
    '!signal.aborted': 'listens to other processes until this one stops, with a pause after a lost link',
    'pendingTopics.size > 0': 'tells others as long as there is something to tell, with a pause each time',
  },
}

const roots = ['server/src', 'simulators/src', 'dashboard/src', 'scripts', 'bench']

/**
 * Every loop must show its end in its own text: it iterates over a collection or chain, compares a changing value with
 * a limit, or leaves by a counter or the clock. All other loops are listed by name.
 */
export function checkLoops(tree: readonly SourceFile[], allowed: LongLived = longLived): string[] {
  const code = tree.filter((source) => roots.some((root) => isUnder(root)(source)) && isCode(source) && !isTest(source))
  const met = new Set<string>()
  const complaints = code.flatMap((source) =>
    loopsIn(source).flatMap((loop) => {
      const condition = conditionOf(loop)?.getText().replace(/\s+/g, ' ') ?? ''
      if (isBounded(loop)) return []
      met.add(`${source.path} ${condition}`)
      return Object.hasOwn(allowed[source.path] ?? {}, condition)
        ? []
        : [`${placeOf(source, loop)} may go round for ever: give it a bound (${headOf(loop, condition)})`]
    }),
  )
  const stale = Object.entries(allowed).flatMap(([path, conditions]) =>
    Object.keys(conditions)
      .filter((condition) => !met.has(`${path} ${condition}`))
      .map((condition) => `${path} is listed for a loop on "${condition}" that it does not have`),
  )
  return [...complaints, ...stale]
}

const headOf = (loop: Loop, condition: string): string =>
  ts.isForStatement(loop) ? `for (…; ${condition}; …)` : `while (${condition})`

const loopsIn = (source: SourceFile): Loop[] =>
  /\b(for|while)\b/.test(source.text)
    ? nodesIn(parse(source)).filter(
        (node): node is Loop => ts.isForStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node),
      )
    : []

const conditionOf = (loop: Loop): ts.Expression | undefined =>
  ts.isForStatement(loop) ? loop.condition : loop.expression

function isBounded(loop: Loop): boolean {
  const { all, counted } = changedIn(loop)
  const condition = conditionOf(loop)
  if (ts.isForStatement(loop) && followsChain(loop)) return true
  if (condition && partsOf(condition, ts.SyntaxKind.AmpersandAmpersandToken).some((part) => isLimit(part, all)))
    return true
  return leavesOf(loop.statement).some((on) =>
    partsOf(on, ts.SyntaxKind.BarBarToken).some((part) => isLimit(part, counted) || isReached(part, counted)),
  )
}

/** `for (let at = place; at; at = at.above)` iterates over a chain. */
function followsChain({ condition, incrementor }: ts.ForStatement): boolean {
  const [, name, from] = /^(\w+) = (\w+)\.\w+$/.exec(incrementor?.getText() ?? '') ?? []
  return (
    name !== undefined &&
    name === from &&
    new RegExp(`^${name}( !== (undefined|null))?$`).test(condition?.getText() ?? '')
  )
}

/** The names that a loop assigns, and those that it counts up or down. */
function changedIn(loop: Loop): { all: ReadonlySet<string>; counted: ReadonlySet<string> } {
  const all = new Set<string>()
  const counted = new Set<string>()
  for (const node of nodesIn(loop)) {
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      const counts = [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(node.operator)
      if (counts && ts.isIdentifier(node.operand)) all.add(node.operand.text) && counted.add(node.operand.text)
    }
    if (!ts.isBinaryExpression(node) || !ts.isIdentifier(node.left)) continue
    const operator = node.operatorToken.getText()
    if (/^([-+*/%]|<<|>>>?)?=$/.test(operator)) all.add(node.left.text)
    if (/^[-+]=$/.test(operator)) counted.add(node.left.text)
  }
  return { all, counted }
}

/** `a && b && c` by its parts, brackets taken off. */
function partsOf(expression: ts.Expression, operator: ts.SyntaxKind): ts.Expression[] {
  if (ts.isParenthesizedExpression(expression)) return partsOf(expression.expression, operator)
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === operator)
    return [...partsOf(expression.left, operator), ...partsOf(expression.right, operator)]
  return [expression]
}

const isClock = (node: ts.Node): boolean => /^(Date|performance)\.now\(\)$/.test(node.getText())

/** `at < text.length`, where one side changes or is the time. */
function isLimit(expression: ts.Expression, changed: ReadonlySet<string>): boolean {
  if (!ts.isBinaryExpression(expression) || !/^[<>]=?$/.test(expression.operatorToken.getText())) return false
  return nodesIn(expression).some((node) => isClock(node) || isNamed(node, changed))
}

/** `tries === 10`, where one side is counted. */
function isReached(expression: ts.Expression, counted: ReadonlySet<string>): boolean {
  if (!ts.isBinaryExpression(expression) || expression.operatorToken.getText() !== '===') return false
  return [expression.left, expression.right].some((side) => isNamed(side, counted))
}

const isNamed = (node: ts.Node, names: ReadonlySet<string>): boolean =>
  ts.isIdentifier(node) &&
  names.has(node.text) &&
  !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node)

/** The exit conditions of a loop: those of `if (…) return`, `throw` or `break`. */
function leavesOf(body: ts.Statement): ts.Expression[] {
  const found: ts.Expression[] = []
  const visit = (node: ts.Node, isOwn: boolean): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isIfStatement(node) && leaves(node.thenStatement, isOwn)) found.push(node.expression)
    const isInner = ts.isIterationStatement(node, false) || ts.isSwitchStatement(node)
    ts.forEachChild(node, (child) => visit(child, isOwn && !isInner))
  }
  visit(body, true)
  return found
}

/** A `break` in an inner loop does not leave the outer one. */
function leaves(statement: ts.Statement, isOwn: boolean): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement
  if (!last) return false
  return ts.isReturnStatement(last) || ts.isThrowStatement(last) || (isOwn && ts.isBreakStatement(last) && !last.label)
}
