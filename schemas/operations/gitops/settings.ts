import * as Type from 'typebox'
import { closedObject, namedObject, nullableText, orNull } from '../../shapes.ts'
import { list } from '../operation.ts'

export const SETTING_ORIGINS = ['default', 'environment', 'file', 'option'] as const

/** Shown instead of the value of a secret. */
export const SECRET_SET = 'set'
export const SECRET_UNSET = 'not set'

const value = (description: string) =>
  Type.Unknown({ description: `${description}: a text, a number, true or false, a list of texts, or null for none` })

export const ShownSetting = namedObject('Setting', {
  service: Type.String({ description: 'Service that it belongs to; "daemon" for all of them' }),
  name: Type.String(),
  variables: Type.Array(Type.String(), {
    description: 'Environment variables that set it, of which the first one that is set wins; empty if none does',
  }),
  value: value(`In force since the daemon started; of a secret "${SECRET_SET}" or "${SECRET_UNSET}"`),
  default: value('Without the variable, the option or the line of the file'),
  unit: orNull(Type.String(), 'Of the numbers: s, days, MiB, %'),
  description: Type.String(),
  secret: Type.Boolean(),
  origin: closedObject({
    from: Type.Enum([...SETTING_ORIGINS], {
      description: 'file: the configuration file; option: an option of svc serve',
    }),
    variable: orNull(Type.String(), 'Variable that is set'),
    file: nullableText,
    line: orNull(Type.Integer(), 'From 1'),
  }),
})
export type ShownSetting = Type.Static<typeof ShownSetting>

export const listSettings = list('controller.listSettings', '/settings', {
  // Paths and limits help an agent to get around them.
  guard: 'policy',
  identity: 'caller',
  summary: 'List settings of the daemon with their origins',
  item: ShownSetting,
})
