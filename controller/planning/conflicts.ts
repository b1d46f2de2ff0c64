// Errors that show only in comparison with the inventory and live state. Pure.
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { DesiredResource } from '../reading/desired-state.ts'
import { idOf } from '../reading/graph.ts'
import type { Owned } from './ownership.ts'

export function ownedElsewhere(desired: DesiredResource, owned: Owned): Diagnostic {
  return faultOf(desired, {
    code: 'owned-elsewhere',
    message: `${idOf(desired)} belongs to source "${owned.source}" (${owned.file}:${owned.line})`,
    hint: 'change it there, remove it there first, or choose another name; svc status shows whether that source is still configured',
  })
}

export function ambiguous(desired: DesiredResource, candidates: number): Diagnostic {
  return faultOf(desired, {
    code: 'ambiguous',
    message: `${candidates} live resources are called "${desired.name}" and have no owner: adoption requires exactly one`,
    hint: 'delete or rename all but one, or choose another name',
  })
}

export function suspendedWarning(
  { kind, name, owned }: { kind: string; name: string; owned: Pick<Owned, 'file' | 'line' | 'column'> | null },
  what: string,
): Diagnostic {
  const id = idOf({ kind, name })
  const { file, line, column } = owned!
  const message = `${id} is suspended: ${what} until it is resumed`
  const hint = `resume it with: svc resume ${id}`
  return { severity: 'warning', code: 'suspended', message, hint, file, line, column, kind, name }
}

function faultOf(
  { file, line, column, kind, name }: DesiredResource,
  said: Pick<Diagnostic, 'code' | 'message' | 'hint'>,
): Diagnostic {
  return { severity: 'error', ...said, file, line, column, kind, name }
}
