import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)
const usualCost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const hardlyAny = { ...usualCost, memory: 64, passes: 1 }
let cost = usualCost

/** For tests that do not concern passwords. A stored hash keeps its own cost. */
export const hashCheaply = (isOn: boolean): void => {
  cost = isOn ? hardlyAny : usualCost
}

/** Each hash occupies a core. Two at a time leave room for the rest of the server. */
const atOnce = 2
let running = 0
const waiting: (() => void)[] = []

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= atOnce) await new Promise<void>((go) => waiting.push(go))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** A composed character and its parts count as the same password. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'))

/** The usual text form of argon2id, which records the cost. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await inTurn(() => derive('argon2id', { ...cost, message: bytesOf(password), nonce }))
  return textOf(nonce, tag)
}

function textOf(nonce: Buffer, tag: Buffer): string {
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(nonce)}$${plain(tag)}`
}

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, tag] = form.exec(stored) ?? []
  if (!nonce || !tag) throw new Error('a stored password hash has an unknown form')
  const wanted = Buffer.from(tag, 'base64')
  const given = await inTurn(() =>
    derive('argon2id', {
      message: bytesOf(password),
      nonce: Buffer.from(nonce, 'base64'),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: wanted.length,
    }),
  )
  return timingSafeEqual(given, wanted)
}

/** A hash that no password matches. Checking it makes an unknown account cost as much as a known one. */
export const nobodysHash = (): string => textOf(Buffer.alloc(16), Buffer.alloc(cost.tagLength))
