import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'

type Records = Readonly<Record<string, { readonly a?: readonly string[]; readonly aaaa?: readonly number[][] }>>

/** A name server with a few names. It answers "does not exist" for others, and never answers for some. */
export class NameServer implements AsyncDisposable {
  readonly asked: string[] = []
  readonly #records: Records
  readonly #silent: readonly string[]
  readonly #socket = createSocket('udp4')

  constructor(records: Records, silent: readonly string[] = []) {
    this.#records = records
    this.#silent = silent
    this.#socket.on('message', (question, from) => this.#answer(question, from))
  }

  async start(): Promise<this> {
    this.#socket.bind(0, '127.0.0.1')
    await once(this.#socket, 'listening')
    return this
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }

  #answer(question: Buffer, { port, address }: RemoteInfo): void {
    const labels: string[] = []
    let at = 12
    for (let length = question[at++] as number; length > 0; length = question[at++] as number) {
      labels.push(question.toString('latin1', at, at + length))
      at += length
    }
    const name = labels.join('.').toLowerCase()
    const type = question.readUInt16BE(at)
    this.asked.push(`${name} ${type === 1 ? 'A' : type === 28 ? 'AAAA' : type}`)
    if (this.#silent.includes(name)) return
    const known = this.#records[name]
    const found: Buffer[] =
      type === 1
        ? (known?.a ?? []).map((text) => Buffer.from(text.split('.').map(Number)))
        : type === 28
          ? (known?.aaaa ?? []).map((groups) => Buffer.from(groups.flatMap((group) => [group >> 8, group & 255])))
          : []
    const head = Buffer.alloc(12)
    question.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | (known ? 0 : 3), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(found.length, 6)
    const records = found.map((data) => {
      const record = Buffer.alloc(12)
      record.writeUInt16BE(0xc00c, 0)
      record.writeUInt16BE(type, 2)
      record.writeUInt16BE(1, 4)
      record.writeUInt16BE(data.length, 10)
      return Buffer.concat([record, data])
    })
    this.#socket.send(Buffer.concat([head, question.subarray(12, at + 4), ...records]), port, address)
  }
}
