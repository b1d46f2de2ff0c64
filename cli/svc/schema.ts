// `svc schema KIND`: the JSON Schema of a kind, for editors. Needs no daemon.
import type { Command } from 'commander'
import { nearestHint } from '../../schemas/validation/nearest.ts'
import { findKind, kinds, kindsToCome } from '../../schemas/kinds.ts'
import { misuse } from '../failure.ts'
import { withExamples } from '../options.ts'
import { printJson } from '../output/print.ts'

export function define(command: Command): void {
  command
    .argument('<kind>', `one of ${kinds.map((kind) => kind.kind).join(', ')}`)
    .option('--json', 'JSON, as it is without the option')
  withExamples(command, 'svc schema agents > agent.schema.json').action((word: string) => {
    const kind = findKind(word, kinds)
    const words = kinds.map((each) => each.kind)
    if (!kind) throw misuse(unknown(word), nearestHint(word, words, `there are ${words.join(', ')}`))
    printJson({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...kind.schema })
  })
}

const unknown = (word: string) =>
  findKind(word, kindsToCome) ? `kind ${word} is not available yet` : `there is no kind ${word}`
