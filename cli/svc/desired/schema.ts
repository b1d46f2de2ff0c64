// `svc schema KIND`: the JSON Schema of a kind, for editors, or of a plan, for programs. Needs no daemon.
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { Command } from 'commander'
import { kinds } from '../../../schemas/kinds.ts'
import { Plan } from '../../../schemas/plan.ts'
import { typed } from '../../command-line.ts'
import { Failure, misuse } from '../../failure.ts'
import { kindNamed } from '../../kind.ts'
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
  printJson(document(word === 'plan' ? Plan : kindNamed(word).schema))
}

const document = (schema: object): object => ({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema })

/** They are written anew: nothing else stands there. */
async function keep(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    for (const { kind, schema } of kinds)
      await writeFile(join(folder, `${kind}.json`), `${JSON.stringify(document(schema), null, 2)}\n`)
  } catch (error) {
    throw new Failure(`the schemas cannot be kept: ${(error as Error).message}`, {
      where: folder,
      hint: 'name a folder you may write to',
    })
  }
  const lines = kinds.map(({ kind }) => `  ${kind}: # yaml-language-server: $schema=${schemaSeenFrom(kind, folder)}`)
  print([`made ${kinds.length} schemas in ${folder}`, 'the first line of a manifest', ...lines].join('\n'))
}

/** As a manifest in the folder of its kind says it, which stands beside that of the schemas. */
function schemaSeenFrom(kind: string, folder: string): string {
  const manifests = resolve(folder, '..', kind)
  return join(relative(manifests, resolve(folder)), `${kind}.json`)
    .split(sep)
    .join('/')
}
