import { join } from 'node:path'
import type { Command } from 'commander'
import { kinds } from '../../../schemas/kinds.ts'
import { Plan } from '../../../schemas/plan.ts'
import { typed } from '../../command-line.ts'
import { misuse } from '../../failure.ts'
import { kindNamed } from '../../kind.ts'
import { writeSchemas, modeline, schemaDocument } from '../../manifests/editor-schemas.ts'
import { withExamples } from '../../options.ts'
import { print, printJson } from '../../output/print.ts'

export function define(command: Command): void {
  command
    .argument('[kind]', `Kind: ${kinds.map((kind) => kind.kind).join(', ')}, or plan for the output of -o json`)
    .option('--folder <folder>', 'Write the schema of every kind to this folder and print how manifests reference it')
    .option('--json', 'Print JSON (the default)')
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
      word === undefined ? 'no kind given' : 'a kind and --folder are mutually exclusive',
      `pass one (${typed`svc schema KIND`}), or write all of them: ${typed`svc schema --folder FOLDER`}`,
    )
  printJson(schemaDocument(word === 'plan' ? Plan : kindNamed(word).schema))
}

async function keep(schemas: string): Promise<void> {
  const count = await writeSchemas(schemas)
  const lines = kinds.map(({ kind }) => `  ${kind}: ${modeline(kind, { folder: join(schemas, '..', kind), schemas })}`)
  const rules = `  svc.yaml: ${modeline('svc', { folder: join(schemas, '..'), schemas })}`
  print([`created ${count} schemas in ${schemas}`, 'first line of a manifest', ...lines, rules].join('\n'))
}
