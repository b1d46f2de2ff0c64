import { resolve } from 'node:path'
import { RootCommand } from '@bomb.sh/tab'
import { Argument, type Command } from 'commander'
import { shellWord } from '../../platform/core/shell-word.ts'
import { isOnPath } from '../command-line.ts'
import { withExamples } from '../options.ts'
import { print } from '../output/print.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

export function define(command: Command): void {
  const program = command.parent!.name()
  command.addArgument(new Argument('<shell>', 'Shell to print the script for').choices(SHELLS))
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
 * The library's bash script needs the bash-completion package and evaluates the typed line. This one treats the line
 * and the candidates as plain words.
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

const runs = (program: string): string => (isOnPath(program) ? program : shellWord(resolve(process.argv[1]!)))
