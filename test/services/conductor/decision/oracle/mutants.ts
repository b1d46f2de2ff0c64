// Builds the decision with one change of its source.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import * as schemas from '../../../../../schemas/conductor/run.ts'
import { root } from '../../../../support/root.ts'
import type { Decide } from './answers.ts'
import type { Mutation } from './mutations.ts'

const DECISION = join(root, 'services/conductor/decision')

/** The schemas as plain data: a mutant needs no library, which would take most of the time of its build. */
const SCHEMAS = {
  path: join(root, 'schemas/conductor/run.ts'),
  contents: Object.entries(schemas)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
    .join('\n'),
}

/** The source with the change. Throws unless the text to replace occurs once. */
export function mutated({ name, file, find, replace }: Mutation): string {
  const source = readFileSync(join(DECISION, file), 'utf8')
  const parts = source.split(find)
  if (parts.length !== 2) {
    throw new Error(`mutation "${name}": ${file} has the text ${parts.length - 1} times, expected 1: ${find}`)
  }
  return parts.join(replace)
}

/** The decision as changed by a mutation, from a bundle of its own in a temporary folder. */
export async function decisionWith(mutation: Mutation): Promise<Decide> {
  const replaced = new Map([
    [SCHEMAS.path, SCHEMAS.contents],
    [join(DECISION, mutation.file), mutated(mutation)],
  ])
  const { outputFiles } = await build({
    entryPoints: [join(DECISION, 'decide.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    plugins: [
      {
        name: 'mutation',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const contents = replaced.get(path)
            return contents === undefined ? null : { contents, loader: 'ts' }
          }),
      },
    ],
  })
  const folder = mkdtempSync(join(tmpdir(), 'svc-mutation-'))
  try {
    const file = join(folder, 'decide.mjs')
    writeFileSync(file, outputFiles[0]!.text)
    const module: { decision: Decide } = await import(pathToFileURL(file).href)
    return module.decision
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
