// A script that is but a chain of simple commands.
import type { Command, Statement } from 'unbash'
import type { ShellScript, SimpleCommand } from './simple-command.ts'

/** Simple commands between `;`, `&`, `&&`, `||`, `|`: null as soon as there is anything else. */
export function chainOf(
  statements: readonly Statement[],
  commands: ReadonlyMap<Command, SimpleCommand>,
): ShellScript['chain'] {
  const chain: (SimpleCommand | string)[] = []
  for (const { command, background } of statements) {
    const pipelines = command.type === 'AndOr' ? command.commands : [command]
    for (const [index, pipeline] of pipelines.entries()) {
      if (index > 0 && command.type === 'AndOr') chain.push(command.operators[index - 1] ?? '&&')
      const parts = pipeline.type === 'Pipeline' ? pipeline.commands : [pipeline]
      for (const [place, part] of parts.entries()) {
        if (place > 0) chain.push('|')
        const simple = part.type === 'Command' ? commands.get(part) : undefined
        if (!simple) return null
        chain.push(simple)
      }
    }
    chain.push(background ? '&' : ';')
  }
  if (chain.at(-1) === ';') chain.pop()
  return chain
}
