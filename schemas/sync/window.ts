// Sync windows: when a source may write, by itself or when somebody asks.
import * as Type from 'typebox'
import { closedObject, orNull } from '../shapes.ts'

export const SyncWindow = closedObject(
  {
    effect: Type.Enum(['allow', 'deny'], {
      description: 'allow: written only in one of these; deny: never in one of these, whatever else allows it',
    }),
    schedule: Type.String({
      maxLength: 200,
      description: 'When it opens: minute hour day month weekday (or seconds first)',
    }),
    duration: Type.String({
      pattern: '^[1-9][0-9]{0,4}(m|h|d)$',
      description: 'How long it stays so: 30m, 8h, 2d',
    }),
    timezone: Type.Optional(Type.String({ maxLength: 64, description: 'IANA zone of the schedule; default UTC' })),
    manual: Type.Optional(
      Type.Boolean({ description: 'Who asks may write while it keeps the source closed; default false' }),
    ),
  },
  { description: 'A recurring span of time' },
)
export type SyncWindow = Type.Static<typeof SyncWindow>

/** Whether a source may write now by its windows. */
export const WindowState = closedObject({
  open: Type.Boolean({ description: 'It is written by itself' }),
  manual: Type.Boolean({ description: 'Who asks may write' }),
  changes_at: orNull(Type.String(), 'When it opens, or closes, next; null: not in the foreseeable future'),
})
export type WindowState = Type.Static<typeof WindowState>
