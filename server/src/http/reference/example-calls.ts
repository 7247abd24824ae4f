import type { WholeOperation } from '../openapi/resolved.ts'

/** The document's own example of an operation's reply. */
export function exampleReply(operation: WholeOperation): unknown {
  const [, response] = Object.entries(operation.responses).find(([status]) => status < '300') ?? []
  const { example, examples } = response?.content?.['application/json'] ?? {}
  return example ?? (examples && 'value' in examples.shared ? examples.shared.value : undefined)
}
