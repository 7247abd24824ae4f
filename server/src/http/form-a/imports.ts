import Type from 'typebox'
import type { Fault } from '../../kernel/refusals.ts'
import {
  type Import,
  type ImportId,
  type ImportReport,
  importKinds,
  importStatuses,
} from '../../modules/imports/index.ts'
import { importEndpoints as endpoints } from '../endpoints/imports.ts'
import { Fields, Instant, List, Maybe, Named, OneOf, PageQuery, pageFrom, Text, Uuid } from '../fields.ts'
import { speak } from '../speak.ts'

const mebibyte = 1024 * 1024
/** of a file, in characters as it is sent: a workbook of three mebibytes, in Base64 */
const mostContent = 4 * mebibyte

const Count = Type.Integer({ minimum: 0 })
const MatchedColumn = Named('ImportColumn', { column: Type.String(), field: Maybe(Type.String()) })

const view = {
  id: Uuid,
  kind: OneOf(...importKinds),
  fileName: Type.String(),
  status: OneOf(...importStatuses),
  columns: List(MatchedColumn),
  counts: Named('ImportCounts', {
    unchecked: Count,
    ready: Count,
    faulty: Count,
    made: Count,
    undone: Count,
    kept: Count,
  }),
  createdAt: Instant,
  updatedAt: Instant,
}
const ImportView = Named('Import', view)
const ReportView = Named('ImportReport', {
  ...view,
  faults: List(Named('ImportFault', { row: Type.Integer(), column: Maybe(Type.String()), message: Type.String() })),
})

const toView = ({ id, kind, fileName, status, columns, counts, createdAt, updatedAt }: Import) => ({
  id,
  kind,
  fileName,
  status,
  columns: columns.map(({ column, field }) => ({ column, field })),
  counts: { ...counts },
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

const toReport = (report: ImportReport) => ({
  ...toView(report),
  faults: report.faults.map(({ row, column, message }) => ({ row, column, message })),
})

const ById = Fields({ id: Uuid })
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as ImportId })
const begun = { status: 202, params: ById, reply: ImportView, encode: toView, decode: idOf } as const

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** What no schema says: a workbook is sent in Base64. */
function checkContent(body: unknown): Fault[] {
  const { format, content } = (body ?? {}) as { format?: unknown; content?: unknown }
  if (format !== 'xlsx' || typeof content !== 'string' || content.length > mostContent) return []
  const isWhole = content.length % 4 === 0 && base64.test(content)
  return isWhole ? [] : [{ path: 'content', rule: 'base64', message: 'must be the bytes of the workbook in Base64' }]
}

export const imports = {
  list: speak(endpoints.list, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(ImportView),
    decode: ({ query }) => pageFrom(query),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  start: speak(endpoints.start, {
    status: 202,
    bodyLimit: mostContent + mebibyte,
    body: Named('NewImport', {
      kind: OneOf(...importKinds),
      fileName: Text(1, 255),
      format: OneOf('csv', 'xlsx'),
      // A whole file: line breaks stand between its rows, and what its cells may hold is said of each field.
      content: Type.String({ minLength: 1, maxLength: mostContent, format: 'file' }),
      columns: Type.Optional(
        Type.Array(Named('NewImportColumn', { column: Text(0, 500), field: Maybe(Text(1, 50)) }), {
          minItems: 1,
          maxItems: 100,
        }),
      ),
    }),
    checkBody: checkContent,
    reply: ImportView,
    decode: ({ body }) => ({
      ...body,
      columns: body.columns,
      content: body.format === 'csv' ? body.content : Buffer.from(body.content, 'base64'),
    }),
    encode: toView,
    location: ({ id }) => `/i/v1/imports/${id}`,
  }),
  getSetup: speak(endpoints.getSetup, {
    status: 200,
    reply: List(
      Named('ImportKind', {
        kind: OneOf(...importKinds),
        fields: List(
          Named('ImportField', {
            field: Type.String(),
            label: Type.String(),
            needed: Type.Boolean(),
            ofLine: Type.Boolean(),
          }),
        ),
      }),
    ),
    decode: () => undefined,
    encode: (kinds) =>
      kinds.map(({ kind, fields }) => ({
        kind,
        fields: fields.map(({ field, label, isNeeded, isOfLine }) => ({
          field,
          label,
          needed: isNeeded,
          ofLine: isOfLine,
        })),
      })),
  }),
  get: speak(endpoints.get, { status: 200, params: ById, reply: ReportView, encode: toReport, decode: idOf }),
  run: speak(endpoints.run, begun),
  undo: speak(endpoints.undo, begun),
}
