import type { Mode } from '../../kernel/tenant.ts'
import { Tail } from './compressed.ts'

/** What every reply says beside its data. */
export interface Meta {
  readonly requestId: string
  readonly timestamp: string
  readonly mode?: Mode
}

/** Data as JSON text, for replies that are sent many times. */
export class JsonText {
  readonly text: string
  #tail: Tail | undefined

  constructor(value: unknown, text = JSON.stringify(value)) {
    this.text = text
  }

  /** A text that is JSON, as it is. */
  static of(text: string): JsonText {
    return new JsonText(undefined, text)
  }

  /** The whole reply compressed; the data is compressed only the first time. */
  gzipped(meta: Meta): Buffer {
    this.#tail ??= new Tail(`${this.text}}`)
    return this.#tail.gzipAfter(`{"meta":${JSON.stringify(meta)},"data":`)
  }
}
