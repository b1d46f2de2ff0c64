// The tools over memories.
import * as Type from 'typebox'
import { FoundMemories, MemoryInput, MemoryMade, MemorySearch } from '../../../schemas/docstore/memory.ts'
import { closed, tool, type Tool } from './tool.ts'

const { created_by, ...input } = MemoryInput.properties
const { as_actor: _as, ...search } = MemorySearch.properties

export const memoryTools: readonly Tool[] = [
  tool({
    name: 'memory_remember',
    title: 'Remember something',
    description:
      'Keeps a short note for yourself and others: a fact, a question, a request. Public unless visibility says shared or ' +
      'private. The answer names memories that say nearly the same: supersede one of your own with supersedes rather than repeat it.',
    input: closed({ ...input, created_by: Type.Optional(created_by) }),
    output: MemoryMade,
    effect: 'adds',
    next: {
      403: 'Leave created_by out, and supersede memories of your own alone.',
      404: 'Call memory_search to find the memory that is to be superseded.',
    },
    call: (body, { docstore, headers, self }) =>
      docstore.createMemory({ body: { ...body, created_by: body.created_by ?? self }, headers }),
  }),
  tool({
    name: 'memory_search',
    title: 'Search memories',
    description:
      'Memories that you may see and that have any of the words, the best first. Search before you remember something.',
    input: closed(search),
    output: FoundMemories,
    effect: 'reads',
    call: (body, { docstore, headers }) => docstore.searchMemories({ body, headers }),
  }),
  tool({
    name: 'memory_forget',
    title: 'Forget a memory',
    description: 'Deletes a memory of your own. This cannot be undone.',
    input: closed({ id: Type.String({ format: 'uuid', description: 'Id of the memory, as memory_search shows it' }) }),
    output: closed({ forgotten: Type.String() }),
    effect: 'deletes',
    next: {
      403: 'It is of somebody else: remember what is true now instead.',
      404: 'Call memory_search to see the ids there are.',
    },
    call: async ({ id }, { docstore, headers }) => {
      await docstore.deleteMemory({ params: { id }, headers })
      return { forgotten: id }
    },
  }),
]
