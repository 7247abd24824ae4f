import type { DocumentedOperation, Parameter, Reference } from './document.ts'

type Paths = Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>

/** Parameters that several operations share are written once and referred to. */
export function withSharedParameters(paths: Paths): { paths: Paths; parameters: Record<string, Parameter> } {
  const uses = new Map<string, number>()
  const each = (visit: (parameter: Parameter) => Parameter | Reference): Paths =>
    Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        path,
        Object.fromEntries(
          Object.entries(item).map(([verb, operation]) => [
            verb,
            {
              ...operation,
              parameters: operation.parameters.map((one) => ('$ref' in one ? one : visit(one))),
            },
          ]),
        ),
      ]),
    )
  each((parameter) => {
    const text = JSON.stringify(parameter)
    uses.set(text, (uses.get(text) ?? 0) + 1)
    return parameter
  })
  const named = new Map<string, string>()
  const parameters: Record<string, Parameter> = {}
  for (const [text, count] of uses) {
    if (count < 2) continue
    const parameter = JSON.parse(text) as Parameter
    const namesakes = Object.values(parameters).filter((other) => other.name === parameter.name).length
    const name = namesakes === 0 ? parameter.name : `${parameter.name}${namesakes + 1}`
    parameters[name] = parameter
    named.set(text, name)
  }
  const shared = each((parameter) => {
    const name = named.get(JSON.stringify(parameter))
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
  })
  return { paths: shared, parameters }
}
