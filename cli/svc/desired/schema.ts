// `svc schema KIND`: the JSON Schema of a kind, for editors, or of a plan, for programs. Needs no daemon.
import { join } from 'node:path'
import type { Command } from 'commander'
import { kinds } from '../../../schemas/kinds.ts'
import { Plan } from '../../../schemas/plan.ts'
import { typed } from '../../command-line.ts'
import { misuse } from '../../failure.ts'
import { kindNamed } from '../../kind.ts'
import { keepSchemas, modeline, schemaDocument } from '../../manifests/editor-schemas.ts'
import { withExamples } from '../../options.ts'
import { print, printJson } from '../../output/print.ts'

export function define(command: Command): void {
  command
    .argument('[kind]', `one of ${kinds.map((kind) => kind.kind).join(', ')}; or plan, for what -o json prints`)
    .option('--folder <folder>', 'keep the schema of every kind there, and say how manifests name them')
    .option('--json', 'JSON, as it is without the option')
  withExamples(
    command,
    'svc schema agents > agent.schema.json',
    'svc schema plan > plan.schema.json',
    'svc schema --folder manifests/.schemas',
  ).action(show)
}

async function show(word: string | undefined, { folder }: { folder?: string }): Promise<void> {
  if (folder !== undefined && word === undefined) return keep(folder)
  if (word === undefined || folder !== undefined)
    throw misuse(
      word === undefined ? 'which kind?' : 'a kind and --folder exclude each other',
      `name one (${typed`svc schema KIND`}), or keep all of them: ${typed`svc schema --folder FOLDER`}`,
    )
  printJson(schemaDocument(word === 'plan' ? Plan : kindNamed(word).schema))
}

/** As manifests say it that stand beside the folder: those of a kind in a folder of theirs. */
async function keep(schemas: string): Promise<void> {
  const count = await keepSchemas(schemas)
  const lines = kinds.map(({ kind }) => `  ${kind}: ${modeline(kind, { folder: join(schemas, '..', kind), schemas })}`)
  const rules = `  svc.yaml: ${modeline('svc', { folder: join(schemas, '..'), schemas })}`
  print([`made ${count} schemas in ${schemas}`, 'the first line of a manifest', ...lines, rules].join('\n'))
}
