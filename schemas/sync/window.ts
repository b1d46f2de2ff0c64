import * as Type from 'typebox'
import { closedObject, orNull } from '../shapes.ts'

export const SyncWindow = closedObject(
  {
    effect: Type.Enum(['allow', 'deny'], {
      description: 'allow: applied only in such a window; deny: never applied in one, even if another window allows it',
    }),
    schedule: Type.String({
      maxLength: 200,
      description: 'When it opens: minute hour day month weekday (or seconds first)',
    }),
    duration: Type.String({
      pattern: '^[1-9][0-9]{0,4}(m|h|d)$',
      description: 'How long it stays open: 30m, 8h, 2d',
    }),
    timezone: Type.Optional(Type.String({ maxLength: 64, description: 'IANA time zone of the schedule; default UTC' })),
    manual: Type.Optional(
      Type.Boolean({ description: 'Allow manual applies while it keeps the source closed; default false' }),
    ),
  },
  { description: 'A recurring time span' },
)
export type SyncWindow = Type.Static<typeof SyncWindow>

export const WindowState = closedObject({
  open: Type.Boolean({ description: 'Whether changes are applied automatically' }),
  manual: Type.Boolean({ description: 'Whether a person may apply changes' }),
  changes_at: orNull(Type.String(), 'Time it next opens or closes; null: not in the foreseeable future'),
})
export type WindowState = Type.Static<typeof WindowState>
