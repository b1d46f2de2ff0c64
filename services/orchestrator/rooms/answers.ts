import { Problem } from '../../../platform/core/problem.ts'
import type { ClientOf } from '../../../platform/http/client.ts'
import { MOST_CONTENT } from '../../../schemas/communicate/message.ts'
import type { communicateOperations } from '../../../schemas/operations/communicate.ts'
import type { Reading } from '../record/world.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import type { RoomPromptRow } from '../record/tables.ts'

export type RoomClient = ClientOf<typeof communicateOperations>

const AT_ONCE = 100

/** Throws if the room service is unavailable. */
export async function postDueAnswers({ tables, log }: Reading & { log: Log }, client: RoomClient): Promise<void> {
  for (;;) {
    const { items } = await tables.roomPrompts.page({ where: { status: 'due' }, limit: AT_ONCE, offset: 0 })
    for (const row of items) {
      const error = await postAnswer(client, row)
      if (error !== null) log.warn({ agent_id: row.agent_id, room_id: row.room_id, error }, 'room rejected an answer')
      await tables.roomPrompts.update(row.id, { status: 'done', error })
    }
    if (items.length < AT_ONCE) return
  }
}

/** Returns why the room rejects the answer permanently, or null. */
async function postAnswer(client: RoomClient, row: RoomPromptRow): Promise<string | null> {
  const body = {
    sender_id: row.sender_id,
    content: row.content!.slice(0, MOST_CONTENT),
    metadata: { source: row.kind === 'reply' ? 'agent_response' : 'notice', hops: row.hops },
    message_id: row.id,
  }
  const params = { id: row.room_id }
  return client
    .createMessage({ params, body: { ...body, reply_to: row.message_id } })
    .catch((error: unknown) => {
      // The message it replies to was deleted.
      if (!(error instanceof Problem) || error.status !== 400) throw error
      return client.createMessage({ params, body })
    })
    .then(
      () => null,
      (error: unknown) => {
        if (error instanceof Problem && [400, 403, 404, 409].includes(error.status)) return error.message
        throw error
      },
    )
}
