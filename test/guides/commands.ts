import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'

const block = /^```sh\n([\s\S]*?)^```$/gm
/** Commands for a terminal of their own: the service itself, or another project. */
const isElsewhere = (commands: string): boolean => /^(npm|PORT=\d+ npm|NODE_ENV=)/m.test(commands)
/** The guides define it. Here the definition below counts, which also looks for errors. */
const ownJson = /^json\(\) \{.*\}$/gm

/**
 * The commands of a page, in their order. A reply must not be an error, unless its command reads `.error` from it or
 * has a comment such as `# replies 400`.
 */
export const commandsIn = (page: string): string =>
  [...page.matchAll(block)]
    .map(([, commands]) => commands as string)
    .filter((commands) => !isElsewhere(commands))
    .join('\n')
    .replace(ownJson, '')
    .replace(/\bcurl\b(?=(?:.*\\\n)*.*# replies (4\d\d))/g, 'REPLIES=$1 curl')

/**
 * Prints a part of a JSON text, like the function `json` of the guides. One server for all commands: starting Node for
 * each of them took most of the time.
 */
async function startReader(untilIdle: UntilIdle) {
  const server = createServer(async (request, response) => {
    const [, seconds] = /^\/idle\/(\d+)$/.exec(request.url ?? '') ?? []
    if (seconds !== undefined) {
      await untilIdle(Number(seconds) * 2_000)
      response.end()
      return
    }
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    try {
      const value = JSON.parse(Buffer.concat(parts).toString())
      const found = runInNewContext(`value${request.headers.expression}`, { value })
      response.end(`${typeof found === 'string' ? found : inspect(found)}\n`)
    } catch (error) {
      response.writeHead(422).end(`${error}\n`)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** Every error reply is a file in `FAILED`, until a command has read it as an error. */
const prelude = String.raw`
set -eu
curl() {
  local failed
  failed=$(mktemp "$FAILED/XXXXXX")
  if command curl --max-time 60 --fail-with-body "$@" > "$failed.reply"; then rm "$failed"
  elif [ -n "$REPLIES" ]; then rm "$failed"
  else printf 'curl %s\n%s\n' "$*" "$(cat "$failed.reply")" > "$failed"
  fi
  # Deleted before it is printed: a reader such as "head" ends this function early.
  exec 9< "$failed.reply"
  rm "$failed.reply"
  cat <&9
}
json() {
  local read
  read=$(cat)
  case $1 in .error*) rm -f "$(ls -td "$FAILED"/* | head -1)" ;; esac
  printf %s "$read" | command curl -s --fail-with-body --data-binary @- -H "Expression: $1" "$READER"
}
# As long as the guide says, and up to three times as long while the service is busy.
sleep() { command sleep "$1"; command curl -s "$READER/idle/$1"; }
REPLIES=
`

export interface GuideResult {
  readonly code: number | null
  readonly output: string
  /** the commands that got an unexpected error, with the reply */
  readonly refused: readonly string[]
}

/** Waits until the service has done its background work, but no longer than this. */
export type UntilIdle = (mostMs: number) => Promise<void>

/** Runs commands in a folder that looks like the checkout: `.risiti` is the data folder of the running service. */
export async function runCommands(
  commands: string,
  { dataDir, checkout, untilIdle }: { dataDir: string; checkout: string; untilIdle: UntilIdle },
): Promise<GuideResult> {
  const folder = await mkdtemp(join(tmpdir(), 'risiti-guide-'))
  const failed = join(folder, 'failed')
  const reader = await startReader(untilIdle)
  try {
    await mkdir(failed)
    await symlink(dataDir, join(folder, '.risiti'))
    for (const name of ['node_modules', 'package.json', 'cli']) await symlink(join(checkout, name), join(folder, name))
    const bash = spawn('bash', ['-c', `${prelude}\n${commands}`], {
      cwd: folder,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        HOME: folder,
        FAILED: failed,
        READER: reader.url,
      },
    })
    let output = ''
    for (const stream of [bash.stdout, bash.stderr])
      stream.on('data', (part) => {
        output += part
      })
    const code = await new Promise<number | null>((resolve, reject) => bash.on('error', reject).on('close', resolve))
    const refused = await Promise.all((await readdir(failed)).map((name) => readFile(join(failed, name), 'utf8')))
    return { code, output, refused }
  } finally {
    reader.close()
    await rm(folder, { recursive: true, force: true })
  }
}
