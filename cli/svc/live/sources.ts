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

const name = { member: 'name', shown: '<source>', help: 'Source that is no longer configured, or was applied by hand' }

const listed = (title: string, ids: readonly string[]): string[] =>
  ids.length > 0 ? [title, ...ids.map((id) => `  ${visible(id)}`)] : []

const listing = verb('list', controllerOperations, listSources, {
  summary: 'List sources, their sync mode and what they own',
  examples: ['svc sources', 'svc sources -o yaml'],
  done: (sources) => [sourceTable(sources).trimEnd(), ...holdLines(sources).map((line) => fitted(line))].join('\n'),
})

export const sourceCommands: readonly CommandEntry[] = [
  { ...listing, isDefault: true },
  verb('adopt', controllerOperations, adoptOperation, {
    summary: 'Move resources of an orphaned source to another source',
    args: [name],
    examples: ['svc sources adopt old --into new'],
    done: ({ adopted, left }, { words, options }) =>
      [
        `${adopted.length} moved to ${visible(String(options.into))}`,
        ...listed(
          `${left.length} not declared there, still owned by ${visible(words.name)} (release with ${typed`svc sources forget ${String(words.name)}`}):`,
          left,
        ),
      ].join('\n'),
  }),
  verb('forget', controllerOperations, releaseOperation, {
    aliases: ['release'],
    summary: 'Release the resources of a source without deleting them',
    args: [name],
    examples: ['svc sources forget old'],
    done: ({ released }, { words }) =>
      [`source ${visible(words.name)} released`, ...listed('no longer owned:', released)].join('\n'),
  }),
]
