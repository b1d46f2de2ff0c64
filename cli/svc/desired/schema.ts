// `svc schema KIND`: the JSON Schema of a kind, for editors, or of a plan, for programs. Needs no daemon.
import type { Command } from 'commander'
import { kinds } from '../../../schemas/kinds.ts'
import { Plan } from '../../../schemas/plan.ts'
import { kindNamed } from '../../kind.ts'
import { withExamples } from '../../options.ts'
import { printJson } from '../../output/print.ts'

export function define(command: Command): void {
  command
    .argument('<kind>', `one of ${kinds.map((kind) => kind.kind).join(', ')}; or plan, for what -o json prints`)
    .option('--json', 'JSON, as it is without the option')
  withExamples(command, 'svc schema agents > agent.schema.json', 'svc schema plan > plan.schema.json').action(
    (word: string) => {
      printJson({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        ...(word === 'plan' ? Plan : kindNamed(word).schema),
      })
    },
  )
}
