import * as operations from '../../../schemas/operations/conductor.ts'
import { connect } from '../../http-client.ts'
import { subjectById } from '../../lookup.ts'
import { visible } from '../../output/print.ts'
import type { CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { verb } from '../../verb.ts'
import { runTable, runText } from './run-text.ts'

const group = operations.conductorOperations

const aRun = subjectById('run', 'agent conductor runs', (options, word) =>
  connect(group, options).listRuns({ query: { id: word } }),
)

export const conductor: readonly CommandEntry[] = [
  { name: 'run', summary: 'Run the pipeline conductor', load: () => import('./run.ts') },
  verb('runs', group, operations.listRuns, {
    examples: ['agent conductor runs', 'agent conductor runs --repository acme/shop'],
    done: runTable,
  }),
  verb('show', group, operations.getRun, {
    subject: aRun,
    examples: ['agent conductor show 1f3c9a2b'],
    done: runText,
  }),
  verb('mark', group, operations.addItemLabel, {
    args: [
      { member: 'number', shown: '<number>', help: 'Number of an issue or pull request' },
      { member: 'add', shown: '<label>', help: 'Label of the pipeline, such as merge-ready' },
    ],
    examples: ['agent conductor mark 7 enrich-agent', 'agent conductor mark 12 merge-ready --if-eligible'],
    done: ({ repository, number, label, outcome }) =>
      `${visible(repository)}#${number} ${outcome === 'done' ? 'got' : 'already has'} the label ${label}`,
  }),
  healthVerb('conductor', group, 'Check the health of the conductor'),
]
