import Type from 'typebox'
import type { Fault } from '../../kernel/refusals.ts'
import {
  type Import,
  type ImportId,
  type ImportReport,
  importKinds,
  importStatuses,
} from '../../modules/imports/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  PageQuery,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { importRoutes as routes } from '../routes/imports.ts'

const mebibyte = 1024 * 1024
/** The maximum length of `content` in characters. A workbook of three mebibytes has this length in Base64. */
const mostContent = 4 * mebibyte

const Count = Type.Integer({ minimum: 0 })
const MatchedColumn = Named('ImportColumn', {
  column: means('The name of the column, from the first row of the file.', Type.String()),
  field: means('The field that the column fills. Null if the column is ignored.', Maybe(Type.String())),
})

const view = {
  id: means('Unique identifier of the import (UUIDv7).', Uuid),
  kind: means('What the file contains: `buyers`, `items` or `invoices`.', OneOf(...importKinds)),
  fileName: means('The name of the file, as the sender gave it.', Type.String()),
  status: means(
    '`checking`: the rows are being checked. `checked`: ready to run. `running`: records are being created. `done`: finished. `undoing`: records are being taken back. `undone`: taken back. `stopped`: credits ran out, the permission is missing, or it kept failing; it can be continued.',
    OneOf(...importStatuses),
  ),
  columns: means('The columns of the file and the fields that they fill.', List(MatchedColumn)),
  counts: means(
    'The number of records of the file in each state.',
    Named('ImportCounts', {
      unchecked: means('Records that are not checked yet.', Count),
      ready: means('Records without faults that `run` will create.', Count),
      faulty: means('Records with faults. `run` leaves them out.', Count),
      made: means('Records that the import has created.', Count),
      undone: means('Created records that were taken back.', Count),
      kept: means('Created records that were not taken back because they are in use.', Count),
    }),
  ),
  createdAt: means('When the file was sent.', Instant),
  updatedAt: means('When the import last changed.', Instant),
}
const ImportView = Named('Import', view)
const ReportView = Named('ImportReport', {
  ...view,
  faults: means(
    'The faults of the file in the order of its rows, at most 1,000.',
    List(
      Named('ImportFault', {
        row: means('The row of the file, counted from 1 with the header.', Type.Integer()),
        column: means('The name of the column. Null if the fault is about the whole row.', Maybe(Type.String())),
        message: means('What is wrong and what would be right, in English.', Type.String()),
      }),
    ),
  ),
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

const ById = Fields({ id: means('The id of the import (UUIDv7).', Uuid) })
const idOf = ({ params }: { params: { id: string } }) => ({ id: params.id as ImportId })
const begun = { status: 202, params: ById, reply: ImportView, encode: toView, decode: idOf } as const

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** A rule that a schema cannot express: a workbook is sent in Base64. */
function checkContent(body: unknown): Fault[] {
  const { format, content } = (body ?? {}) as { format?: unknown; content?: unknown }
  if (format !== 'xlsx' || typeof content !== 'string' || content.length > mostContent) return []
  const isWhole = content.length % 4 === 0 && base64.test(content)
  return isWhole ? [] : [{ path: 'content', rule: 'base64', message: 'must be the bytes of the workbook in Base64' }]
}

export const imports = {
  list: describeRoute(routes.list, {
    status: 200,
    query: Fields(PageQuery()),
    reply: List(ImportView),
    decode: ({ query }) => pageFrom(query),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  start: describeRoute(routes.start, {
    status: 202,
    bodyLimit: mostContent + mebibyte,
    body: Named('NewImport', {
      kind: means('What the file contains: `buyers`, `items` or `invoices`.', OneOf(...importKinds)),
      fileName: means('The name of the file, shown to people later.', Text(1, 255)),
      format: means('`csv`: comma-separated values. `xlsx`: an Excel workbook.', OneOf('csv', 'xlsx')),
      // A whole file has line breaks between its rows. Each field checks the text of its own cells.
      content: Type.String({
        minLength: 1,
        maxLength: mostContent,
        format: 'file',
        description: 'The text of a CSV file, or the bytes of a workbook in Base64. Its first row names the columns.',
      }),
      columns: Type.Optional(
        Type.Array(
          Named('NewImportColumn', {
            column: means('The name of the column, from the first row of the file.', Text(0, 500)),
            field: means('The field that the column fills. Null ignores the column.', Maybe(Text(1, 50))),
          }),
          {
            minItems: 1,
            maxItems: 100,
            description: 'The field that each column fills. If left out, columns are matched by their names.',
          },
        ),
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
  getSetup: describeRoute(routes.getSetup, {
    status: 200,
    reply: List(
      Named('ImportKind', {
        kind: means('What such a file contains: `buyers`, `items` or `invoices`.', OneOf(...importKinds)),
        fields: means(
          'The fields that columns of such a file can fill.',
          List(
            Named('ImportField', {
              field: means('The name of the field, as `columns` of a new import takes it.', Type.String()),
              label: means('The name of the field for people, in English.', Type.String()),
              needed: means('Whether a file without this field is refused.', Type.Boolean()),
              ofLine: means('Whether the field belongs to an invoice line. Each row is one line.', Type.Boolean()),
            }),
          ),
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
  get: describeRoute(routes.get, { status: 200, params: ById, reply: ReportView, encode: toReport, decode: idOf }),
  run: describeRoute(routes.run, begun),
  undo: describeRoute(routes.undo, begun),
}
