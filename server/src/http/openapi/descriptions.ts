import type { JsonSchema } from './document.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.')

/** A description, followed by the rule that `explanation` states as a validation message. */
export function describedBy(description: unknown, explanation: unknown): string {
  if (!isText(explanation)) return isText(description) ? description : ''
  if (!isText(description)) return sentence(explanation)
  return `${description} ${sentence(explanation)}`
}

/** The explanation of a schema. A schema that also allows null has the explanation of the other choice. */
export function explanationOf({ explanation, anyOf }: JsonSchema): unknown {
  const [first, second] = anyOf ?? []
  return explanation ?? (second?.type === 'null' ? first?.explanation : undefined)
}
