import { posix } from 'node:path'
import ts from 'typescript-5'
import { isStore } from './row-locks.ts'
import type { SourceFile } from './source-tree.ts'
import { nodesIn, parse, placeOf } from './syntax.ts'

/** A statement that a store sends, put together from its pieces. */
export interface SentStatement {
  /** function that sends the statement, such as `invoices.lockInvoice` */
  readonly name: string
  readonly place: string
  /** with `$` for each value, and `?` for a piece that the check cannot find; one text for each way through its conditions */
  readonly texts: readonly string[]
  /** the texts on a Citus cluster */
  readonly textsOnShards: readonly string[]
}

/** An expression, and what the parameters of the functions around it stand for. */
interface Meaning {
  readonly node: ts.Node
  readonly given: GivenMeanings
  /** the ways of conditions that lead to it, as `markOf` writes them */
  readonly marks?: string | undefined
}
/** What is passed for a parameter. `property` if a parameter is taken apart: `({ id }: Row)`. */
type GivenMeanings = ReadonlyMap<ts.Node, Meaning & { readonly property?: string | undefined }>
type FunctionNode = ts.ArrowFunction | ts.FunctionDeclaration | ts.FunctionExpression

const nothing: GivenMeanings = new Map()
const mostTexts = 64
const deepest = 40
const senders = new Set(['rows', 'one', 'maybe', 'run'])
const rowSets = new Set(['givenRows', 'jsonRows', 'rowOf'])

const isFunctionNode = (node: ts.Node): node is FunctionNode =>
  ts.isArrowFunction(node) || ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node)
const isSql = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql'

/** The expression without brackets and types. */
function bare(node: ts.Node): ts.Node {
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAwaitExpression(node)
  return isWrapped ? bare(node.expression) : node
}

/** What a function may return. */
function returnsOf(one: FunctionNode): ts.Node[] {
  if (!one.body) return []
  if (!ts.isBlock(one.body)) return [one.body]
  const found: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (isFunctionNode(node)) return
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(one.body, visit)
  return found
}

/** Notes in a text which way of a condition it went, so that no text goes both ways of one condition. */
const markOf = (condition: ts.ConditionalExpression, isTrue: boolean): string =>
  `\u00ab${condition.getSourceFile().fileName}:${condition.pos} ${isTrue}\u00bb`
const marks = /\u00ab(\S+) (\w+)\u00bb/g
const unmarked = (text: string): string => text.replaceAll(marks, '')

function goesOneWay(text: string): boolean {
  const ways = new Map<string, string>()
  return [...text.matchAll(marks)].every(([, condition = '', way = '']) => {
    const known = ways.get(condition) ?? way
    ways.set(condition, way)
    return known === way
  })
}

/** What a function without parameters returns, such as the second form of `orOnShards`. */
const bodyOf = (node: ts.Node): ts.Node => {
  const [only, another] = isFunctionNode(node) ? returnsOf(node) : []
  return only && !another ? only : node
}

/** Puts statements together from the pieces of all stores. */
export function statementsIn(tree: readonly SourceFile[], isInteresting: (text: string) => boolean): SentStatement[] {
  const isOfInterest = (text: string) => isInteresting(unmarked(text))
  const files = new Map(tree.map((source) => [source.path, source]))
  const stores = tree.filter(isStore)
  /** properties that contain pieces of SQL, such as `ListQuery.matching` */
  const sqlProperties = stores
    .flatMap((source) => nodesIn(parse(source)).filter(ts.isPropertySignature))
    .filter(({ type }) => /\bSql\b/.test(type?.getText() ?? ''))
    .map(({ name, parent }) => ({
      name: name.getText(),
      of: ts.isInterfaceDeclaration(parent) ? parent.name.text : undefined,
    }))

  // ---- Where a name is declared

  const topOf = (path: string) =>
    new Map(
      parse(files.get(path) as SourceFile).statements.flatMap((statement): [string, ts.Node][] =>
        ts.isFunctionDeclaration(statement) && statement.name
          ? [[statement.name.text, statement]]
          : ts.isVariableStatement(statement)
            ? statement.declarationList.declarations.map((one) => [one.name.getText(), one])
            : [],
      ),
    )
  const tops = new Map<string, ReadonlyMap<string, ts.Node>>()
  function topLevel(path: string, name: string): ts.Node | undefined {
    if (!files.has(path)) return undefined
    if (!tops.has(path)) tops.set(path, topOf(path))
    return tops.get(path)?.get(name) ?? imported(path, name)
  }

  function imported(path: string, name: string): ts.Node | undefined {
    for (const statement of parse(files.get(path) as SourceFile).statements) {
      if (!(ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) || !statement.moduleSpecifier)
        continue
      const named = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause
      if (!named || !(ts.isNamedImports(named) || ts.isNamedExports(named))) continue
      const elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] = [...named.elements]
      const one = elements.find((element) => element.name.text === name)
      const from = (statement.moduleSpecifier as ts.StringLiteral).text
      if (one && from.startsWith('.'))
        return topLevel(posix.join(posix.dirname(path), from), (one.propertyName ?? one.name).text)
    }
    return undefined
  }

  const bindingOf = (name: ts.BindingName, wanted: string): ts.Node | undefined =>
    ts.isIdentifier(name)
      ? name.text === wanted
        ? name.parent
        : undefined
      : name.elements.find((element) => ts.isBindingElement(element) && element.name.getText() === wanted)

  /** A variable, parameter, part of either, or function. */
  function declarationOf(use: ts.Identifier): ts.Node | undefined {
    for (let node: ts.Node = use.parent; node; node = node.parent) {
      if (isFunctionNode(node))
        for (const parameter of node.parameters) {
          const found = bindingOf(parameter.name, use.text)
          if (found) return found
        }
      if (!ts.isBlock(node)) continue
      for (const statement of node.statements) {
        if (ts.isFunctionDeclaration(statement) && statement.name?.text === use.text) return statement
        if (!ts.isVariableStatement(statement)) continue
        for (const { name } of statement.declarationList.declarations) {
          const found = bindingOf(name, use.text)
          if (found) return found
        }
      }
    }
    return topLevel(use.getSourceFile().fileName, use.text)
  }

  // ---- What an expression stands for

  const isUnknownSql = (parameter: ts.ParameterDeclaration) => /\bSql\b/.test(parameter.type?.getText() ?? '')

  /** Without a type, any interface counts. */
  function unknownProperty(whole: ts.Node, name: string): '$' | '?' {
    const one = bare(whole)
    const declaration = ts.isIdentifier(one) ? declarationOf(one) : one
    const type = declaration && ts.isParameter(declaration) ? declaration.type?.getText() : undefined
    const words = type?.match(/\w+/g)
    return sqlProperties.some((one) => one.name === name && (!words || !one.of || words.includes(one.of))) ? '?' : '$'
  }

  /** The expressions that a name may stand for, or `$` for a value and `?` for an unknown piece. */
  function meaningsOf(declaration: ts.Node | undefined, given: GivenMeanings): (Meaning | '$' | '?')[] {
    if (!declaration) return ['$']
    if (isFunctionNode(declaration)) return [{ node: declaration, given }]
    const passed = given.get(declaration)
    if (passed)
      return passed.property === undefined ? [passed] : propertiesOf(passed.node, passed.given, passed.property)
    if (ts.isParameter(declaration)) {
      const byDefault = declaration.initializer ? [{ node: declaration.initializer, given }] : []
      return [...byDefault, isUnknownSql(declaration) ? '?' : '$']
    }
    if (ts.isVariableDeclaration(declaration))
      return declaration.initializer ? [{ node: declaration.initializer, given }] : ['$']
    if (ts.isBindingElement(declaration)) {
      const whole = declaration.parent.parent
      if (declaration.dotDotDotToken && ts.isVariableDeclaration(whole) && whole.initializer)
        return [{ node: whole.initializer, given }]
      const name = (declaration.propertyName ?? declaration.name).getText()
      const found =
        ts.isVariableDeclaration(whole) && whole.initializer
          ? propertiesOf(whole.initializer, given, name)
          : [unknownProperty(whole, name)]
      return declaration.initializer ? [...found, { node: declaration.initializer, given }] : found
    }
    return ['$']
  }

  /** The object literals that an expression may be. */
  function literalsOf(node: ts.Node, given: GivenMeanings, depth = 0): Meaning[] {
    const one = bare(node)
    if (depth > 8) return []
    if (ts.isObjectLiteralExpression(one)) return [{ node: one, given }]
    if (ts.isConditionalExpression(one))
      return [one.whenTrue, one.whenFalse].flatMap((way) =>
        literalsOf(way, given, depth + 1).map((literal) => ({
          ...literal,
          marks: markOf(one, way === one.whenTrue) + (literal.marks ?? ''),
        })),
      )
    if (ts.isCallExpression(one)) return called(one, given).flatMap((way) => literalsOf(way.node, way.given, depth + 1))
    if (ts.isIdentifier(one))
      return meaningsOf(declarationOf(one), given).flatMap((way) =>
        typeof way === 'string' ? [] : literalsOf(way.node, way.given, depth + 1),
      )
    return []
  }

  function propertiesOf(node: ts.Node, given: GivenMeanings, name: string): (Meaning | '$' | '?')[] {
    const literals = literalsOf(node, given)
    if (literals.length === 0) return [unknownProperty(node, name)]
    return literals.flatMap((literal): (Meaning | '$' | '?')[] => {
      const all = (literal.node as ts.ObjectLiteralExpression).properties
      const one = all.find((property) => property.name?.getText() === name)
      if (one && ts.isPropertyAssignment(one)) return [{ ...literal, node: one.initializer }]
      if (one && ts.isShorthandPropertyAssignment(one)) return meaningsOf(declarationOf(one.name), literal.given)
      return all
        .filter(ts.isSpreadAssignment)
        .flatMap(({ expression }) => propertiesOf(expression, literal.given, name))
    })
  }

  /** What a call may return, if the function is ours. */
  function called(call: ts.CallExpression, given: GivenMeanings): Meaning[] {
    if (!ts.isIdentifier(call.expression)) return []
    const name = call.expression
    return meaningsOf(declarationOf(name), given).flatMap((way) => {
      if (typeof way === 'string') return []
      const one = bare(way.node)
      if (!isFunctionNode(one)) return []
      const inside = new Map([...way.given, ...argumentsOf(one, call.arguments, given)])
      return returnsOf(one).map((node) => ({ node, given: inside }))
    })
  }

  function argumentsOf(one: FunctionNode, passed: readonly ts.Node[], given: GivenMeanings): GivenMeanings {
    const known = new Map<ts.Node, Meaning & { property?: string }>()
    one.parameters.forEach((parameter, at) => {
      const node = passed[at] ?? parameter.initializer
      if (!node) return
      known.set(parameter, { node, given })
      if (ts.isObjectBindingPattern(parameter.name))
        for (const element of parameter.name.elements)
          known.set(element, { node, given, property: (element.propertyName ?? element.name).getText() })
    })
    return known
  }

  // ---- The texts of an expression

  /** which of two forms the texts are of, and whether a second form was met */
  let isOnShards = false
  let hasTwoForms = false

  /** Ways that name neither an organisation nor a table are alike for the check. */
  function distinct(texts: readonly string[]): string[] {
    const possible = texts.filter(goesOneWay)
    if (!possible.some(isOfInterest)) return possible.slice(0, 1).map(unmarked)
    const found = new Map<string, string>()
    for (const text of possible) {
      const ways = (text.match(marks) ?? []).toSorted().join('')
      found.set(isOfInterest(text) ? text : ways, text)
    }
    return [...found.values()]
  }

  /** Every combination, or every way at least once if there are too many combinations. */
  const inSequence = (pieces: readonly (readonly string[])[]): string[] =>
    pieces.reduce<string[]>(
      (before, ways) => {
        const all = distinct(before.flatMap((text) => ways.map((way) => text + way)))
        if (all.length <= mostTexts) return all
        const longer = before.length > ways.length ? before : ways
        return longer.map((_, at) => `${before[at % before.length]}${ways[at % ways.length]}`)
      },
      [''],
    )

  function textsOf(node: ts.Node, given: GivenMeanings, depth: number): string[] {
    const one = bare(node)
    const inner = (next: ts.Node, within = given) => textsOf(next, within, depth + 1)
    const all = (ways: readonly (Meaning | '$' | '?')[]) =>
      distinct(
        (ways.length === 0 ? (['$'] as const) : ways).flatMap((way) =>
          typeof way === 'string' ? [way] : inner(way.node, way.given).map((text) => (way.marks ?? '') + text),
        ),
      )
    if (depth > deepest) return ['?']
    if (isSql(one)) {
      const { template } = one
      if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text]
      const spans = template.templateSpans.flatMap((span) => [inner(span.expression), [span.literal.text]])
      return inSequence([[template.head.text], ...spans])
    }
    if (ts.isConditionalExpression(one))
      return distinct(
        [one.whenTrue, one.whenFalse].flatMap((way) =>
          inner(way).map((text) => markOf(one, way === one.whenTrue) + text),
        ),
      )
    if (ts.isBinaryExpression(one) && one.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
      return distinct([...inner(one.left), ...inner(one.right)])
    if (ts.isIdentifier(one)) return all(meaningsOf(declarationOf(one), given))
    if (ts.isPropertyAccessExpression(one)) return all(propertiesOf(one.expression, given, one.name.text))
    if (ts.isCallExpression(one)) return textsOfCall(one, given, depth)
    return ['$']
  }

  function textsOfCall(call: ts.CallExpression, given: GivenMeanings, depth: number): string[] {
    const name = call.expression.getText()
    const [first, second] = call.arguments
    const inner = (node: ts.Node) => textsOf(node, given, depth + 1)
    if (name === 'orOnShards' && first && second) {
      hasTwoForms = true
      return inner(isOnShards ? bodyOf(second) : first)
    }
    if (name === 'plannedAnew' && first) return inner(first)
    if ((name === 'prepared' || name === 'onOneShard') && second) return inner(second)
    if (name === 'identifier' && first) return [wordIn(first, given)]
    if (name === 'joined' && first) return textsOfList(first, second?.getText().slice(1, -1) ?? ',', given, depth)
    if (rowSets.has(name)) return ['unnest($)']
    const ways = called(call, given)
    const isUnknown =
      ts.isIdentifier(call.expression) && meaningsOf(declarationOf(call.expression), given).includes('?')
    return ways.length === 0
      ? [isUnknown ? '?' : '$']
      : distinct(ways.flatMap((way) => textsOf(way.node, way.given, depth + 1)))
  }

  /** The text of `'l.id'` or `${alias}.id`; `unknown` if it is made in another way. */
  function wordIn(node: ts.Node, given: GivenMeanings): string {
    const one = bare(node)
    if (ts.isStringLiteral(one)) return one.text
    if (ts.isTemplateExpression(one))
      return one.templateSpans.reduce(
        (text, span) => text + wordIn(span.expression, given) + span.literal.text,
        one.head.text,
      )
    const [meaning] = ts.isIdentifier(one) ? meaningsOf(declarationOf(one), given) : []
    return meaning && typeof meaning !== 'string' ? wordIn(meaning.node, meaning.given) : 'unknown'
  }

  /** A piece that is not always there. As a query of its own, it ties no table outside. */
  const maybe = (text: string) => `(select where ${text})`

  function textsOfList(list: ts.Node, separator: string, given: GivenMeanings, depth: number): string[] {
    const one = bare(list)
    const all = (texts: readonly (readonly string[])[]) =>
      inSequence(texts.flatMap((ways, at) => (at === 0 ? [ways] : [[separator], ways])))
    if (ts.isArrayLiteralExpression(one))
      return all(
        one.elements.map((element) =>
          ts.isSpreadElement(element)
            ? textsOfList(element.expression, separator, given, depth + 1)
            : textsOf(element, given, depth + 1),
        ),
      )
    if (ts.isConditionalExpression(one))
      return distinct([one.whenTrue, one.whenFalse].flatMap((way) => textsOfList(way, separator, given, depth + 1)))
    if (ts.isCallExpression(one) && ts.isPropertyAccessExpression(one.expression)) {
      const [made] = one.arguments
      if (made && isFunctionNode(made)) return all(returnsOf(made).map((node) => textsOf(node, given, depth + 1)))
    }
    if (ts.isIdentifier(one)) {
      const declaration = declarationOf(one)
      const pushed = declaration ? pushedTo(declaration).map((node) => textsOf(node, given, depth + 1).map(maybe)) : []
      const ways = meaningsOf(declaration, given).map((way) =>
        typeof way === 'string' ? [way] : textsOfList(way.node, separator, way.given, depth + 1),
      )
      return all([distinct(ways.flat()), ...pushed])
    }
    if (ts.isCallExpression(one))
      return distinct(called(one, given).flatMap((way) => textsOfList(way.node, separator, way.given, depth + 1)))
    return ['?']
  }

  function pushedTo(declaration: ts.Node): ts.Node[] {
    if (!ts.isVariableDeclaration(declaration)) return []
    const block = declaration.parent.parent.parent
    const push = `${declaration.name.getText()}.push`
    return nodesIn(block)
      .filter(ts.isCallExpression)
      .filter(({ expression }) => expression.getText() === push)
      .flatMap((call) => [...call.arguments])
  }

  // ---- The statements

  /** The function at the top of its file that contains a node, and its name. */
  function around(node: ts.Node): { readonly name: string; readonly one: FunctionNode | undefined } {
    let top = node
    while (!ts.isSourceFile(top.parent)) top = top.parent
    if (ts.isFunctionDeclaration(top)) return { name: top.name?.text ?? '', one: top }
    const [declared] = ts.isVariableStatement(top) ? top.declarationList.declarations : []
    const value = declared?.initializer && bare(declared.initializer)
    return { name: declared?.name.getText() ?? '', one: value && isFunctionNode(value) ? value : undefined }
  }

  const calls = stores.flatMap((source) =>
    nodesIn(parse(source))
      .filter(ts.isCallExpression)
      .map((call) => ({ source, call })),
  )
  function bothForms(node: ts.Node, given: GivenMeanings): Pick<SentStatement, 'texts' | 'textsOnShards'> {
    isOnShards = false
    hasTwoForms = false
    const texts = textsOf(node, given, 0)
    isOnShards = true
    return { texts, textsOnShards: hasTwoForms ? textsOf(node, given, 0) : texts }
  }

  const callsByName = Map.groupBy(calls, ({ call }) => call.expression.getText())

  /** A function may send pieces that its callers give. Then there is one statement for each caller. */
  function sent(source: SourceFile, node: ts.Node, from: ts.Node, given: GivenMeanings, depth = 0): SentStatement[] {
    const { texts, textsOnShards } = bothForms(node, given)
    const { name, one } = around(from)
    const callers = texts.some((text) => text.includes('?')) && depth < 3 && one ? (callsByName.get(name) ?? []) : []
    const found = callers
      .filter(({ call }) => isCallOf(call, one as FunctionNode))
      .flatMap(({ source: caller, call }) =>
        sent(
          caller,
          node,
          call,
          new Map([...given, ...argumentsOf(one as FunctionNode, call.arguments, nothing)]),
          depth + 1,
        ),
      )
    if (found.length > 0) return found
    return [
      {
        name: `${source.path.split('/')[3]}.${name}`,
        place: placeOf(source, from),
        texts: texts.map(unmarked),
        textsOnShards: textsOnShards.map(unmarked),
      },
    ]
  }

  function isCallOf(call: ts.CallExpression, one: FunctionNode): boolean {
    if (!ts.isIdentifier(call.expression)) return false
    const declared = declarationOf(call.expression)
    return (
      declared === one || (declared !== undefined && ts.isVariableDeclaration(declared) && declared.initializer === one)
    )
  }

  return calls.flatMap(({ source, call }) => {
    const [statement] = call.arguments
    const isSender = ts.isPropertyAccessExpression(call.expression) && senders.has(call.expression.name.text)
    return isSender && statement ? sent(source, statement, call, nothing) : []
  })
}
