import { resolve } from 'node:path'
import { Option } from 'commander'
import * as operations from '../../../schemas/operations/wrap.ts'
import { LAYOUT_TYPES, WRAP_AGENT_TYPES } from '../../../schemas/wrap/launch.ts'
import { wholeNumber } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { verb } from '../../verb.ts'

const group = operations.wrapOperations

const sessionWord = { member: 'name', shown: '<name>', help: 'Name of the session' }

export const wrap: readonly CommandEntry[] = [
  verb('launch', group, operations.launch, {
    summary: 'Launch an agent program in a session; exit 1 if it fails',
    args: [
      { member: 'project_name', shown: '<project-name>', help: 'Name of the session' },
      {
        member: 'project_path',
        shown: '<project-path>',
        help: 'Directory of the project',
        parse: (path) => resolve(path),
      },
    ],
    without: ['layout'],
    options: {
      agent_type: new Option('--agent-type <type>', 'Agent program; general starts a shell')
        .choices(WRAP_AGENT_TYPES)
        .default('general'),
      model_provider: new Option(
        '--model-provider <name>',
        'Model provider, if the agent type supports several',
      ).default('none'),
      model_name: new Option('--model-name <name>', 'Model name').default('none'),
    },
    more: (command) =>
      command
        .addOption(new Option('--layout <type>', 'Layout of the panes').choices(LAYOUT_TYPES))
        .addOption(new Option('--panes <n>', 'Number of panes; the agent runs in the first').argParser(wholeNumber)),
    request: (members, { options: { layout, panes } }) => ({
      ...members,
      ...(layout === undefined && panes === undefined ? {} : { layout: { type: layout ?? 'tiled', panes } }),
    }),
    examples: [
      'agent wrap launch shop . --agent-type alpha-code',
      'agent wrap launch shop ~/shop --agent-type delta --model-name large --layout horizontal',
    ],
    done: ({ message }) => visible(message),
    exit: ({ success }) => (success ? 0 : 1),
  }),
  verb('list', group, operations.listSessions, {
    examples: ['agent wrap list'],
    done: (sessions) =>
      renderTable(
        sessions,
        [
          { title: 'SESSION', value: ({ name }) => name },
          { title: 'AGENT', value: ({ agent_type }) => agent_type },
          { title: 'PANES', value: ({ panes }) => panes },
          { title: 'ATTACHED', value: ({ attached }) => (attached ? 'yes' : 'no') },
          { title: 'LAUNCHED HERE', value: ({ launched }) => (launched ? 'yes' : 'no') },
          { title: 'PATH', value: ({ project_path }) => project_path, kind: 'path' },
          { title: 'AGE', value: ({ created_at }) => age(created_at), kind: 'time' },
        ],
        'No sessions.',
      ),
  }),
  verb('get', group, operations.getSession, {
    args: [sessionWord],
    examples: ['agent wrap get shop'],
  }),
  verb('delete', group, operations.deleteSession, {
    args: [sessionWord],
    examples: ['agent wrap delete shop'],
    done: (_reply, { words }) => `session ${visible(String(words.name))} ended`,
  }),
  healthVerb('wrap', group, 'Check the health of the session launcher'),
]
