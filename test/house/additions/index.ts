// Minimal additions.
import type { Addition } from './addition.ts'
import { kind } from './kind.ts'
import { operation } from './operation.ts'
import { service } from './service.ts'
import { trigger } from './trigger.ts'

/** By the first column of the table in ARCHITECTURE.md, in order. */
export const additions: Record<string, Addition> = {
  'a kind': kind,
  'a service': service,
  'an operation': operation,
  'a trigger': trigger,
}
