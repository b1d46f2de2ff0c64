import { Option } from 'commander'
import { MEMORY_TYPES, VISIBILITIES, type Memory } from '../../../schemas/docstore/memory.ts'
import * as operations from '../../../schemas/operations/docstore.ts'
import { connect } from '../../http-client.ts'
import { subjectById } from '../../lookup.ts'
import { wholeNumber } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { actor, variable } from '../../settings.ts'
import { verb } from '../../verb.ts'

const group = operations.docstoreOperations

/** The agent of this session, which cannot write under another name; else the user. */
const self = () => (variable('SVC_AGENT_ID') && variable('SVC_AGENT_NAME')) ?? actor()

const aMemory = subjectById('memory', 'agent memory list', (options) => connect(group, options).listMemories())

function table(memories: readonly Memory[]): string {
  return renderTable(
    memories,
    [
      { title: 'ID', value: ({ id }) => id, kind: 'id' },
      { title: 'TYPE', value: ({ type }) => type },
      { title: 'CONTENT', value: ({ content }) => content, kind: 'text' },
      { title: 'TAGS', value: ({ tags }) => tags.join(', ') || null, kind: 'text' },
      { title: 'BY', value: ({ created_by }) => created_by },
      { title: 'SEEN BY', value: seenBy, kind: 'text' },
      { title: 'AGE', value: ({ created_at }) => age(created_at), kind: 'time' },
    ],
    'No memories.',
  )
}

const seenBy = ({ visibility, shared_with }: Memory) =>
  visibility === 'shared' ? shared_with.join(', ') || visibility : visibility

const typeOption = () => new Option('--type <type>', 'Type of the memory').choices([...MEMORY_TYPES])
const visibilityOption = () =>
  new Option(
    '--visibility <visibility>',
    'Visibility: public, shared (see --shared-with) or private to its owner',
  ).choices([...VISIBILITIES])
const asOption = () => new Option('--as <name>', 'Identity to search as (default: yours)')

export const memory: readonly CommandEntry[] = [
  verb('remember', group, operations.createMemory, {
    args: [{ member: 'content', shown: '<text>', help: 'Text to remember; - reads standard input' }],
    options: {
      created_by: new Option('--by <name>', 'Owner of the memory').default(self(), 'you'),
      type: typeOption(),
      visibility: visibilityOption(),
    },
    examples: [
      'agent memory remember "The staging key is rotated on Mondays" --tags staging',
      'agent memory remember "Who owns the deploy?" --type question --visibility shared --shared-with builder',
    ],
    done: ({ id, similar }) => [`stored (${id})`, ...similar.map((each) => `similar: ${each.id}`)].join('\n'),
  }),
  verb('list', group, operations.listMemories, {
    options: {
      created_by: new Option('--by <name>', 'Owner of the memories'),
      type: typeOption(),
      visibility: visibilityOption(),
    },
    examples: ['agent memory list --tag staging'],
    done: table,
  }),
  verb('search', group, operations.searchMemories, {
    args: [{ member: 'query', shown: '<words...>', help: 'Words to search for; more matches rank higher' }],
    options: {
      as_actor: asOption(),
      type: typeOption(),
      limit: new Option('--limit <n>', 'Maximum number of memories').argParser(wholeNumber),
    },
    request: ({ query, ...rest }) => ({ ...rest, query: (query as string[]).join(' ') }),
    examples: ['agent memory search staging key --tags deploy'],
    done: ({ memories }) => table(memories),
  }),
  verb('get', group, operations.getMemory, {
    subject: aMemory,
    examples: ['agent memory get 1f3c9a2b'],
  }),
  verb('share', group, operations.setMemoryVisibility, {
    summary: 'Set the visibility of a memory',
    subject: aMemory,
    options: { visibility: visibilityOption() },
    examples: ['agent memory share 1f3c9a2b --visibility shared --shared-with builder'],
    done: (found) =>
      `memory ${found.id} is ${seenBy(found) === 'public' ? 'public' : `visible to ${visible(seenBy(found))}`}`,
  }),
  verb('forget', group, operations.deleteMemory, {
    subject: aMemory,
    examples: ['agent memory forget 1f3c9a2b'],
    done: (_reply, { subject }) => `memory ${subject.id} deleted`,
  }),
  healthVerb('memory', group, 'Check the health of the memory service'),
]
