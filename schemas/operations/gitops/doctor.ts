import * as Type from 'typebox'
import { namedObject, orNull } from '../../shapes.ts'
import { list } from '../operation.ts'

export const CHECK_STATES = ['ok', 'warning', 'fault', 'unknown'] as const

export const Check = namedObject('Check', {
  id: Type.String({ description: 'Such as git, or sandbox/NAME for the sandbox of an agent' }),
  title: Type.String(),
  state: Type.Enum([...CHECK_STATES], {
    description: 'warning: only some features do not work; unknown: the check failed, or did not end within 10 s',
  }),
  seen: Type.String(),
  expected: Type.String(),
  next: orNull(Type.String(), 'What to do; null if nothing has to be done'),
})
export type Check = Type.Static<typeof Check>

export type About = Pick<Check, 'id' | 'title' | 'expected'>

export const ok = (about: About, seen: string): Check => ({ ...about, state: 'ok', seen, next: null })

export const bad = (about: About, state: 'warning' | 'fault', seen: string, next: string): Check => ({
  ...about,
  state,
  seen,
  next,
})

export const checkMachine = list('controller.checkMachine', '/doctor', {
  // Names gaps in the protection of the machine.
  guard: 'policy',
  identity: 'caller',
  summary: 'Check the machine of the daemon',
  item: Check,
})
