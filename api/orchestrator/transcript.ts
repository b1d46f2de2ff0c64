import type { FastifyInstance } from 'fastify'
import { implement, WithText } from '../../platform/http/implement.ts'
import { cursorOf } from '../../platform/http/lists.ts'
import * as operations from '../../schemas/operations/orchestrator/transcript.ts'
import type { Transcripts } from '../../services/orchestrator/face.ts'

export function transcriptRoutes(app: FastifyInstance, transcripts: Transcripts): void {
  implement(app, operations.getTranscript, ({ params, query }) =>
    transcripts.page(params.id, cursorOf(query) ?? cursorOf({ ...query, before: '' })!),
  )
  implement(app, operations.getTranscriptContent, async ({ params }) => {
    const text = await transcripts.content(params.id, params.entry)
    return new WithText({ text }, () => text)
  })
}
