// `svc completion` and `agent completion`: what a shell runs to complete the command.
import { resolve } from 'node:path'
import { RootCommand } from '@bomb.sh/tab'
import { Argument, type Command } from 'commander'
import { isOnPath, quoted } from '../command-line.ts'
import { withExamples } from '../options.ts'
import { print } from '../output/print.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

export function define(command: Command): void {
  const program = command.parent!.name()
  command.addArgument(new Argument('<shell>', 'whose words it is written in').choices(SHELLS))
  withExamples(
    command,
    `source <(${program} completion bash)   # in ~/.bashrc`,
    `source <(${program} completion zsh)   # in ~/.zshrc, after compinit`,
    `${program} completion fish > ~/.config/fish/completions/${program}.fish`,
  ).action((shell: string) => {
    if (shell === 'bash') print(bashScript(program, runs(program)))
    else new RootCommand().setup(program, runs(program), shell)
  })
}

/**
 * The library's leans on a package that not every bash has, and evaluates the line that is being typed. Here what was
 * typed and what is offered are words, and nothing of them is run.
 */
const bashScript = (program: string, command: string): string => `# bash completion for ${program}
_${program}_complete() {
  local current="\${COMP_WORDS[COMP_CWORD]}" value about
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    if [[ $value != :* && $value == "$current"* ]]; then COMPREPLY+=("$value"); fi
  done < <(${command} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _${program}_complete ${program}`

/** Its name where the shell finds it by that, else where it stands. */
const runs = (program: string): string => (isOnPath(program) ? program : quoted(resolve(process.argv[1]!)))
