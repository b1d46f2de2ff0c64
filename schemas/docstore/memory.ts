// A memory: a note that agents and people keep for one another, with who may see it.
import * as Type from 'typebox'
import type { Fault } from '../kind.ts'
import { closedObject, namedObject, orNull } from '../shapes.ts'

export const MEMORY_TYPES = ['information', 'question', 'request'] as const
export const VISIBILITIES = ['public', 'shared', 'private'] as const
export type Visibility = (typeof VISIBILITIES)[number]

const LONGEST = 65_536
const MOST = 100
const name = Type.String({ minLength: 1, maxLength: 200 })
const names = (description: string) => Type.Array(name, { maxItems: MOST, description })
const id = Type.String({ format: 'uuid' })

const content = Type.String({ minLength: 1, maxLength: LONGEST, description: 'What is to be remembered' })
const created_by = Type.String({ minLength: 1, maxLength: 200, description: 'Whose it is' })
const type = Type.Enum([...MEMORY_TYPES], { description: 'What it is; default information' })
const tags = names('What it is found by')
const visibility = Type.Enum([...VISIBILITIES], {
  description: 'Who sees it: everybody, its creator and those it is shared with, its creator alone; default public',
})
const shared_with = names('Who sees it too where it is shared')
const references = names('Ids of memories and documents it is about')
const supersedes = orNull(id, 'The memory that it takes the place of')

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
  superseded_by: orNull(id, 'The newest memory that took its place'),
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

/** Another memory that says nearly the same. */
export const SimilarMemory = closedObject({
  id,
  content: Type.String(),
  likeness: Type.Number({ description: 'Share of words in common, 0 to 1' }),
})
export type SimilarMemory = Type.Static<typeof SimilarMemory>

export const MemoryMade = namedObject('MemoryMade', {
  ...Memory.properties,
  similar: Type.Array(SimilarMemory, { description: 'What was there and says nearly the same' }),
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
  query: Type.String({ minLength: 1, maxLength: 4096, description: 'Words; memories with more of them come first' }),
  as_actor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Who is to see them; default who asks' }),
  ),
  type: Type.Optional(type),
  tags: Type.Optional(names('Any of them')),
  from: Type.Optional({ ...time, description: 'Made at this time or later' }),
  to: Type.Optional({ ...time, description: 'Made at this time or earlier' }),
  limit: Type.Optional(
    Type.Integer({ description: `Most memories; 10 unless said, clamped to 1 to ${LARGEST_SEARCH}` }),
  ),
})
export type MemorySearch = Type.Static<typeof MemorySearch>

export const limitOf = ({ limit = 10 }: MemorySearch): number => Math.min(Math.max(limit, 1), LARGEST_SEARCH)

export const FoundMemory = namedObject('FoundMemory', {
  ...Memory.properties,
  score: Type.Number({ description: 'The greater, the better; of one search alone' }),
})
export const FoundMemories = closedObject({ memories: Type.Array(FoundMemory), total: Type.Integer() })
export type FoundMemories = Type.Static<typeof FoundMemories>

/** What a schema cannot say: whom a memory is shared with, and that it says something. */
export function checkMemory(given: Partial<Pick<MemoryInput, 'content' | 'visibility' | 'shared_with'>>): Fault[] {
  const faults: Fault[] = []
  const { content: text, visibility: seen, shared_with: others = [] } = given
  const fault = (path: string, message: string, hint: string) =>
    faults.push({ path: [path], code: 'invalid-value', message, hint })
  if (text !== undefined && !/\S/u.test(text)) fault('content', 'is blank', 'say what is to be remembered')
  if (others.length > 0 && seen !== 'shared')
    fault(
      'shared_with',
      `is of no use where visibility is ${seen ?? 'public'}`,
      'say visibility: shared, or leave it out',
    )
  return faults
}
