import * as Type from 'typebox'
import type { Fault } from '../kind.ts'
import { closedObject, namedObject, orNull } from '../shapes.ts'

export const MEMORY_TYPES = ['information', 'question', 'request'] as const
export const VISIBILITIES = ['public', 'shared', 'private'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** Characters of a memory. */
export const LONGEST_MEMORY = 65_536
const MOST = 100
const name = Type.String({ minLength: 1, maxLength: 200 })
const names = (description: string) => Type.Array(name, { maxItems: MOST, description })
const id = Type.String({ format: 'uuid' })

const content = Type.String({ minLength: 1, maxLength: LONGEST_MEMORY, description: 'Text to remember' })
const created_by = Type.String({ minLength: 1, maxLength: 200, description: 'Owner of the memory' })
const type = Type.Enum([...MEMORY_TYPES], { description: 'Type of the memory; default information' })
const tags = names('Tags')
const visibility = Type.Enum([...VISIBILITIES], {
  description: 'Visibility; public (default), shared: its owner and shared_with, private: its owner',
})
const shared_with = names('Identities that can see it if it is shared')
const references = names('Ids of related memories and documents')
const supersedes = orNull(id, 'Memory that this one replaces')

export const Memory = namedObject('Memory', {
  id,
  content: Type.String(),
  type: Type.Enum([...MEMORY_TYPES]),
  tags: Type.Array(Type.String()),
  created_by: Type.String(),
  visibility: Type.Enum([...VISIBILITIES]),
  shared_with: Type.Array(Type.String()),
  references: Type.Array(Type.String()),
  supersedes,
  superseded_by: orNull(id, 'Newest memory that replaced this one'),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
})
export type Memory = Type.Static<typeof Memory>

export const MemoryInput = namedObject('MemoryInput', {
  content,
  created_by,
  type: Type.Optional(type),
  tags: Type.Optional(tags),
  visibility: Type.Optional(visibility),
  shared_with: Type.Optional(shared_with),
  references: Type.Optional(references),
  supersedes: Type.Optional(supersedes),
})
export type MemoryInput = Type.Static<typeof MemoryInput>

export const SimilarMemory = closedObject({
  id,
  content: Type.String(),
  likeness: Type.Number({ description: 'Share of common words, 0 to 1' }),
})
export type SimilarMemory = Type.Static<typeof SimilarMemory>

export const MemoryMade = namedObject('MemoryMade', {
  ...Memory.properties,
  similar: Type.Array(SimilarMemory, { description: 'Existing memories that say nearly the same' }),
})
export type MemoryMade = Type.Static<typeof MemoryMade>

export const MemoryVisibility = namedObject('MemoryVisibility', {
  visibility: Type.Enum([...VISIBILITIES]),
  shared_with: Type.Optional(shared_with),
})
export type MemoryVisibility = Type.Static<typeof MemoryVisibility>

const LARGEST_SEARCH = 100
const time = Type.String({ format: 'date-time' })

export const MemorySearch = namedObject('MemorySearch', {
  query: Type.String({ minLength: 1, maxLength: 4096, description: 'Words; memories with more of them rank higher' }),
  as_actor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Identity to search as; default: the caller' }),
  ),
  type: Type.Optional(type),
  tags: Type.Optional(names('Tags; any of them matches')),
  from: Type.Optional({ ...time, description: 'Created at or after this time' }),
  to: Type.Optional({ ...time, description: 'Created at or before this time' }),
  limit: Type.Optional(
    Type.Integer({ description: `Maximum number of memories; default 10, clamped to 1 to ${LARGEST_SEARCH}` }),
  ),
})
export type MemorySearch = Type.Static<typeof MemorySearch>

export const limitOf = ({ limit = 10 }: MemorySearch): number => Math.min(Math.max(limit, 1), LARGEST_SEARCH)

export const FoundMemory = namedObject('FoundMemory', {
  ...Memory.properties,
  score: Type.Number({ description: 'Higher is better; comparable only within one search' }),
  rank: closedObject(
    {
      words: orNull(Type.Integer({ minimum: 1 }), 'Place in the search by words; null if it was not found by words'),
      meaning: orNull(Type.Integer({ minimum: 1 }), 'Place in the search by meaning; null without one'),
    },
    { description: 'Places from 1 in both searches, of the best 100 each' },
  ),
})
export const FoundMemories = closedObject({ memories: Type.Array(FoundMemory), total: Type.Integer() })
export type FoundMemories = Type.Static<typeof FoundMemories>

export function checkMemory(given: Partial<Pick<MemoryInput, 'content' | 'visibility' | 'shared_with'>>): Fault[] {
  const faults: Fault[] = []
  const { content: text, visibility: seen, shared_with: others = [] } = given
  const fault = (path: string, message: string, hint: string) =>
    faults.push({ path: [path], code: 'invalid-value', message, hint })
  if (text !== undefined && !/\S/u.test(text)) fault('content', 'is blank', 'write the text to remember')
  if (others.length > 0 && seen !== 'shared')
    fault('shared_with', `has no effect if visibility is ${seen ?? 'public'}`, 'set visibility: shared, or omit it')
  return faults
}
