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
      'Stores a short note for yourself and others: a fact, a question, a request. Public unless visibility is shared or ' +
      'private. The result lists memories that say nearly the same: replace one of your own with supersedes instead of repeating it.',
    input: closed({ ...input, created_by: Type.Optional(created_by) }),
    output: MemoryMade,
    effect: 'adds',
    next: {
      403: 'Omit created_by, and supersede only your own memories.',
      404: 'Call memory_search to find the memory to supersede.',
    },
    call: (body, { docstore, self }) =>
      docstore.createMemory({ body: { ...body, created_by: body.created_by ?? self } }),
  }),
  tool({
    name: 'memory_search',
    title: 'Search memories',
    description: 'Finds visible memories with any of the words, best first. Search before you remember something.',
    input: closed(search),
    output: FoundMemories,
    effect: 'reads',
    call: (body, { docstore }) => docstore.searchMemories({ body }),
  }),
  tool({
    name: 'memory_forget',
    title: 'Forget a memory',
    description: 'Deletes a memory of your own. This cannot be undone.',
    input: closed({ id: Type.String({ format: 'uuid', description: 'Id of the memory, as listed by memory_search' }) }),
    output: closed({ forgotten: Type.String() }),
    effect: 'deletes',
    next: {
      403: 'It belongs to another owner: store a new memory instead.',
      404: 'Call memory_search to see the existing ids.',
    },
    call: async ({ id }, { docstore }) => {
      await docstore.deleteMemory({ params: { id } })
      return { forgotten: id }
    },
  }),
]
