// What the test of "To add" adds: a kind, a service, an operation and a trigger, each as small as it can be.
import type { Addition } from './addition.ts'
import { kind } from './kind.ts'
import { operation } from './operation.ts'
import { service } from './service.ts'
import { trigger } from './trigger.ts'

/** By the words of the first column of the table in ARCHITECTURE.md, in the order they are added. */
export const additions: Record<string, Addition> = {
  'a kind': kind,
  'a service': service,
  'an operation': operation,
  'a trigger': trigger,
}
