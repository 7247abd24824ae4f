import type { ImportReaders } from '../../modules/imports/index.ts'
import type { Route } from '../definitions/describe-route.ts'
import { strictCheck } from '../request/validate.ts'
import { items } from '../shared/items.ts'
import { buyers } from './buyers.ts'
import { invoices } from './invoices.ts'

/** Rows of a file are validated and decoded like the request that would create the same object. */
function readerOf<Input>({ body, checkBody, decode }: Route) {
  if (!body) throw new Error('a request without a body makes nothing')
  const check = strictCheck(body)
  return {
    faultsOf: (sent: object) => [...check(sent), ...(checkBody?.(sent) ?? [])],
    // The route's own types: its decoder returns the input of its operation.
    inputOf: (sent: object) =>
      decode({ body: sent, params: {}, query: {}, caller: undefined, expectedVersion: undefined }) as Input,
  }
}

type InputOf<Kind extends keyof ImportReaders> = ReturnType<ImportReaders[Kind]['inputOf']>

export const importReaders: ImportReaders = {
  buyers: readerOf<InputOf<'buyers'>>(buyers.create.route),
  items: readerOf<InputOf<'items'>>(items.create.route),
  invoices: readerOf<InputOf<'invoices'>>(invoices.create.route),
}
