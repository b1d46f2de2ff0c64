// `svc sources`: where manifests come from, and what becomes of the resources of a source that is read no more.
import { typed } from '../../command-line.ts'
import {
  adoptSource as adoptOperation,
  controllerOperations,
  listSources,
  releaseSource as releaseOperation,
} from '../../../schemas/operations/controller.ts'
import { fitted, visible } from '../../output/print.ts'
import type { CommandEntry } from '../../program.ts'
import { verb } from '../../verb.ts'
import { holdLines, sourceTable } from './source-table.ts'

const name = { member: 'name', shown: '<source>', help: 'a source that is configured no more, or was applied by hand' }

const listed = (title: string, ids: readonly string[]): string[] =>
  ids.length > 0 ? [title, ...ids.map((id) => `  ${visible(id)}`)] : []

const listing = verb('list', controllerOperations, listSources, {
  summary: 'every source: how it is kept in force, and what it owns',
  examples: ['svc sources', 'svc sources -o yaml'],
  done: (sources) => [sourceTable(sources).trimEnd(), ...holdLines(sources).map((line) => fitted(line))].join('\n'),
})

export const sourceCommands: readonly CommandEntry[] = [
  { ...listing, isDefault: true },
  verb('adopt', controllerOperations, adoptOperation, {
    summary: 'hand what a source owns that is read no more to one that declares it',
    args: [name],
    examples: ['svc sources adopt old --into new'],
    done: ({ adopted, left }, { words, options }) =>
      [
        `${adopted.length} handed over to ${visible(String(options.into))}`,
        ...listed(
          `${left.length} it does not declare stay with ${visible(words.name)} (${typed`svc sources forget ${String(words.name)}`} leaves them to nobody):`,
          left,
        ),
      ].join('\n'),
  }),
  verb('forget', controllerOperations, releaseOperation, {
    aliases: ['release'],
    summary: 'own nothing of a source that is read no more; what is live stays as it is',
    args: [name],
    examples: ['svc sources forget old'],
    done: ({ released }, { words }) =>
      [`source ${visible(words.name)} is forgotten`, ...listed('nobody owns any more:', released)].join('\n'),
  }),
]
