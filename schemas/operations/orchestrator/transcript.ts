import * as Type from 'typebox'
import { TranscriptPage } from '../../agent/transcript.ts'
import { Id } from '../parameters.ts'
import { operation } from '../operation.ts'
import { cursorMembers, DEFAULT_PAGE, LARGEST_PAGE } from '../page.ts'

export const getTranscript = operation('orchestrator.getTranscript', 'GET /agents/:id/transcript', {
  summary: 'Show what an agent said and did, oldest first',
  identity: 'none',
  params: Id,
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({
        description: `Maximum number of entries; default ${DEFAULT_PAGE}, clamped to 1 to ${LARGEST_PAGE}. A page of long entries has fewer`,
      }),
    ),
    ...cursorMembers,
  }),
  reply: { 200: TranscriptPage },
  errors: [404],
})

export const getTranscriptContent = operation(
  'orchestrator.getTranscriptContent',
  'GET /agents/:id/transcript/:entry/content',
  {
    summary: 'Show the whole text of an entry of a transcript',
    identity: 'none',
    params: Type.Object({ ...Id.properties, entry: Type.String({ format: 'uuid' }) }),
    reply: { 200: Type.Object({ text: Type.String() }) },
    alsoText: 'text/plain; charset=utf-8',
    errors: [404],
  },
)
