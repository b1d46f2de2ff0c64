import * as Type from 'typebox'
import { expectTypeOf, test } from 'vitest'
import type { ClientOf } from '../../../platform/http/client.ts'
import { list, operations } from '../../../schemas/operations/operation.ts'
import type { Paged, Slice } from '../../../schemas/operations/page.ts'

const item = Type.String()
const about = { identity: 'none', summary: 'List texts', item } as const
const group = operations(
  { service: 'texts', port: 1 },
  {
    between: list('texts.between', '/between', {
      ...about,
      query: Type.Object({ after: Type.Optional(Type.String()) }),
    }),
    byCursor: list('texts.byCursor', '/by-cursor', { ...about, cursors: {} }),
  },
)

test('types a list as a page by cursor only if the operation has cursors', () => {
  const answersOf = (client: ClientOf<typeof group>) => ({
    between: client.between({ query: { after: 'a' } }),
    betweenInPages: client.between({ query: { after: 'a', limit: 2 } }),
    byCursor: client.byCursor({ query: { after: '' } }),
    toCursor: client.byCursor({ query: { before: '', limit: 2 } }),
  })
  type Answers = ReturnType<typeof answersOf>
  expectTypeOf<Answers['between']>().resolves.toEqualTypeOf<string[]>()
  expectTypeOf<Answers['betweenInPages']>().resolves.toEqualTypeOf<Paged<string>>()
  expectTypeOf<Answers['byCursor']>().resolves.toEqualTypeOf<Slice<string>>()
  expectTypeOf<Answers['toCursor']>().resolves.toEqualTypeOf<Slice<string>>()
})
