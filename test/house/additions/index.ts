import type { Addition } from './addition.ts'
import { kind } from './kind.ts'
import { operation } from './operation.ts'
import { screen } from './screen.ts'
import { service } from './service.ts'
import { trigger } from './trigger.ts'

/** Minimal additions by row of "To add" in ARCHITECTURE.md, in order. */
export const additions: Record<string, Addition> = {
  'a kind': kind,
  'a service': service,
  'an operation': operation,
  'a trigger': trigger,
  'a screen': screen,
}
