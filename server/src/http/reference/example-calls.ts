import { exampleMeta, exampleOf, examplePagination } from '../openapi/example-values.ts'
import type { WholeOperation } from '../openapi/resolved.ts'
import { successSchemaOf } from './served-operations.ts'

export function exampleReply(operation: WholeOperation): unknown {
  const { meta, data } = successSchemaOf(operation)?.properties ?? {}
  const pagination = meta?.allOf ? { pagination: examplePagination } : {}
  const mode = operation.security === undefined ? {} : { mode: undefined }
  return { meta: { ...exampleMeta, ...mode, ...pagination }, data: data && exampleOf(data, '', true) }
}
