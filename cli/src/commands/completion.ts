import type { Command } from 'commander'
import { usage } from '../failures.ts'
import type { Io } from '../io.ts'
import { resourceCommands } from '../resources.ts'

const own: Readonly<Record<string, readonly string[]>> = {
  login: [],
  logout: [],
  whoami: [],
  profiles: [],
  listen: [],
  trigger: [],
  events: ['list', 'show', 'resend', 'tail'],
  logs: ['tail', 'show'],
  import: [],
  export: [],
  api: [],
  mcp: [],
  doctor: [],
  open: [],
  completion: ['bash', 'zsh', 'fish'],
}

/** Commands by their first word. */
function words(): ReadonlyMap<string, readonly string[]> {
  const groups = [...resourceCommands()].map(([name, commands]): [string, readonly string[]] => [
    name,
    [...commands.keys(), ...(name === 'invoices' ? ['pdf', 'wait'] : [])],
  ])
  return new Map([...Object.entries(own), ...groups])
}

const scripts: Readonly<Record<string, (all: ReadonlyMap<string, readonly string[]>) => string>> = {
  bash: (all) => `_risiti() {
  local words
  case "$COMP_CWORD" in
    1) words="${[...all.keys()].join(' ')}" ;;
    2) case "\${COMP_WORDS[1]}" in
${[...all]
  .filter(([, inner]) => inner.length > 0)
  .map(([name, inner]) => `      ${name}) words="${inner.join(' ')}" ;;`)
  .join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _risiti risiti
`,
  zsh: (all) => `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${scripts.bash?.(all)}`,
  fish: (all) =>
    [
      `complete -c risiti -f -n __fish_use_subcommand -a '${[...all.keys()].join(' ')}'`,
      ...[...all]
        .filter(([, inner]) => inner.length > 0)
        .map(
          ([name, inner]) => `complete -c risiti -f -n '__fish_seen_subcommand_from ${name}' -a '${inner.join(' ')}'`,
        ),
      '',
    ].join('\n'),
}

export function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .description('Print the completion for your shell: source <(risiti completion bash)')
    .argument('<shell>', Object.keys(scripts).join(', '))
    .action((shell: string) => {
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
      if (!script) throw usage(`The shell must be one of ${Object.keys(scripts).join(', ')}.`)
      io.out(script(words()))
    })
}
