import type { Fault } from '../../kernel/refusals.ts'
import type { createBuyer } from '../buyers/index.ts'
import type { createInvoice } from '../invoices/index.ts'
import type { createItem } from '../items/index.ts'

type InputOf<Operation> = Operation extends { prepare: (context: never, input: infer Input) => unknown }
  ? Input
  : Operation extends { plan: (context: never, input: infer Input) => unknown }
    ? Input
    : never

/** Checks and decodes a request, as the API's form does whose field names the file uses. */
interface RequestReader<Input> {
  faultsOf(body: object): readonly Fault[]
  inputOf(body: object): Input
}

export interface ImportReaders {
  readonly buyers: RequestReader<InputOf<typeof createBuyer>>
  readonly items: RequestReader<InputOf<typeof createItem>>
  readonly invoices: RequestReader<InputOf<typeof createInvoice>>
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly importReaders: ImportReaders
  }
}
