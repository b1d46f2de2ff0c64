// Answers that agents owe to rooms: on record with the result that each comes from.
import type { Knex } from '../../../platform/database/database.ts'
import type { Reading } from './world.ts'
import type { RoomPromptRow } from './tables.ts'

type Outcome = { text: string | null } | { error: string }

/** Prompts, by id, have their results: what came of each is to be said in the room that it came from, if any. */
export async function answerRooms(
  { tables }: Reading,
  transaction: Knex,
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<void> {
  const where = { prompt_id: [...outcomes.keys()], status: 'waiting' } as const
  const rows = await tables.roomPrompts.list({ where, order: ['id'], hold: true }, transaction)
  const answers = rows.map(({ id, prompt_id }) => [id, answerOf(outcomes.get(prompt_id!)!)] as const)
  await tables.roomPrompts.changeEach(new Map(answers), {}, transaction)
}

function answerOf(outcome: Outcome): Partial<RoomPromptRow> {
  if ('error' in outcome) return { status: 'due', kind: 'notice', content: `could not answer: ${outcome.error}` }
  const content = outcome.text?.trim() ? outcome.text : null
  return { status: content === null ? 'done' : 'due', content }
}
